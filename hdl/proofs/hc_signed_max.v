// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_signed_max, inserted before its endmodule: the highest bit in which the words differ decides; if it is
// the sign, the word with a 1 is below the other.

    integer     f_i;
    reg [W-1:0] f_y;
    reg         f_c;
    always @* begin
        f_c = 1'b0;
        f_y = 0;
        for (f_i = 0; f_i < W; f_i = f_i + 1) if (a[f_i] != b[f_i]) f_c = f_i == W - 1 ? a[f_i] : b[f_i];  // a is below b
        f_y = f_c ? b : a;
        assert (y == f_y);
        cover (a[W-1] != b[W-1] && y == a);
    end
