// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_destination_field: computes the field of one dimension in the header of a message, from the
// digit of the destination and the digit of the node.
//
// A field {flag, x} is the direction and distance that the message travels in the dimension, see
// docs/addressed-messages.md, "Links". A message takes the shorter way round the ring. If both ways
// are equally long, it goes clockwise from even digits, and from every digit if one port serves
// both directions.
//
// Latency: none.

`default_nettype none

module hc_destination_field #(
    parameter integer M          = 4,  // number of nodes of the ring, 2 or more
    parameter integer RHO        = 1,  // largest distance of a link of the ring, 1 to floor(M / 2)
    parameter integer DIGIT_BITS = 2,  // bits of a digit: ceil(log2 M)
    parameter integer X_BITS     = 2   // bits of x: the number that floor(M / 2) needs
) (
    input  wire                  all,       // the destination is every node of the ring
    input  wire [DIGIT_BITS-1:0] digit,     // digit of the destination, ignored with all
    input  wire [DIGIT_BITS-1:0] own,       // digit of this node, below M
    output wire [X_BITS:0]       field,     // {flag, x}; meaningful if the digit is legal
    output wire                  legal,     // the destination is every node, or its digit is below M
    output wire                  elsewhere  // the message travels in this dimension
);

    localparam integer             HALF_NODES = M / 2;
    localparam [DIGIT_BITS-1:0]    HALF       = HALF_NODES[DIGIT_BITS-1:0];
    localparam [DIGIT_BITS-1:0]    NODES      = M[DIGIT_BITS-1:0];  // 0 if M is 2 ** DIGIT_BITS
    wire [DIGIT_BITS-1:0]          ahead = digit - own + (digit < own ? NODES : {DIGIT_BITS{1'b0}});  // clockwise
    wire [DIGIT_BITS-1:0]          back  = NODES - ahead;
    wire                           half  = M % 2 == 0 && ahead == HALF;
    wire                           far;  // clockwise is the longer way
    wire                           counterclockwise = far | (half & own[0] & (2 * RHO != M));
    wire [DIGIT_BITS-1:0]          x     = far ? back : ahead;

    generate
        if (M == 2) begin : one_other
            assign far = 1'b0;
        end else begin : others
            assign far = ahead > HALF;
        end
        if (M == 1 << DIGIT_BITS) begin : any_digit
            assign legal = 1'b1;
        end else begin : bounded_digit
            assign legal = all | digit < NODES;
        end
        if (X_BITS < DIGIT_BITS) begin : shorter
            wire unused = &{1'b0, x[DIGIT_BITS-1:X_BITS]};
        end
    endgenerate

    assign elsewhere = all | digit != own;
    assign field     = all ? {1'b1, {X_BITS{1'b0}}} : {counterclockwise, x[X_BITS-1:0]};

endmodule

`default_nettype wire
