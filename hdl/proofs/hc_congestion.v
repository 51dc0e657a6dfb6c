// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_congestion, to stand before its endmodule: points 2, 5 and 6 of the
// contract, written down as it says them, with numbers, in every state.

    reg           f_past = 1'b0, f_longer_q;
    reg [7:4]     f_window_q;
    reg           f_injected, f_blocked;  // in the cycle before
    reg [COUNT_BITS-1:0] f_delivered;
    reg [15:0]    f_c;
    reg [2:0]     f_e;
    reg [OUTPUTS-1:0] f_s;
    reg           f_stood, f_slow, f_doubt, f_steady;
    reg           f_was_low;  // the last window of the level

    wire [OUTPUTS-1:0] f_blocks = {local_valid & ~local_ready, link_valid & ~link_ready};
    wire [15:0]    f_x      = longer ? 16'd2 : 16'd1;
    wire [15:0]    f_w      = (16'd8 << (3'd0 + window[4] + window[5] + window[6] + window[7])) * f_x;
    wire           f_stands = shortest_ends && f_s != 0;
    wire           f_after5 = f_stood || f_stands;
    wire           f_few    = f_e == 0 ? 4 * f_c < 3 * f_w : f_c < 16 * f_x;
    wire           f_calm   = f_c == 0 || (f_e == 0 && (f_w == 16 ? f_c < 2 : 16 * f_c < 3 * f_w));
    wire           f_low    = f_calm && !f_after5 && !f_blocked;
    wire           f_stuck  = f_after5 && 2 * f_c < f_w;
    wire           f_is_slow = f_few && (f_after5 || (f_e > 0 && f_c > 0));
    wire           f_forgets = memory_ends && f_steady && !f_stands;

    always @* begin
        if (!f_past) assume (rst);
        if (f_past) assume (longer == f_longer_q && window == f_window_q);
        assume (!(window & ~{window[6:4], 1'b1}));
        assume (f_w >= 16 && f_w <= 128);
        // what hc_timer tells
        if (window_ends) assume (shortest_ends);
        if (memory_ends) assume (window_ends && level[1]);
    end
    always @(posedge clk) begin
        f_past      <= 1'b1;
        f_longer_q  <= longer;
        f_window_q  <= window;
        f_injected  <= injected;
        f_delivered <= delivered;
        f_blocked   <= f_blocks != 0;
        f_c         <= f_c < 128 * f_x ? f_c + f_injected + f_delivered : f_c;
        f_s         <= !shortest_ends ? f_s & f_blocks : f_s != 0 ? 0 : f_blocks;
        f_stood     <= f_after5;
        f_steady    <= (f_steady && !f_stands) || memory_ends;
        if (window_ends) begin
            if (f_forgets) f_e <= 0;
            else if (f_e == 0) f_e <= misled || (f_doubt && f_few && !f_low);
            else if (f_is_slow && f_slow) f_e <= f_e == 4 ? 4 : f_e + 1;
            else if (f_e == 1 && f_c >= 112 * f_x && !f_after5) f_e <= 0;
            else if (f_c >= 128 * f_x) f_e <= f_e - 1;
            f_doubt   <= f_e == 0 && f_is_slow && f_slow;
            f_slow    <= f_is_slow;
            f_c       <= 0;
            f_stood   <= 0;
            f_was_low <= low;
        end
        if (rst) begin
            f_injected  <= 0;
            f_delivered <= 0;
            f_blocked   <= 0;
            f_c         <= 0;
            f_e         <= 0;
            f_s         <= 0;
            f_stood     <= 0;
            f_slow      <= 0;
            f_doubt     <= 0;
            f_steady    <= 0;
            f_was_low   <= 0;
        end
    end
    always @* if (f_past) begin
        assert (f_e <= 4);
        assert (level == (4'b1111 >> (4 - f_e)));
        assert (f_c < 128 * f_x + (1 << COUNT_BITS));
        assert (heard_q == (longer ? f_c : 2 * f_c));
        assert (few_q == f_few);
        assert (calm_q == (f_calm && !f_stood));
        assert (sparse_q == (2 * f_c < f_w));
        assert (!free_q || still_q == 0);
        assert (still_q == f_s && stood_q == f_stood && slow_q == f_slow && doubt_q == f_doubt && steady_q == f_steady);
        assert (injected_q == f_injected && delivered_q == f_delivered && free_q == !f_blocked);
        if (window_ends) assert (low == f_low && stuck == f_stuck);
        assert (!(low && stuck));
    end
    always @(posedge clk) begin
        cover (f_past && level == 4'b0001 && low);
        // a silence that was false raises the level by itself, whether messages are few or many
        cover (f_past && f_was_low && window_ends && level == 0 && misled && !low && f_few && !f_doubt);
        cover (f_past && f_was_low && window_ends && level == 0 && misled && !low && !f_few);
        // in these windows hc_injection_gate fills the balance
        cover (f_past && f_was_low && window_ends && level == 0 && f_few && f_after5 && !stuck);
        cover (f_past && f_was_low && window_ends && level != 0 && f_few && f_after5 && !stuck);
    end
