// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_word_delay: registers in series, through which words of several operations pass one behind another.
//
// Latency: CYCLES cycles. The registers have no reset, because the schedule defines in which cycles their words are
// used, and so a tool may put them into shift registers made of LUTs.

`default_nettype none

module hc_word_delay #(
    parameter integer WIDTH  = 8,  // bits of a word, 1 or more
    parameter integer CYCLES = 1   // registers in series, 1 or more
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] word,
    output wire [WIDTH-1:0] late  // word, CYCLES cycles ago
);

    generate
        if (CYCLES < 1) begin : illegal_cycles
            hc_word_delay_CYCLES_must_be_1_or_more illegal ();
        end
    endgenerate

    reg  [CYCLES*WIDTH-1:0]     words_q;  // the latest word is lowest
    wire [(CYCLES+1)*WIDTH-1:0] words = {words_q, word};

    always @(posedge clk) words_q <= words[CYCLES*WIDTH-1:0];

    assign late = words[CYCLES*WIDTH+:WIDTH];

endmodule

`default_nettype wire
