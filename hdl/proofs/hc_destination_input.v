// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_destination_input, inserted before its endmodule: a message with a legal
// destination is copied once to each group that its fields select, and is taken in the cycle of the
// last copy. Any other message is taken and flagged, and never copied.

    reg f_past = 1'b0, f_waits = 1'b0, f_dropped = 1'b0;
    reg [DIGITS_BITS+DIMENSIONS-1:0] f_tdest;
    reg [DIGITS_BITS-1:0]            f_digits;
    reg [DIMENSIONS-1:0]             f_copies;  // made of the message in earlier cycles
    reg [DIMENSIONS-1:0]             f_targets;
    reg                              f_walks, f_legal, f_here;
    integer f_j, f_low, f_bits, f_at, f_from, f_m, f_k;
    always @* begin
        f_targets = 0;
        f_walks   = 1'b1;
        f_legal   = 1'b1;
        f_here    = 1'b1;
        f_low     = FIELDS_BITS;
        f_at      = DIGITS_BITS + DIMENSIONS;
        for (f_j = DIMENSIONS - 1; f_j >= 0; f_j = f_j - 1) begin
            f_m    = NODES >> 32 * f_j;
            f_bits = 0;
            f_from = 0;
            for (f_k = 0; f_k < 8; f_k = f_k + 1) begin
                if (f_m / 2 >> f_k != 0) f_bits = f_k + 1;
                if (f_m - 1 >> f_k != 0) f_from = f_k + 1;
            end
            f_low = f_low - f_bits - 1;
            f_at  = f_at - f_from - 1;
            if ((node_digits >> (f_at - f_j) & (1 << f_from) - 1) >= f_m) f_here = 1'b0;
            if (f_walks && (fields >> f_low & (2 << f_bits) - 1) != 0) f_targets[f_j] = 1'b1;
            if ((fields >> f_low & (1 << f_bits) - 1) != 0) f_walks = 1'b0;
            if (!(s_axis_tdest >> (f_at + f_from) & 1) && (s_axis_tdest >> f_at & (1 << f_from) - 1) >= f_m) f_legal = 1'b0;
        end
        if (f_legal && f_targets == 0) f_legal = 1'b0;
    end
    always @(posedge clk) begin
        f_past    <= 1'b1;
        f_waits   <= s_axis_tvalid && !s_axis_tready && !rst;
        f_tdest   <= s_axis_tdest;
        f_digits  <= node_digits;
        f_copies  <= inject || !valid || rst ? 0 : f_copies | grant;
        f_dropped <= s_axis_tvalid && !f_legal && !rst;
    end
    always @* begin
        if (!f_past) assume (rst);
        assume (f_here);  // node_digits is the address of a node
        if (f_past) assume (node_digits == f_digits);
        if (f_past && f_waits) assume (s_axis_tvalid && s_axis_tdest == f_tdest);
        if (f_past && f_copies != 0) assume (open);
        assume ((grant & ~request) == 0);
    end
    always @* if (f_past) begin
        assert (valid == (s_axis_tvalid && f_legal));
        assert (destination_error == f_dropped);
        assert (request == (valid && open ? f_targets & ~f_copies : {DIMENSIONS{1'b0}}));
        assert (inject == (valid && open && (f_copies | grant) == f_targets));
        assert (s_axis_tready == (inject || s_axis_tvalid && !f_legal));
        // invariants
        assert ((f_copies & ~f_targets) == 0 && (f_copies == 0 || f_waits && f_legal));
    end
    always @* begin
        cover (f_past && inject && f_waits && (f_copies != 0 || DIMENSIONS == 1));
        cover (f_past && inject && single);
        cover (f_past && destination_error);
    end
