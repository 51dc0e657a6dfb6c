// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_select: multiplexer with a one-hot select.
//
// Latency: none. If select is 0, the result is word 0.
//
// The select is encoded, and words are selected in pairs. Four words then take two LUT4 per bit; an
// AND-OR would take three. The router of a ring with rho = 4 and 32 bits of payload has 888 LUT4
// instead of 953.

`default_nettype none

module hc_select #(
    parameter integer WORDS     = 2,  // number of words, 1 or more
    parameter integer WORD_BITS = 8   // bits of a word, 1 or more
) (
    input  wire [WORDS-1:0]           select,  // one-hot or 0
    input  wire [WORDS*WORD_BITS-1:0] words,   // word 0 lowest
    output wire [WORD_BITS-1:0]       word
);

    generate
        if (WORDS < 1) begin : illegal_words
            hc_select_WORDS_must_be_1_or_more illegal ();
        end
    endgenerate

    generate
        if (WORDS == 1) begin : only_one
            wire unused = &{1'b0, select};
            assign word = words;
        end else begin : several
            localparam integer BITS = $clog2(WORDS);

            reg     [BITS-1:0]            number;       // number of the selected word
            reg     [WORDS*WORD_BITS-1:0] merged;  // the words left at each level, one of every two
            integer                   i, level;
            always @* begin
                number      = {BITS{1'b0}};
                for (i = 1; i < WORDS; i = i + 1)
                    if (select[i]) number = number | i[BITS-1:0];
                merged = words;
                for (level = 0; level < BITS; level = level + 1)
                    for (i = 0; i + (1 << level) < WORDS; i = i + (2 << level))
                        if (number[level]) merged[i*WORD_BITS+:WORD_BITS] = merged[(i+(1<<level))*WORD_BITS+:WORD_BITS];
            end
            assign word = merged[0+:WORD_BITS];
        end
    endgenerate

endmodule

`default_nettype wire
