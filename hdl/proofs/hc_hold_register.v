// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_hold_register, inserted before its endmodule: the result is the word of the last load, in the cycle
// of the load too.

    reg             f_loaded = 1'b0;
    reg [WIDTH-1:0] f_word;
    always @(posedge clk) if (load) begin
        f_loaded <= 1'b1;
        f_word   <= next;
    end
    always @* begin
        if (load) assert (word == next);
        else if (f_loaded) assert (word == f_word);
    end
    always @* cover (f_loaded && !load && word != next);
