// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_chunk_register, inserted before its endmodule: the chunk at place j is that of the last word that was
// next j cycles after a load.

    localparam integer F_SKEW = (WIDTH - 1) / CHUNK;
    reg  [7:0]         f_age = 0;  // cycles in the past, at most F_SKEW
    reg  [F_SKEW:0]    f_loads_q;
    wire [F_SKEW+1:0]  f_loads = {f_loads_q, load};  // the latest is lowest
    reg  [WIDTH-1:0]   f_loaded = 0;
    reg  [WIDTH-1:0]   f_word;
    integer            f_i, f_place;
    always @(posedge clk) begin
        f_age     <= f_age + (f_age != F_SKEW);
        f_loads_q <= f_loads;
        for (f_i = 0; f_i < WIDTH; f_i = f_i + 1) begin
            f_place = TOP_FIRST != 0 ? F_SKEW - f_i / CHUNK : f_i / CHUNK;
            if (f_age < f_place) f_loaded[f_i] <= 1'b0;  // it is not known whether it is loaded
            else if (f_loads[f_place]) begin
                f_loaded[f_i] <= 1'b1;
                f_word[f_i]   <= next[f_i];
            end
        end
    end
    always @* begin
        assert (((word ^ f_word) & f_loaded) == 0);
        assert (f_age <= F_SKEW);
        cover (f_loaded == {WIDTH{1'b1}} && !load && word[0] != next[0] && word[WIDTH-1] != next[WIDTH-1]);
    end
