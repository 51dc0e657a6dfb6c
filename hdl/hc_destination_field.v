// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_destination_field: the field of one dimension, from the digit of the destination and
// that of the node.
//
// A message takes the shorter way round. If both are equally long, half of the ring, it goes
// clockwise from even digits, and from every digit if one port serves both directions.
//
// Latency: none.

`default_nettype none

module hc_destination_field #(
    parameter integer M      = 4,  // nodes of the ring, 2 or more
    parameter integer RHO    = 1,  // of the ring
    parameter integer BITS   = 2,  // of a digit: ceil(log2 M)
    parameter integer X_BITS = 2   // bits of x: those of floor(M / 2)
) (
    input  wire            all,       // every node of the ring
    input  wire [BITS-1:0] digit,     // of the destination, ignored with all
    input  wire [BITS-1:0] own,       // of this node, below M
    output wire [X_BITS:0] field,     // {flag, x}, of a legal digit
    output wire            legal,     // all, or a digit below M
    output wire            elsewhere  // the field is not `stay`
);

    localparam integer       HALF_NODES = M / 2;
    localparam [BITS-1:0]    HALF       = HALF_NODES[BITS-1:0];
    localparam [BITS-1:0]    NODES      = M[BITS-1:0];  // 0 if M is 2 ** BITS
    wire [BITS-1:0]          ahead = digit - own + (digit < own ? NODES : {BITS{1'b0}});  // clockwise
    wire [BITS-1:0]          back  = NODES - ahead;
    wire                     half  = M % 2 == 0 && ahead == HALF;
    wire                     far;  // clockwise is the longer way
    wire                     counterclockwise = far | (half & own[0] & (2 * RHO != M));
    wire [BITS-1:0]          x     = far ? back : ahead;

    generate
        if (M == 2) begin : one_other
            assign far = 1'b0;
        end else begin : others
            assign far = ahead > HALF;
        end
        if (M == 1 << BITS) begin : any_digit
            assign legal = 1'b1;
        end else begin : bounded_digit
            assign legal = all | digit < NODES;
        end
        if (X_BITS < BITS) begin : shorter
            wire unused = &{1'b0, x[BITS-1:X_BITS]};
        end
    endgenerate

    assign elsewhere = all | digit != own;
    assign field     = all ? {1'b1, {X_BITS{1'b0}}} : {counterclockwise, x[X_BITS-1:0]};

endmodule

`default_nettype wire
