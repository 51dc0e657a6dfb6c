// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chain_select: multiplexer with a one-hot select that settles long chained the words,
// in fewer LUTs of four inputs than hc_select.
//
// Four words take two LUTs in a chain: the first chooses among two words, 0 and 1; the
// second takes one of two more words, by what the first says then, or the first's result.
//
// Latency: none. Without a select the result is 0.

`default_nettype none

module hc_chain_select #(
    parameter integer WORDS = 4,  // number of words, 1 or more
    parameter integer WIDTH = 8   // bits of a word, 1 or more
) (
    input  wire [WORDS-1:0]       select,  // one-hot or 0
    input  wire [WORDS*WIDTH-1:0] words,   // word 0 lowest
    output reg  [WIDTH-1:0]       word
);

    localparam integer CHAINS = (WORDS + 3) / 4;

    wire [4*CHAINS-1:0]       selects = {{4 * CHAINS - WORDS{1'b0}}, select};
    wire [4*CHAINS*WIDTH-1:0] all     = {{(4 * CHAINS - WORDS) * WIDTH{1'b0}}, words};

    reg     [WIDTH-1:0] chained;
    reg     [3:0]       by;
    integer             c;
    always @* begin
        word = {WIDTH{1'b0}};
        for (c = 0; c < CHAINS; c = c + 1) begin
            by     = selects[4*c+:4];
            chained = by[1] | by[3] ? {WIDTH{by[0] | by[3]}} | all[(4*c+1)*WIDTH+:WIDTH]
                                   : {WIDTH{by[0]}} & all[4*c*WIDTH+:WIDTH];
            chained = by[2] | by[3] ? chained & all[(4*c+3)*WIDTH+:WIDTH] | ~chained & all[(4*c+2)*WIDTH+:WIDTH]
                                   : chained;
            word   = word | chained;
        end
    end

endmodule

`default_nettype wire
