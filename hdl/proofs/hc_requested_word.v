// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_requested_word, to stand before its endmodule: in the cycles of a step it is the word of the first.

    reg             f_begun = 1'b0;
    reg [WIDTH-1:0] f_word;
    always @(posedge clk) if (first) begin
        f_begun <= 1'b1;
        f_word  <= s_data;
    end
    always @* begin
        if (first) assert (word == s_data);
        else if (f_begun) assert (word == f_word);
    end
    always @* cover (f_begun && !first && word != s_data);
