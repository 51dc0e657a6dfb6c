// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_requested_word, inserted before its endmodule: in all cycles of a step the result is the word of
// the first cycle.

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
