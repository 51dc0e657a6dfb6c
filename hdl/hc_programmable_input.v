// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_programmable_input: hc_link_input for a port whose dimension is known only at run
// time. It behaves like it in every cycle.
//
// Backpressure: tready is raised in the cycle of the last copy.

`default_nettype none

module hc_programmable_input #(
    parameter integer DIMENSIONS = 4,  // most dimensions, 1 or more
    parameter integer WD_BITS    = 3,  // bits of the weight wd
    parameter integer WC_BITS    = 3   // bits of the weight wc
) (
    input  wire                clk,
    input  wire                rst,
    input  wire [WD_BITS-1:0]  dimension,  // of the port
    input  wire [WC_BITS-1:0]  largest,    // D of the dimension
    input  wire                s_axis_tvalid,
    output wire                s_axis_tready,
    input  wire [WD_BITS-1:0]  wd,
    input  wire [WC_BITS-1:0]  wc,
    output wire [WC_BITS-1:0]  next_wc,  // weight of the continuation
    output wire                accept,   // the header is well formed
    output wire [DIMENSIONS:0] ask,      // 0 delivery, i group of dimension i, last the continuation
    input  wire [DIMENSIONS:0] made,     // this copy is made in this cycle
    output reg                 header_error
);

    localparam [WC_BITS-1:0] ONE = {{WC_BITS - 1{1'b0}}, 1'b1};

    reg  [DIMENSIONS:0] made_q;  // copies made in earlier cycles
    wire [DIMENSIONS:0] wanted;

    reg  continues_q;  // the ring has ring ports; constant while the router runs, as is lower_q

    assign wanted[0]          = 1'b1;
    assign wanted[DIMENSIONS] = |(wc >> 1) && continues_q;
    always @(posedge clk) continues_q <= |(largest >> 1);

    genvar i;
    generate
        for (i = 1; i < DIMENSIONS; i = i + 1) begin : group
            reg lower_q;
            always @(posedge clk) lower_q <= dimension > i[WD_BITS-1:0];
            assign wanted[i] = lower_q;
        end
    endgenerate

    assign accept        = wd == dimension && next_wc < largest;  // which is not so if wc is 0
    assign next_wc       = wc - ONE;
    assign ask           = {DIMENSIONS + 1{s_axis_tvalid}} & wanted & ~made_q;
    assign s_axis_tready = s_axis_tvalid & (!accept | &(made_q | made | ~wanted));

    always @(posedge clk) begin
        made_q       <= (made_q | made) & {DIMENSIONS + 1{!s_axis_tready}};
        header_error <= s_axis_tvalid & !accept;
        if (rst) begin
            made_q       <= {DIMENSIONS + 1{1'b0}};
            header_error <= 1'b0;
        end
    end

endmodule

`default_nettype wire
