// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_wc_step, inserted before its endmodule: the results are those of a comparison and
// a subtraction.

    always @* assert (fits == (wc <= largest));
    always @* assert (next_wc == wc - 1'b1);
    always @* begin
        cover (fits && wc == largest && &wc);
        cover (!fits && next_wc == largest);
    end
