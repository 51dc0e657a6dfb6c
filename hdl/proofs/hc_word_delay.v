// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_word_delay, inserted before its endmodule: each word is shown CYCLES cycles later.

    // One word stands for all: that of any cycle in which none is followed.
    (* anyseq *) wire f_begin;
    reg  [7:0]       f_age = 0;  // cycles since the word, 0 if none is followed
    reg  [WIDTH-1:0] f_word;
    always @(posedge clk) begin
        f_age <= f_age == 0 || f_age == CYCLES ? f_begin : f_age + 1;
        if (f_age == 0 || f_age == CYCLES) f_word <= word;
    end
    always @* begin
        assert (f_age <= CYCLES);
        if (f_age != 0) assert (words_q[(f_age-1)*WIDTH+:WIDTH] == f_word);
        if (f_age == CYCLES) assert (late == f_word);
        cover (f_age == CYCLES && late != 0 && late != word);
    end
