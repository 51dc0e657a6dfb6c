// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_min, inserted before its endmodule: the highest bit in which the words differ decides.

    integer     f_i;
    reg [W-1:0] f_y;
    reg         f_c;
    always @* begin
        f_c = 1'b0;
        f_y = 0;
        for (f_i = 0; f_i < W; f_i = f_i + 1) if (a[f_i] != b[f_i]) f_c = b[f_i];  // the highest bit decides: a is below b
        f_y = f_c ? a : b;
        assert (y == f_y);
        cover (a != b && y == a);
    end
