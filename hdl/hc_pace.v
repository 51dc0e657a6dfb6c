// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_pace: a neighbour clock. It limits injection so that all nodes get equal shares.
//
// The pace counts ticks modulo 4. A tick adds REFILL messages to the credit, and an injection
// costs one. A router ticks when its credit is used up or its node offers nothing, unless a
// neighbour is behind or the clock is held. The ticks of neighbours therefore differ by at
// most one.
//
// Latency: an injection counts in the next cycle. pace is a register. An older link_pace can
// only delay ticks, so link_pace may arrive any number of cycles late. All routers must leave
// reset in the same cycle.

`default_nettype none

module hc_pace #(
    parameter integer LINKS  = 1,  // links, 1 or more
    parameter integer REFILL = 1,  // messages that a tick adds to the credit, 1 to CAP
    parameter integer CAP    = 2   // largest credit in messages, 1 or more
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [2*LINKS-1:0] link_pace,  // of the neighbour on each link
    input  wire               offered,    // the local input is valid
    input  wire               injected,   // it completes a handshake
    input  wire               held,       // the pace must not advance, see hc_ring_mark
    output wire [1:0]         pace,
    output wire               tick,       // the pace advances
    output wire               open        // the local input may ask
);

    generate
        if (LINKS < 1) begin : illegal_links
            hc_pace_LINKS_must_be_1_or_more illegal ();
        end else if (CAP < 1) begin : illegal_cap
            hc_pace_CAP_must_be_1_or_more illegal ();
        end else if (REFILL < 1 || REFILL > CAP) begin : illegal_refill
            hc_pace_REFILL_must_be_1_to_CAP illegal ();
        end
    endgenerate

    localparam integer    BITS   = $clog2(CAP + 1);
    localparam [BITS-1:0] MOST   = CAP[BITS-1:0];
    localparam [BITS-1:0] ADDED  = REFILL[BITS-1:0];
    localparam [BITS-1:0] UNUSED = MOST - ADDED;  // a tick loses no credit up to here

    reg  [1:0]       pace_q;
    reg  [BITS-1:0]  rest_q;  // credit, less what was injected in the cycle before
    wire             fits = rest_q <= UNUSED;
    wire             done = fits | !offered;
    wire [LINKS-1:0] behind;
    wire [BITS-1:0]  credit = !tick ? rest_q : fits ? rest_q + ADDED : MOST;  // in the next cycle

    genvar i;
    generate
        for (i = 0; i < LINKS; i = i + 1) begin : link
            assign behind[i] = link_pace[2*i+:2] == pace_q - 2'd1;
        end
    endgenerate

    always @(posedge clk) begin
        if (tick) pace_q <= pace_q + 2'd1;
        rest_q <= injected ? credit - 1'b1 : credit;
        if (rst) begin
            pace_q <= 2'd0;
            rest_q <= {{BITS - 1{1'b0}}, 1'b1};
        end
    end

    assign tick = done & ~|behind & !held;
    assign pace = pace_q;
    assign open = |rest_q;

endmodule

`default_nettype wire
