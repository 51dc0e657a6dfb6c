// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_destination_pace: the neighbour clock of a router whose messages have destinations.
//
// The credit is counted in sixteenths of a turn: a message to a single node costs one, every
// other message a turn. A tick adds a turn, up to two. A router is done with its tick when it has
// used its credit, has injected since the last tick, or has nothing to send; it ticks
// then unless a neighbour is behind or the clock is held. With broadcasts alone it does what
// hc_pace does.
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

`ifndef __ICARUS__
    generate
        if (LINKS < 1) begin : illegal_links
            $error("hc_destination_pace: LINKS must be 1 or more");
        end
    endgenerate
`endif

    reg  [1:0]       pace_q;
    reg  [5:0]       rest_q;    // credit in sixteenths, less what was injected in the cycle before: 0 to 32
    reg              served_q;  // a message was injected since the last tick
    wire             turn = rest_q[5] | rest_q[4];  // at least one turn is left
    wire             used = !rest_q[5] & !(rest_q[4] & |rest_q[3:0]);  // at most one
    wire             done = used | served_q | !offered;
    wire [LINKS-1:0] behind;
    wire [5:0]       credit = !tick ? rest_q : turn ? 6'd32 : {2'b01, rest_q[3:0]};  // in the next cycle
    wire [5:0]       paid = credit - (single ? 6'd1 : 6'd16);

    genvar i;
    generate
        for (i = 0; i < LINKS; i = i + 1) begin : link
            assign behind[i] = link_pace[2*i+:2] == pace_q - 2'd1;
        end
    endgenerate

    always @(posedge clk) begin
        if (tick) pace_q <= pace_q + 2'd1;
        rest_q   <= injected ? paid : credit;  // injected comes late
        served_q <= injected | (served_q & !tick);
        if (rst) begin
            pace_q   <= 2'd0;
            rest_q   <= 6'd16;
            served_q <= 1'b0;
        end
    end

    assign tick = done & ~|behind & !held;
    assign pace = pace_q;
    assign open = single ? |rest_q : turn;

endmodule

`default_nettype wire
