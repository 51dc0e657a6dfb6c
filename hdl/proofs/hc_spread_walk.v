// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_spread, inserted before its endmodule: the targets are those of a search
// over the dimensions in order.

    reg [DIMENSIONS:0] f_targets;
    reg [DIMENSIONS:1] f_all;
    reg                f_walks, f_legal;
    reg [15:0]         f_x, f_most;
    integer            f_j, f_low, f_bits, f_k;
    always @* begin
        f_targets = 0;
        f_walks   = 1'b1;
        f_legal   = 1'b1;
        f_low     = FIELDS_BITS;
        for (f_j = DIMENSIONS; f_j >= 1; f_j = f_j - 1) begin
            f_most = FARTHEST >> 16 * (f_j - 1);
            f_bits = 0;
            for (f_k = 0; f_k < 16; f_k = f_k + 1) if (f_most >> f_k != 0) f_bits = f_k + 1;
            f_low = f_low - f_bits - 1;
            f_x   = fields >> f_low & (1 << f_bits) - 1;
            if (f_walks && (f_x != 0 || fields >> (f_low + f_bits) & 1)) f_targets[f_j] = 1'b1;
            if (f_x != 0) f_walks = 1'b0;
            if (f_x > f_most) f_legal = 1'b0;
            f_all[f_j] = f_x == 0 && (fields >> (f_low + f_bits) & 1);
        end
        f_targets[0] = f_walks;
        assert (targets == f_targets);
        assert (all == f_all);
        assert (legal == f_legal);
    end
    always @* begin
        cover (&targets);
        cover (targets != 0 && !targets[0] && targets != {1'b1, {DIMENSIONS{1'b0}}});
    end
