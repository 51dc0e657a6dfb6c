// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_pace: a neighbour clock. It limits injection so that all nodes get equal shares.
//
// The pace counts ticks modulo 4. A tick adds a turn to the credit, up to two turns. A message
// costs a turn, or if it is for a single node 1. A router is done with its tick when it has used 1
// of the largest credit or its node offers nothing; it then ticks, unless a neighbour is behind or
// the clock is held. The ticks of neighbours therefore differ by at most one.
//
// Latency: an injection counts in the next cycle. pace is a register. An older link_pace can
// only delay ticks, so link_pace may arrive any number of cycles late. All routers must leave
// reset in the same cycle.

`default_nettype none

module hc_pace #(
    parameter integer LINKS = 1,  // links, 1 or more
    parameter integer TURN  = 1   // credit of a turn, a power of two; 1 if no message is for a single node
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [2*LINKS-1:0] link_pace,  // of the neighbour on each link
    input  wire               offered,    // the local input has a message for other nodes
    input  wire               single,     // it is for a single node
    input  wire               injected,   // it completes a handshake
    input  wire               held,       // the pace must not advance, see hc_ring_mark
    output wire [1:0]         pace,
    output wire               tick,       // the pace advances
    output wire               open        // the local input may ask
);

    generate
        if (LINKS < 1) begin : illegal_links
            hc_pace_LINKS_must_be_1_or_more illegal ();
        end else if (TURN < 1 || (TURN & (TURN - 1)) != 0) begin : illegal_turn
            hc_pace_TURN_must_be_a_power_of_two illegal ();
        end
    endgenerate

    localparam integer    BITS  = $clog2(TURN) + 2;
    localparam [BITS-1:0] ADDED = TURN[BITS-1:0];
    localparam [BITS-1:0] MOST  = ADDED << 1;
    localparam [BITS-1:0] ONE   = {{BITS - 1{1'b0}}, 1'b1};

    reg  [1:0]       pace_q;
    reg  [BITS-1:0]  rest_q;  // credit, less what was injected in the cycle before: 0 to MOST
    wire             full = rest_q[BITS-1];
    wire             turn = full | rest_q[BITS-2];  // at least a turn is left
    wire             done = !full | !offered;
    wire [LINKS-1:0] behind;
    wire [BITS-1:0]  credit = !tick ? rest_q : turn ? MOST : rest_q | ADDED;  // in the next cycle
    wire [BITS-1:0]  paid   = credit - (single ? ONE : ADDED);

    genvar i;
    generate
        for (i = 0; i < LINKS; i = i + 1) begin : link
            assign behind[i] = link_pace[2*i+:2] == pace_q - 2'd1;
        end
    endgenerate

    always @(posedge clk) begin
        if (tick) pace_q <= pace_q + 2'd1;
        rest_q <= injected ? paid : credit;  // injected comes late
        if (rst) begin
            pace_q <= 2'd0;
            rest_q <= ADDED;
        end
    end

    assign tick = done & ~|behind & !held;
    assign pace = pace_q;
    assign open = single ? |rest_q : turn;

endmodule

`default_nettype wire
