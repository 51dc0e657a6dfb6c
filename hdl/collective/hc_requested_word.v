// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_requested_word: keeps a word that a lane has requested until the end of its step.
//
// A step that combines words by an operator with a latency takes several cycles, but the word is an input only in
// the first of them.
//
// Latency: none.

`default_nettype none

module hc_requested_word #(
    parameter integer WIDTH = 8  // bits of a word, 1 or more
) (
    input  wire             clk,
    input  wire             first,   // this is the first cycle of a step
    input  wire [WIDTH-1:0] s_data,  // the requested word, in the first cycle
    output wire [WIDTH-1:0] word     // the requested word, in all cycles of the step
);

    reg [WIDTH-1:0] kept_q;

    assign word = first ? s_data : kept_q;

    always @(posedge clk) if (first) kept_q <= s_data;

endmodule

`default_nettype wire
