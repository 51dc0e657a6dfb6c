// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_xor, inserted before its endmodule: the result is the definition, bit by bit.

    integer     f_i;
    reg [W-1:0] f_y;
    always @* begin
        f_y = 0;
        for (f_i = 0; f_i < W; f_i = f_i + 1) f_y[f_i] = a[f_i] != b[f_i];
        assert (y == f_y);
        cover (y != a && y != b);
    end
