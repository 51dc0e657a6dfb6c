// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_link_input: receives the messages of one link and has them copied to their
// targets: delivery, the groups of all lower dimensions and, if it still has
// steps to go in its dimension, its continuation.
//
// Each copy is made whenever its target has room; a bit per target remembers
// it. Backpressure: tready is raised in the cycle of the last copy.
// A malformed header (wd not DIMENSION, wc = 0 or above LARGEST) is dropped in
// the cycle it arrives: it asks like any other but nothing of it is copied,
// because `accept` is low. header_error is high in the cycle after.

`default_nettype none

module hc_link_input #(
    parameter integer               WD_BITS   = 1,  // bits of the weight wd
    parameter integer               WC_BITS   = 1,  // bits of the weight wc
    parameter         [WD_BITS-1:0] DIMENSION = 1,  // dimension of the link, 1 or more
    parameter         [WC_BITS-1:0] LARGEST   = 1,  // largest legal wc: D of the dimension
    parameter integer               CONTINUES = 0,  // 1 if D >= 2, else 0
    parameter integer               TARGETS   = 1   // 1 + number of lower dimensions + CONTINUES
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               s_axis_tvalid,
    output wire               s_axis_tready,
    input  wire [WD_BITS-1:0] wd,
    input  wire [WC_BITS-1:0] wc,
    output wire [WC_BITS-1:0] next_wc,  // weight of the continuation
    output wire               accept,   // the header is well formed
    output wire [TARGETS-1:0] ask,      // 0 delivery, i group of dimension i, last the continuation
    input  wire [TARGETS-1:0] made,     // this copy is made in this cycle
    output reg                header_error
);

`ifndef __ICARUS__
    generate
        if (LARGEST == {WC_BITS{1'b0}}) begin : illegal_largest
            $error("hc_link_input: LARGEST must be 1 or more");
        end
        if (TARGETS != {{32 - WD_BITS{1'b0}}, DIMENSION} + CONTINUES) begin : illegal_targets
            $error("hc_link_input: TARGETS must be DIMENSION + CONTINUES");
        end
    endgenerate
`endif

    reg  [TARGETS-1:0] made_q;  // copies made in earlier cycles
    wire [TARGETS-1:0] wanted;

    generate
        if (CONTINUES != 0) begin : continues
            assign wanted = {wc > {{WC_BITS - 1{1'b0}}, 1'b1}, {TARGETS - 1{1'b1}}};
        end else begin : stops
            assign wanted = {TARGETS{1'b1}};
        end
        if (&LARGEST) begin : any_weight
            assign accept = wd == DIMENSION && wc != {WC_BITS{1'b0}};
        end else begin : bounded_weight
            assign accept = wd == DIMENSION && wc != {WC_BITS{1'b0}} && wc <= LARGEST;
        end
    endgenerate

    assign next_wc       = wc - 1'b1;
    assign ask           = {TARGETS{s_axis_tvalid}} & wanted & ~made_q;
    assign s_axis_tready = s_axis_tvalid & (!accept | &(made_q | made | ~wanted));

    always @(posedge clk) begin
        // Written with AND, not as a reset, which would be a slow control signal. A lone
        // copy is never made before the message is taken.
        made_q       <= (made_q | made) & {TARGETS{!s_axis_tready && TARGETS > 1}};
        header_error <= s_axis_tvalid & !accept;
        if (rst) begin
            made_q       <= {TARGETS{1'b0}};
            header_error <= 1'b0;
        end
    end

endmodule

`default_nettype wire
