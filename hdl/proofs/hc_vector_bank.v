// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_vector_bank, inserted before its endmodule: a word is read as it was written last, whatever is written and read at
// other addresses.

    (* anyconst *) wire [$clog2(WORDS)-1:0] f_address;  // one address stands for all
    reg             f_written = 1'b0;
    reg [WIDTH-1:0] f_word;
    reg             f_defined = 1'b0;  // read_word
    reg [WIDTH-1:0] f_read;
    always @(posedge clk) begin
        if (write && write_address == f_address) begin
            f_written <= 1'b1;
            f_word    <= write_word;
        end
        f_defined <= f_written && read_address == f_address && !(write && write_address == f_address);
        f_read    <= f_word;
    end
    always @* begin
        assume (f_address < WORDS);
        if (write) assume (write_address < WORDS);
        if (f_defined) assert (read_word == f_read);
        if (f_written) assert (words[f_address] == f_word);
    end
    always @(posedge clk) cover (f_defined && write && write_address != f_address && read_word != write_word);
