// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_select, inserted before its endmodule: the result is the selected word.

    (* anyconst *) reg [$clog2(WORDS):0] f_number;
    always @* begin
        assume (f_number < WORDS);
        if (select == 1 << f_number) assert (word == words[f_number*WORD_BITS+:WORD_BITS]);
        cover (select == 1 << f_number && f_number == WORDS - 1 && word != words[0+:WORD_BITS]);
    end
