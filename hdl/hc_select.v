// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_select: multiplexer with a one-hot select.
//
// Latency: none. Without a select the result is 0.

`default_nettype none

module hc_select #(
    parameter integer WORDS = 2,  // number of words, 1 or more
    parameter integer WIDTH = 8   // bits of a word, 1 or more
) (
    input  wire [WORDS-1:0]       select,  // one-hot or 0
    input  wire [WORDS*WIDTH-1:0] words,   // word 0 lowest
    output wire [WIDTH-1:0]       word
);

`ifndef __ICARUS__
    generate
        if (WORDS < 1) begin : illegal_words
            $error("hc_select: WORDS must be 1 or more");
        end
    endgenerate
`endif

    generate
        if (WORDS == 1) begin : only_one
            wire unused = &{1'b0, select};
            assign word = words;
        end else begin : and_or
            // In pairs: two words and their selects fill a LUT of four inputs.
            reg     [WIDTH-1:0] merged;
            reg     [WIDTH-1:0] pair;
            integer             i;
            always @* begin
                merged = {WIDTH{1'b0}};
                for (i = 0; i < WORDS; i = i + 2) begin
                    pair = {WIDTH{select[i]}} & words[i*WIDTH+:WIDTH];
                    if (i + 1 < WORDS)
                        pair = pair | ({WIDTH{select[i+1]}} & words[(i+1)*WIDTH+:WIDTH]);
                    merged = merged | pair;
                end
            end
            assign word = merged;
        end
    endgenerate

endmodule

`default_nettype wire
