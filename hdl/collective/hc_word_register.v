// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_word_register: the register of a link, or a register in which a word waits.
//
// Latency: one cycle. The register has no reset, because the schedule defines in which cycles its word is used.

`default_nettype none

module hc_word_register #(
    parameter integer WIDTH = 8  // bits of a word, 1 or more
) (
    input  wire             clk,
    input  wire             load,  // store the next word; otherwise the register keeps its word
    input  wire [WIDTH-1:0] next,  // the word to store
    output reg  [WIDTH-1:0] word   // the stored word
);

    generate
        if (WIDTH < 1) begin : illegal_width
            hc_word_register_WIDTH_must_be_1_or_more illegal ();
        end
    endgenerate

    always @(posedge clk) if (load) word <= next;

endmodule

`default_nettype wire
