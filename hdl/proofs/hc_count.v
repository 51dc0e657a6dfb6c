// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_count, to stand before its endmodule: the count is how often the lowest
// one can be taken away before none is left.

    reg [BITS-1:0] f_rest;
    reg [31:0]     f_ones;
    integer        f_i;
    always @* begin
        f_rest = bits;
        f_ones = 0;
        for (f_i = 0; f_i < BITS; f_i = f_i + 1)
            if (f_rest != 0) begin
                f_ones = f_ones + 1;
                f_rest = f_rest & (f_rest - 1'b1);
            end
    end

    always @* begin
        assert (f_rest == 0);
        assert (count == f_ones);
    end
    always @* begin
        cover (count == BITS);
        cover (count == 0);
    end
