// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_chunk_straighten, inserted before its endmodule: the chunk at place j is that of C - 1 - j cycles ago,
// in a word of C chunks.

    localparam integer F_SKEW = (WIDTH - 1) / CHUNK;
    reg  [7:0]                  f_age = 0;  // cycles in the past, at most F_SKEW
    reg  [F_SKEW*WIDTH:0]       f_words_q;
    wire [(F_SKEW+1)*WIDTH:0]   f_words = {f_words_q, skewed};  // the latest is lowest
    reg  [WIDTH-1:0]            f_word, f_known;
    integer                     f_i, f_ago;
    always @(posedge clk) begin
        f_age     <= f_age + (f_age != F_SKEW);
        f_words_q <= f_words;
    end
    always @* begin
        f_word  = 0;
        f_known = 0;
        for (f_i = 0; f_i < WIDTH; f_i = f_i + 1) begin
            f_ago        = TOP_FIRST != 0 ? f_i / CHUNK : F_SKEW - f_i / CHUNK;
            f_known[f_i] = f_age >= f_ago;
            f_word[f_i]  = f_words[f_ago*WIDTH+f_i];
        end
        assert (((word ^ f_word) & f_known) == 0);
        assert (f_age <= F_SKEW);
        cover (f_age == F_SKEW && word != 0 && word != {WIDTH{1'b1}} && skewed == 0);
    end
