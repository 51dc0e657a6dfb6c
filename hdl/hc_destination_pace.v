// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_destination_pace: the neighbour clock of a router whose messages have destinations.
//
// The credit is counted in eighths of a turn: a message to a single node costs one, every other
// message a turn. A tick adds a turn, up to two. A router is done with its tick when it has used
// an eighth of the largest credit, or has nothing to send; it then ticks unless a neighbour is
// behind or the clock is held. With broadcasts alone it behaves like hc_pace.
//
// Latency: an injection counts in the next cycle. pace is a register. An older link_pace can
// only hold ticks back. All routers leave reset together.

`default_nettype none

module hc_destination_pace #(
    parameter integer LINKS = 1  // links, 1 or more
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [2*LINKS-1:0] link_pace,  // of the neighbour on each link
    input  wire               offered,    // the local input has a message with a legal destination
    input  wire               single,     // it is for one node
    input  wire               injected,   // it completes a handshake
    input  wire               held,       // the pace must not advance, see hc_ring_mark
    output wire [1:0]         pace,
    output wire               tick,       // the pace advances
    output wire               open        // the local input may ask
);

    generate
        if (LINKS < 1) begin : illegal_links
            hc_destination_pace_LINKS_must_be_1_or_more illegal ();
        end
    endgenerate

    reg  [1:0]       pace_q;
    reg  [4:0]       rest_q;  // credit in eighths, less what was injected in the cycle before: 0 to 16
    wire             turn = rest_q[4] | rest_q[3];  // at least one turn is left
    wire             used = !rest_q[4];  // at most 15
    wire             done = used | !offered;
    wire [LINKS-1:0] behind;
    wire [4:0]       credit = !tick ? rest_q : turn ? 5'd16 : {2'b01, rest_q[2:0]};  // in the next cycle
    wire [4:0]       paid = credit - (single ? 5'd1 : 5'd8);

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
            rest_q <= 5'd8;
        end
    end

    assign tick = done & ~|behind & !held;
    assign pace = pace_q;
    assign open = single ? |rest_q : turn;

endmodule

`default_nettype wire
