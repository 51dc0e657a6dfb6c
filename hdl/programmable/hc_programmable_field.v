// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_programmable_field: hc_destination_field for a dimension that is known only at run time.
//
// If the machine does not have the dimension, m and rho are 0: the destination is ignored, and the
// field is `stay`.
//
// Latency: none.

`default_nettype none

module hc_programmable_field #(
    parameter integer DIGIT_BITS = 4,  // bits of a digit, 1 to X_BITS + 1
    parameter integer X_BITS     = 3   // bits of x and rho
) (
    input  wire [X_BITS:0]       m,
    input  wire [X_BITS-1:0]     rho,
    input  wire                  all,       // every node of the ring
    input  wire [DIGIT_BITS-1:0] digit,     // of the destination, ignored with all
    input  wire [DIGIT_BITS-1:0] own,       // of this node, below m
    output wire [X_BITS:0]       field,     // {flag, x}, of a legal digit
    output wire                  legal,     // all, or a digit below m
    output wire                  elsewhere  // the field is not `stay`
);

    localparam integer EXTRA = X_BITS + 1 - DIGIT_BITS;

    wire            there = |m;
    wire [X_BITS:0] to    = {{EXTRA{1'b0}}, digit};
    wire [X_BITS:0] from  = {{EXTRA{1'b0}}, own};
    wire [X_BITS:0] ahead = to - from + (to < from ? m : {X_BITS + 1{1'b0}});  // clockwise
    wire [X_BITS:0] back  = m - ahead;
    wire            half  = ahead == back;
    wire            far   = ahead > back;  // clockwise is the longer way
    wire            counterclockwise = far | (half & own[0] & m != {rho, 1'b0});
    wire [X_BITS:0] x     = far ? back : ahead;
    wire            unused = &{1'b0, x[X_BITS]};

    assign legal     = !there | all | to < m;
    assign elsewhere = there & (all | digit != own);
    assign field     = {counterclockwise | all, x[X_BITS-1:0] & {X_BITS{!all}}} & {X_BITS + 1{there}};

endmodule

`default_nettype wire
