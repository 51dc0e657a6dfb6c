// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_chunk_operand, inserted before its endmodule: the chunk at place j is that of the word if the operand
// was valid j cycles ago, else that of the identity.

    localparam integer F_SKEW = (WIDTH - 1) / CHUNK;
    reg  [7:0]         f_age = 0;  // cycles in the past, at most F_SKEW
    reg  [F_SKEW:0]    f_valids_q;
    wire [F_SKEW+1:0]  f_valids = {f_valids_q, valid};  // the latest is lowest
    reg  [WIDTH-1:0]   f_operand, f_known;
    integer            f_i, f_place;
    always @(posedge clk) begin
        f_age      <= f_age + (f_age != F_SKEW);
        f_valids_q <= f_valids;
    end
    always @* begin
        f_operand = 0;
        f_known   = 0;
        for (f_i = 0; f_i < WIDTH; f_i = f_i + 1) begin
            f_place        = TOP_FIRST != 0 ? F_SKEW - f_i / CHUNK : f_i / CHUNK;
            f_known[f_i]   = f_age >= f_place;
            f_operand[f_i] = f_valids[f_place] ? word[f_i] : f_i == WIDTH - 1 ? IDENTITY_SIGN == 1 : IDENTITY_BITS == 1;
        end
        assert (((operand ^ f_operand) & f_known) == 0);
        assert (f_age <= F_SKEW);
        cover (f_age == F_SKEW && valid && operand != word);
        cover (f_age == F_SKEW && !valid && operand[0] == word[0] && operand[WIDTH-1] != word[WIDTH-1]);
        cover (f_age == F_SKEW && !valid && operand[0] != word[0] && operand[WIDTH-1] == word[WIDTH-1]);
    end
