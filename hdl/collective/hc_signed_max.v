// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_signed_max: the operator "signed_max" of reductions: the larger of two words in two's complement.
//
// Latency: none. All operators have the same ports; only operators with registers use clk.

`default_nettype none

module hc_signed_max #(
    parameter integer W = 32  // bits of a word, 1 or more
) (
    input  wire         clk,
    input  wire [W-1:0] a,  // first operand
    input  wire [W-1:0] b,  // second operand
    output wire [W-1:0] y   // result
);

    wire unused = &{1'b0, clk};

    assign y = $signed(a) < $signed(b) ? b : a;

endmodule

`default_nettype wire
