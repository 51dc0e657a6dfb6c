// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_mux, inserted before its endmodule: the result is the selected word.

    (* anyconst *) reg [$clog2(WORDS)-1:0] f_one;
    always @* begin
        assume (f_one < WORDS);
        if (select == f_one) assert (word == words[f_one*WIDTH+:WIDTH]);
        cover (select == f_one && f_one == WORDS - 1 && word != words[0+:WIDTH]);
    end
