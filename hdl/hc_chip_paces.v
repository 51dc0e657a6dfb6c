// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chip_paces: what the ends of a cable tell each other of each link: paces and freed places.
//
// Frames carry these of one link, links in turn. What arrives is kept.
//
// Latency: what is sent is that of the cycle with take. What arrives is there in the next cycle.

`default_nettype none

module hc_chip_paces #(
    parameter integer LINKS       = 1,  // links of the cable, 1 or more
    parameter integer LINK_NUMBER = 1,  // bits of the number of a link, 1 or more
    parameter integer PACE_BITS   = 2,  // bits of a pace, 1 or more
    parameter integer BARRIER     = 0,  // 1: links have barrier paces
    parameter integer FREED_BITS  = 2   // bits of the count of freed places, 1 or more
) (
    input  wire                                           clk,
    input  wire                                           rst,
    input  wire [LINKS*FREED_BITS-1:0]                    freed,
    input  wire [LINKS*PACE_BITS-1:0]                     pace,
    input  wire [LINKS*2-1:0]                             barrier_pace,
    input  wire                                           take,              // a data frame begins, with
    output wire [LINK_NUMBER-1:0]                         turn,              // this link
    output wire [FREED_BITS+PACE_BITS+2*BARRIER-1:0]      fields,            // its {barrier_pace, pace, freed}
    input  wire                                           heard,             // a data frame has arrived, with
    input  wire [LINK_NUMBER-1:0]                         far_turn,          // this link
    input  wire [PACE_BITS+2*BARRIER-1:0]                 far_fields,        // its {barrier_pace, pace}
    output wire [LINKS*PACE_BITS-1:0]                     link_pace,
    output wire [LINKS*2-1:0]                             link_barrier_pace
);

    generate
        if (LINKS < 1 || LINKS > 1 << LINK_NUMBER) begin : illegal_links
            hc_chip_paces_LINKS_must_be_1_to_2_to_the_LINK_NUMBER illegal ();
        end else if (BARRIER != 0 && BARRIER != 1) begin : illegal_barrier
            hc_chip_paces_BARRIER_must_be_0_or_1 illegal ();
        end
    endgenerate

    localparam integer           PACES_BITS = PACE_BITS + 2 * BARRIER;
    localparam integer           STATE_BITS = FREED_BITS + PACES_BITS;
    localparam integer           MOST       = LINKS - 1;
    localparam [LINK_NUMBER-1:0] LAST       = MOST[LINK_NUMBER-1:0];

    reg  [LINK_NUMBER-1:0]      turn_q;
    wire [LINKS-1:0]            select;
    wire [LINKS*STATE_BITS-1:0] states;

    always @(posedge clk) begin
        if (take) turn_q <= turn_q == LAST ? {LINK_NUMBER{1'b0}} : turn_q + 1'b1;
        if (rst) turn_q <= {LINK_NUMBER{1'b0}};
    end

    genvar i;
    generate
        for (i = 0; i < LINKS; i = i + 1) begin : link
            localparam [LINK_NUMBER-1:0] LINK = i;

            reg [PACES_BITS-1:0] far_q;

            always @(posedge clk) begin
                if (heard & far_turn == LINK) far_q <= far_fields;
                if (rst) far_q <= {PACES_BITS{1'b0}};
            end

            if (BARRIER != 0) begin : barrier
                assign states[i*STATE_BITS+:STATE_BITS] =
                    {barrier_pace[i*2+:2], pace[i*PACE_BITS+:PACE_BITS], freed[i*FREED_BITS+:FREED_BITS]};
                assign link_barrier_pace[i*2+:2] = far_q[PACE_BITS+:2];
            end else begin : no_barrier
                wire unused = &{1'b0, barrier_pace[i*2+:2]};
                assign states[i*STATE_BITS+:STATE_BITS] = {pace[i*PACE_BITS+:PACE_BITS], freed[i*FREED_BITS+:FREED_BITS]};
                assign link_barrier_pace[i*2+:2]        = 2'd0;
            end

            assign select[i]                         = turn_q == LINK;
            assign link_pace[i*PACE_BITS+:PACE_BITS] = far_q[PACE_BITS-1:0];
        end
    endgenerate

    hc_select #(
        .WORDS    (LINKS),
        .WORD_BITS(STATE_BITS)
    ) mux (
        .select(select),
        .words (states),
        .word  (fields)
    );

    assign turn = turn_q;

endmodule

`default_nettype wire
