// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_chunk_skew, inserted before its endmodule: the chunk at place j is that of the word j cycles ago.

    localparam integer F_SKEW = (WIDTH - 1) / CHUNK;
    reg  [7:0]                  f_age = 0;  // cycles in the past, at most F_SKEW
    reg  [F_SKEW*WIDTH:0]       f_words_q;
    wire [(F_SKEW+1)*WIDTH:0]   f_words = {f_words_q, word};  // the latest is lowest
    reg  [WIDTH-1:0]            f_skewed, f_known;
    integer                     f_i, f_place;
    always @(posedge clk) begin
        f_age     <= f_age + (f_age != F_SKEW);
        f_words_q <= f_words;
    end
    always @* begin
        f_skewed = 0;
        f_known  = 0;
        for (f_i = 0; f_i < WIDTH; f_i = f_i + 1) begin
            f_place       = TOP_FIRST != 0 ? F_SKEW - f_i / CHUNK : f_i / CHUNK;
            f_known[f_i]  = f_age >= f_place;
            f_skewed[f_i] = f_words[f_place*WIDTH+f_i];
        end
        assert (((skewed ^ f_skewed) & f_known) == 0);
        assert (f_age <= F_SKEW);
        cover (f_age == F_SKEW && skewed != 0 && skewed != {WIDTH{1'b1}} && word == 0);
    end
