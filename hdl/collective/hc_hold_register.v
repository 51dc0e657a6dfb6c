// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_hold_register: a register with a bypass, which holds a requested word until the end of its step.
//
// A step that combines words by an operator with a latency takes several cycles, but the word is an input only in
// the first of them.
//
// Latency: none.

`default_nettype none

module hc_hold_register #(
    parameter integer WIDTH = 8  // bits of a word, 1 or more
) (
    input  wire             clk,
    input  wire             load,  // pass the next word, and store it
    input  wire [WIDTH-1:0] next,  // the word to store
    output wire [WIDTH-1:0] word   // the next word while load is high; otherwise the stored word
);

    reg [WIDTH-1:0] word_q;

    assign word = load ? next : word_q;

    always @(posedge clk) if (load) word_q <= next;

endmodule

`default_nettype wire
