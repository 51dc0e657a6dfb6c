// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_word_register, inserted before its endmodule: the register has the word of the last load.

    reg             f_loaded = 1'b0;
    reg [WIDTH-1:0] f_word;
    always @(posedge clk) if (load) begin
        f_loaded <= 1'b1;
        f_word   <= next;
    end
    always @* if (f_loaded) assert (word == f_word);
    always @* cover (f_loaded && !load && word != next);
