// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_operand: an operand of a sum that is not valid in every step.
//
// Latency: none. If the operand is not valid, the result is the identity of the operator, so the operator returns its
// other operand.

`default_nettype none

module hc_operand #(
    parameter integer WIDTH    = 8,  // bits of a word, 1 or more
    parameter         IDENTITY = 0   // value of each bit of the identity of the operator, 0 or 1
) (
    input  wire             valid,   // the operand is valid
    input  wire [WIDTH-1:0] word,     // the word of the operand
    output wire [WIDTH-1:0] operand   // the word, or the identity
);

    generate
        if (IDENTITY != 0 && IDENTITY != 1) begin : illegal_identity
            hc_operand_IDENTITY_must_be_0_or_1 illegal ();
        end
        if (IDENTITY == 0) begin : zeros
            assign operand = word & {WIDTH{valid}};
        end else begin : ones
            assign operand = word | {WIDTH{!valid}};
        end
    endgenerate

endmodule

`default_nettype wire
