// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_pace: the clock of a router that limits injection, so that all nodes get equal shares.
//
// The clock has two registers. The pace counts ticks, modulo the least power of two above 2 LEAD. The
// credit is what the node may spend on messages. A turn is the credit of one broadcast: a tick adds a
// turn, and the credit is at most two turns. A message costs a turn, or 1 if it is for a single node.
// The router is done with its tick while its credit is below two turns, or while its node offers
// nothing. The clock ticks when the router is done, unless the clock of a neighbour is LEAD ticks
// behind or the clock is held. The ticks of neighbours therefore differ by at most LEAD.
//
// Latency: an injection reduces the credit in the next cycle. pace is a register. link_pace may
// arrive any number of cycles late, because an older value can only delay ticks. All routers must
// leave reset in the same cycle, unless hc_link_clocks lies between them.
//
// Freedom from deadlock: `hold` must not stay high for ever, which hc_ring_mark guarantees if all
// receivers keep accepting.

`default_nettype none

module hc_pace #(
    parameter integer DEGREE = 1,  // number of links, 1 or more
    parameter integer TURN   = 1,  // credit of a turn, a power of two; 1 if no message is for a single node
    parameter integer LEAD   = 1   // ticks that the clock can be ahead of a neighbour, 1 or more
) (
    input  wire                               clk,
    input  wire                               rst,
    input  wire [DEGREE*$clog2(2*LEAD+1)-1:0] link_pace,  // pace of the neighbour on each link
    input  wire                               valid,      // the local input has a message for other nodes
    input  wire                               single,     // that message is for a single node
    input  wire                               inject,     // that message completes a handshake
    input  wire                               hold,       // the clock must not tick, see hc_ring_mark
    output wire [$clog2(2*LEAD+1)-1:0]        pace,       // ticks of this clock
    output wire                               tick,       // the clock ticks at the end of this cycle
    output wire                               open        // the offered message may request groups
);

    generate
        if (DEGREE < 1) begin : illegal_degree
            hc_pace_DEGREE_must_be_1_or_more illegal ();
        end else if (TURN < 1 || (TURN & (TURN - 1)) != 0) begin : illegal_turn
            hc_pace_TURN_must_be_a_power_of_two illegal ();
        end else if (LEAD < 1) begin : illegal_lead
            hc_pace_LEAD_must_be_1_or_more illegal ();
        end
    endgenerate

    localparam integer         BITS      = $clog2(TURN) + 2;
    localparam [BITS-1:0]      ADDED     = TURN[BITS-1:0];
    localparam [BITS-1:0]      MOST      = ADDED << 1;
    localparam [BITS-1:0]      ONE       = {{BITS - 1{1'b0}}, 1'b1};
    localparam integer         PACE_BITS = $clog2(2 * LEAD + 1);
    localparam [PACE_BITS-1:0] AHEAD     = LEAD[PACE_BITS-1:0];

    reg  [PACE_BITS-1:0] pace_q;
    reg  [BITS-1:0]      rest_q;  // credit less the cost of the previous cycle's injection, 0 to MOST
    wire                 full     = rest_q[BITS-1];
    wire                 has_turn = full | rest_q[BITS-2];  // at least a turn is left
    wire                 done     = !full | !valid;
    wire [DEGREE-1:0]    behind;
    wire [BITS-1:0]      credit = !tick ? rest_q : has_turn ? MOST : rest_q | ADDED;  // before an injection's cost
    wire [BITS-1:0]      paid   = credit - (single ? ONE : ADDED);

    genvar i;
    generate
        for (i = 0; i < DEGREE; i = i + 1) begin : link
            assign behind[i] = link_pace[i*PACE_BITS+:PACE_BITS] == pace_q - AHEAD;
        end
    endgenerate

    always @(posedge clk) begin
        if (tick) pace_q <= pace_q + 1'b1;
        rest_q <= inject ? paid : credit;  // `inject` arrives late in the cycle
        if (rst) begin
            pace_q <= {PACE_BITS{1'b0}};
            rest_q <= ADDED;
        end
    end

    assign tick = done & ~|behind & !hold;
    assign pace = pace_q;
    assign open = single ? |rest_q : has_turn;

endmodule

`default_nettype wire
