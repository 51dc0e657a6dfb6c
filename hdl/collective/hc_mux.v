// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_mux: multiplexer whose select is the number of a word.
//
// Latency: none.
//
// The words are selected in pairs. Two words take one LUT4 per bit, three take two, and four take three. An AND-OR
// with a one-hot select takes as many, but its select has more bits. The select comes from a register that stores
// the decoded step.

`default_nettype none

module hc_mux #(
    parameter integer WORDS = 2,  // number of words, 2 or more
    parameter integer WIDTH = 8   // bits of a word, 1 or more
) (
    input  wire [$clog2(WORDS)-1:0] select,  // number of the selected word, below WORDS
    input  wire [WORDS*WIDTH-1:0]   words,   // word 0 lowest
    output wire [WIDTH-1:0]         word     // the selected word
);

    generate
        if (WORDS < 2) begin : illegal_words
            hc_mux_WORDS_must_be_2_or_more illegal ();
        end
    endgenerate

    localparam integer BITS = $clog2(WORDS);

    reg     [WORDS*WIDTH-1:0] passed;  // in every level, the selected one of two words
    integer                   i, level;
    always @* begin
        passed = words;
        for (level = 0; level < BITS; level = level + 1)
            for (i = 0; i + (1 << level) < WORDS; i = i + (2 << level))
                if (select[level]) passed[i*WIDTH+:WIDTH] = passed[(i+(1<<level))*WIDTH+:WIDTH];
    end
    assign word = passed[0+:WIDTH];

endmodule

`default_nettype wire
