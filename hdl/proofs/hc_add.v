// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_add, inserted before its endmodule: the sum is the definition, bit by bit.

    integer     f_i;
    reg [W-1:0] f_y;
    reg         f_c;
    always @* begin
        f_c = 1'b0;
        f_y = 0;
        for (f_i = 0; f_i < W; f_i = f_i + 1) begin  // a carry that ripples
            f_y[f_i] = a[f_i] ^ b[f_i] ^ f_c;
            f_c      = (a[f_i] && b[f_i]) || (f_c && (a[f_i] || b[f_i]));
        end
        assert (y == f_y);
        cover (y != a && y != b);
    end
