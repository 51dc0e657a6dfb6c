// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_word_register: the register of a link, or one in which a word waits.
//
// Latency: one cycle. It has no reset: the schedule says when its word is read.

`default_nettype none

module hc_word_register #(
    parameter integer WIDTH = 8  // bits of a word, 1 or more
) (
    input  wire             clk,
    input  wire             load,  // take the next word; otherwise the register keeps what it has
    input  wire [WIDTH-1:0] next,
    output reg  [WIDTH-1:0] word
);

    generate
        if (WIDTH < 1) begin : illegal_width
            hc_word_register_WIDTH_must_be_1_or_more illegal ();
        end
    endgenerate

    always @(posedge clk) if (load) word <= next;

endmodule

`default_nettype wire
