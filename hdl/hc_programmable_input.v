// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_programmable_input: hc_link_input for a port whose dimension is known only at run
// time. It behaves like it in every cycle.
//
// What the link asks for is told by one LUT, because the longest paths begin there: so it keeps
// which copies are left, not which are made.
//
// Backpressure: tready is raised in the cycle of the last copy.

`default_nettype none

module hc_programmable_input #(
    parameter integer DIMENSIONS = 4,  // most dimensions, 1 or more
    parameter integer WD_BITS    = 3,  // bits of the weight wd
    parameter integer WC_BITS    = 3   // bits of the weight wc
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  will_run,   // the router runs in the next cycle
    input  wire [WD_BITS-1:0]    dimension,  // of the port; 0 if the machine does not have it
    input  wire [WC_BITS-1:0]    largest,    // D of the dimension
    input  wire                  farthest,   // the port has distance rho
    input  wire                  s_axis_tvalid,
    output wire                  s_axis_tready,
    input  wire [WD_BITS-1:0]    wd,
    input  wire [WC_BITS-1:0]    wc,
    output wire [WC_BITS-1:0]    next_wc,  // weight of the continuation
    output wire                  accept,   // the header is well formed
    output wire [DIMENSIONS+1:0] ask,      // 0 delivery, i group i, then the transfer, then what continues
    input  wire [DIMENSIONS+1:0] made,     // this copy is made in this cycle
    output reg                   header_error
);

    reg                   there_q;   // the machine has the port, and the router runs
    reg  [DIMENSIONS+1:0] copies_q;  // of a message that goes on; constant while the router runs
    reg  [DIMENSIONS+1:0] left_q;    // those not made in earlier cycles

    // While the router does not run, what asks here asks nobody.
    wire                  goes_on = |(wc >> 1);
    wire [DIMENSIONS+1:0] wanted  = {{2{goes_on}}, {DIMENSIONS{1'b1}}};
    wire                  gone;

    assign accept        = wd == dimension && |wc && fits;
    assign ask           = {DIMENSIONS + 2{s_axis_tvalid}} & wanted & left_q;
    assign gone          = s_axis_tvalid & (!accept | ~|(wanted & left_q & ~made));
    assign s_axis_tready = there_q & gone;

    // Bit by bit: as a comparison and a subtraction these would be carry chains, which are slower than
    // a few LUTs, and larger.
    reg     fits;  // wc is at most D
    integer b;
    always @* begin
        fits = 1'b1;
        for (b = 0; b < WC_BITS; b = b + 1) if (wc[b] != largest[b]) fits = largest[b];
    end
    assign next_wc[0] = !wc[0];
    genvar n;
    generate
        for (n = 1; n < WC_BITS; n = n + 1) begin : less
            assign next_wc[n] = wc[n] ^ ~|wc[n-1:0];
        end
    endgenerate

    integer i;
    always @(posedge clk) begin
        there_q     <= |dimension & will_run;
        copies_q[0] <= |dimension;
        for (i = 1; i < DIMENSIONS; i = i + 1) copies_q[i] <= dimension > i[WD_BITS-1:0];
        copies_q[DIMENSIONS]   <= |(largest >> 1) & !farthest;
        copies_q[DIMENSIONS+1] <= |(largest >> 1) & farthest;

        left_q       <= !there_q | gone ? copies_q : left_q & ~made;
        header_error <= s_axis_tvalid & there_q & !accept;
        if (rst) header_error <= 1'b0;
    end

endmodule

`default_nettype wire
