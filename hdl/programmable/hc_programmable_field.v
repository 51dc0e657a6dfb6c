// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_programmable_field: hc_destination_field for a dimension that is known only at run time.
//
// If the machine does not have the dimension, m and rho must be 0. The destination is then ignored,
// and the message does not travel in the dimension.
//
// Latency: none.

`default_nettype none

module hc_programmable_field #(
    parameter integer DIGIT_BITS = 4,  // bits of a digit, 1 to X_BITS + 1
    parameter integer X_BITS     = 3   // bits of x and of rho
) (
    input  wire [X_BITS:0]       m,
    input  wire [X_BITS-1:0]     rho,
    input  wire                  all,       // the destination is every node of the ring
    input  wire [DIGIT_BITS-1:0] digit,     // digit of the destination, ignored with all
    input  wire [DIGIT_BITS-1:0] own,       // digit of this node, below m
    output wire [X_BITS:0]       field,     // {flag, x}; meaningful if the digit is legal
    output wire                  legal,     // the destination is every node, or its digit is below m
    output wire                  elsewhere  // the message travels in this dimension
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
