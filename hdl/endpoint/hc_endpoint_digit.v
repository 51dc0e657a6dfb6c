// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_endpoint_digit: one dimension of the destination in an address on the bus of an endpoint.
//
// Latency: none.

`default_nettype none

module hc_endpoint_digit #(
    parameter integer M          = 4,  // number of nodes of the ring, 2 or more
    parameter integer DIGIT_BITS = 2   // bits of a digit: ceil(log2 M)
) (
    input  wire                  all,    // the destination is every node of the ring; its digit is ignored
    input  wire [DIGIT_BITS-1:0] digit,  // digit of the destination
    input  wire [DIGIT_BITS-1:0] own,    // digit of this node, below M
    output wire [DIGIT_BITS:0]   field,  // of tdest
    output wire                  legal,  // the destination is every node, or its digit is below M
    output wire                  same    // the destination is the digit of this node
);

    localparam [DIGIT_BITS-1:0] NODES = M[DIGIT_BITS-1:0];  // 0 if M is 2 ** DIGIT_BITS

    generate
        if (M < 2) begin : illegal_m
            hc_endpoint_digit_M_must_be_2_or_more illegal ();
        end
        if (DIGIT_BITS != $clog2(M)) begin : illegal_digit_bits
            hc_endpoint_digit_DIGIT_BITS_must_be_those_of_M_minus_1 illegal ();
        end
        if (M == 1 << DIGIT_BITS) begin : any_digit
            assign legal = 1'b1;
        end else begin : bounded_digit
            assign legal = all | digit < NODES;
        end
    endgenerate

    assign field = {all, digit};
    assign same  = !all & digit == own;

endmodule

`default_nettype wire
