// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_operand: an operand of a sum that is not valid in every step.
//
// Latency: none. If the operand is not valid, the result is the identity of the operator, so the operator returns its
// other operand.

`default_nettype none

module hc_operand #(
    parameter integer WIDTH         = 8,  // bits of a word, 1 or more
    parameter         IDENTITY_SIGN = 0,  // highest bit of the identity of the operator, 0 or 1
    parameter         IDENTITY_BITS = 0   // value of each other bit of the identity, 0 or 1
) (
    input  wire             valid,   // the operand is valid
    input  wire [WIDTH-1:0] word,     // the word of the operand
    output wire [WIDTH-1:0] operand   // the word, or the identity
);

    generate
        if (IDENTITY_SIGN != 0 && IDENTITY_SIGN != 1) begin : illegal_identity_sign
            hc_operand_IDENTITY_SIGN_must_be_0_or_1 illegal ();
        end
        if (IDENTITY_BITS != 0 && IDENTITY_BITS != 1) begin : illegal_identity_bits
            hc_operand_IDENTITY_BITS_must_be_0_or_1 illegal ();
        end
    endgenerate

    localparam [WIDTH:0] IDENTITY = {IDENTITY_SIGN[0], {WIDTH{IDENTITY_BITS[0]}}};  // with a bit more at the end

    assign operand = valid ? word : IDENTITY[WIDTH:1];

endmodule

`default_nettype wire
