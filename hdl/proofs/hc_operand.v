// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_operand, inserted before its endmodule: the result is the word if it is valid, else the identity.

    integer         f_i;
    reg [WIDTH-1:0] f_operand;
    always @* begin
        for (f_i = 0; f_i < WIDTH; f_i = f_i + 1)
            f_operand[f_i] = valid ? word[f_i] : f_i == WIDTH - 1 ? IDENTITY_SIGN == 1 : IDENTITY_BITS == 1;
        assert (operand == f_operand);
        cover (valid && operand[0] != (IDENTITY_BITS == 1));
        cover (!valid && operand != word);
    end
