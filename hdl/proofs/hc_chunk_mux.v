// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_chunk_mux, inserted before its endmodule: the chunk at place j is that of the word that was selected
// j cycles ago.

    localparam integer F_SKEW = (WIDTH - 1) / CHUNK;
    localparam integer F_BITS = $clog2(WORDS);
    reg  [7:0]                   f_age = 0;  // cycles in the past, at most F_SKEW
    reg  [F_SKEW*F_BITS:0]       f_selects_q;
    wire [(F_SKEW+1)*F_BITS:0]   f_selects = {f_selects_q, select};  // the latest is lowest
    reg  [F_BITS-1:0]            f_select;
    reg  [WIDTH-1:0]             f_word, f_known;
    integer                      f_i, f_place;
    always @(posedge clk) begin
        f_age       <= f_age + (f_age != F_SKEW);
        f_selects_q <= f_selects;
    end
    always @* begin
        f_word  = 0;
        f_known = 0;
        for (f_i = 0; f_i < WIDTH; f_i = f_i + 1) begin
            f_place      = TOP_FIRST != 0 ? F_SKEW - f_i / CHUNK : f_i / CHUNK;
            f_select     = f_selects[f_place*F_BITS+:F_BITS];
            f_known[f_i] = f_age >= f_place && f_select < WORDS;
            f_word[f_i]  = words[f_select*WIDTH+f_i];
        end
        assert (((word ^ f_word) & f_known) == 0);
        assert (f_age <= F_SKEW);
        cover (f_known == {WIDTH{1'b1}} && select == 0 && word != words[0+:WIDTH] && word != words[(WORDS-1)*WIDTH+:WIDTH]);
    end
