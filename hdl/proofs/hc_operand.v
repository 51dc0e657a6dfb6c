// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_operand, inserted before its endmodule: the result is the word if it is valid, else the identity.

    always @* begin
        if (valid) assert (operand == word);
        else assert (operand == {WIDTH{IDENTITY[0]}});
        cover (valid && operand != {WIDTH{IDENTITY[0]}});
        cover (!valid && operand != word);
    end
