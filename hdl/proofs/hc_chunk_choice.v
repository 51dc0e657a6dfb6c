// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_chunk_choice, inserted before its endmodule: the words that leave, straightened, are the
// smaller or larger of the words that enter: the highest chunk of each is first. The highest bit in which the words differ
// decides; if it is a sign, the word with a 1 is below the other.

    localparam integer F_SKEW = (W - 1) / CHUNK;
    reg  [7:0]              f_age = 0;  // cycles in the past, at most F_SKEW
    reg  [F_SKEW*W:0]       f_as_q, f_bs_q, f_ys_q;
    wire [(F_SKEW+1)*W:0]   f_as = {f_as_q, a};  // the latest is lowest
    wire [(F_SKEW+1)*W:0]   f_bs = {f_bs_q, b};
    wire [(F_SKEW+1)*W:0]   f_ys = {f_ys_q, y};
    reg  [W-1:0]            f_a, f_b, f_y;       // straightened
    reg  [W-1:0]            f_result;
    reg                     f_c;
    integer                 f_i, f_ago;
    always @(posedge clk) begin
        f_age  <= f_age + (f_age != F_SKEW);
        f_as_q <= f_as;
        f_bs_q <= f_bs;
        f_ys_q <= f_ys;
    end
    always @* begin
        f_a      = 0;
        f_b      = 0;
        f_y      = 0;
        f_result = 0;
        f_c      = 1'b0;
        for (f_i = 0; f_i < W; f_i = f_i + 1) begin
            f_ago    = f_i / CHUNK;
            f_a[f_i] = f_as[f_ago*W+f_i];
            f_b[f_i] = f_bs[f_ago*W+f_i];
            f_y[f_i] = f_ys[f_ago*W+f_i];
            if (f_a[f_i] != f_b[f_i]) f_c = SIGNED != 0 && f_i == W - 1 ? f_a[f_i] : f_b[f_i];  // a is below b
        end
        f_result = f_c == (LARGER == 0) ? f_a : f_b;
        if (f_age == F_SKEW) assert (f_y == f_result);
        assert (f_age <= F_SKEW);
        cover (f_age == F_SKEW && f_a[W-1] != f_b[W-1] && f_a[0] != f_b[0] && f_y == f_a);
        cover (f_age == F_SKEW && f_a[W-1] != f_b[W-1] && f_a[0] != f_b[0] && f_y == f_b);
        cover (f_age == F_SKEW && f_a != f_b && f_y == f_a && (f_a ^ f_b) < 1 << (W - 1) / 2);
    end
