// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_operand, inserted before its endmodule: the result is the word if it is present, else the identity.

    always @* begin
        if (present) assert (operand == word);
        else assert (operand == {WIDTH{IDENTITY[0]}});
        cover (present && operand != {WIDTH{IDENTITY[0]}});
        cover (!present && operand != word);
    end
