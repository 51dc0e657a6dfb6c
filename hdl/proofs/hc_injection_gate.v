// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_injection_gate, to stand before its endmodule: points 1 to 4 and 6a of
// the contract, written down as it says them, with numbers, in every state; and that no
// number leaves its range.

    localparam integer F_LIMIT = 1 << QUOTA_BITS;

    reg f_past = 1'b0;

    // A machine: constants since reset.
    wire signed [31:0] F_COST = cost;
    wire signed [31:0] F_MOST = {largest, 4'hf} + 1;
    wire signed [31:0] F_CAP  = cap + 1;
    reg [BALANCE_BITS-1:0] f_cost_q, f_cap_q;
    reg [QUOTA_BITS-1:4]   f_largest_q;
    always @(posedge clk) {f_cost_q, f_cap_q, f_largest_q} <= {cost, cap, largest};
    always @* begin
        assume (F_COST >= 1 && F_COST < F_MOST);
        assume ((cap & (cap + 1)) == 0 && F_CAP >= 128 && F_CAP <= F_MOST);
        assume ((F_MOST & (F_MOST - 1)) == 0 && F_MOST >= 128);
        if (f_past) assume (cost == f_cost_q && cap == f_cap_q && largest == f_largest_q);
    end

    reg [1:0]         f_t;
    reg               f_injected, f_waits;  // in the cycle before
    reg [COUNT_BITS-1:0] f_delivered;
    reg signed [31:0] f_b, f_b_q;
    reg signed [31:0] f_a, f_a_q;
    reg [1:0]         f_g;
    reg [15:0]        f_m;
    reg [1:0]         f_late;
    reg [2:0]         f_grown;
    reg               f_shorter, f_held;
    reg               f_armed, f_filled, f_open_next;

    always @* begin
        if (!f_past) assume (rst);
        // what hc_timer and hc_congestion tell, and that nothing is taken but what asks
        if (f_past) assume (shortest_ends == (f_t == 2'd3));
        if (window_ends) assume (shortest_ends);
        assume (!(low && stuck));
        if (injected) assume (offered && open);
    end

    wire signed [31:0] f_after1 = f_b - (f_injected ? F_COST : 0) + (f_b_q < 8 * f_a_q ? f_delivered : 0);
    wire signed [31:0] f_saved  = f_after1 < 0 ? 0 : f_after1;
    wire [2:0]         f_reached = (f_m >= 128) + (f_m >= 256) + (f_m >= 512) + (f_m >= 1024);
    wire               f_fewer   = f_reached < f_grown;
    wire               f_false   = f_armed && f_shorter && !low;
    wire signed [31:0] f_due    = f_b - (f_injected ? F_COST : 0);
    always @(posedge clk) begin
        f_past      <= 1'b1;
        f_t         <= f_t + 1;
        f_injected  <= injected;
        f_delivered <= delivered;
        f_waits     <= offered && open && !injected;
        f_open_next <= open_next || rst;
        f_b         <= f_after1;
        f_b_q       <= f_b;
        f_a_q       <= f_a;
        f_m         <= f_m + f_injected + f_delivered;
        if (f_g > 0) begin
            f_g <= f_g - 1;
            f_a <= f_a == F_MOST ? f_a : 2 * f_a;
        end
        if (f_m >= 9216 && f_t == 0) begin
            f_m    <= 0;
            f_late <= 1;
            f_a    <= 16;
            f_g    <= 0;
            f_grown <= 0;
            if (f_after1 >= 0) f_b <= f_after1 & (F_CAP - 1);
        end
        if (window_ends) begin
            f_filled <= 0;
            if (f_false) begin
                f_armed <= 0;
                f_a     <= 16;
                f_grown <= 0;
            end else if (stuck) f_armed <= 0;
            else if (f_armed) begin
                f_armed  <= 0;
                f_b      <= f_saved | (f_a - 1);
                f_filled <= 1;
            end else if (low && !f_filled) begin
                f_armed   <= 1;
                f_shorter <= f_fewer;
                f_held    <= f_fewer && !f_held;
                f_m       <= 0;
                if (f_fewer && !f_held) f_g <= 0;
                else begin
                    if (f_late == 1) f_a <= 16;
                    if (f_late > 0) begin
                        f_late  <= f_late - 1;
                        f_g     <= 0;
                        f_grown <= 0;
                    end else if (f_m >= (raised ? 1024 : 4608)) begin
                        f_late  <= 2;
                        f_g     <= 0;
                        f_grown <= 0;
                    end else begin
                        f_g     <= f_m < 64 ? 3 : f_m < 512 ? 2 : 1;
                        f_grown <= f_reached;
                    end
                end
            end
        end
        if (rst) begin
            f_t         <= 0;
            f_injected  <= 0;
            f_delivered <= 0;
            f_waits     <= 0;
            f_b         <= 15;
            f_b_q       <= 15;
            f_a         <= 16;
            f_a_q       <= 16;
            f_g         <= 0;
            f_m         <= 0;
            f_late      <= 0;
            f_grown     <= 0;
            f_shorter   <= 0;
            f_held      <= 0;
            f_armed     <= 0;
            f_filled    <= 0;
        end
    end
    wire [31:0] f_ones = f_a - 1;
    always @* if (f_past) begin
        // ranges
        assert (f_a >= 16 && f_a <= F_MOST && (f_a & (f_a - 1)) == 0);
        assert (f_a_q >= 16 && f_a_q <= F_MOST && (f_a_q & (f_a_q - 1)) == 0);
        assert (f_due + 2 * F_COST >= 0 && f_b + 2 * F_COST >= 0 && f_b_q + 2 * F_COST >= 0);
        if (open) assert (f_due + F_COST >= 0);
        if (f_injected) assert (f_b + F_COST >= 0);
        assert (f_b < 10 * F_MOST && f_b_q < 10 * F_MOST);
        if (f_b_q < 8 * F_MOST) assert (f_b < 9 * F_MOST);
        assert (f_m <= 9216 - 1 + (1 << COUNT_BITS) * (f_t == 0 ? 4 : f_t));
        // state
        assert (balance_q == f_b[BALANCE_BITS-1:0] && F_MOST <= F_LIMIT);
        assert ({quota_q, {FIRST{1'b1}}} == f_ones[QUOTA_BITS-1:0]);
        assert (earn_q == (f_b_q >= 8 * f_a_q ? 0 : f_delivered));
        assert (f_grown <= 4 && (f_grown == 0 || f_late == 0));  // so a frame that is shorter is not late
        assert (grown_q == (4'b1111 >> (4 - f_grown)) && shorter_q == f_shorter && held_q == f_held);
        assert (misled == f_false);
        assert (f_g + f_t <= 3);  // so the quota does not grow in the cycle that ends a window
        assert (grow_q == f_g && frame_q == f_m && late_q == f_late && f_late <= 2 && armed_q == f_armed && rests_q == (f_armed || f_filled));
        assert (begins_q == (f_t == 0) || f_m < (4 << COUNT_BITS));
        assert (injected_q == f_injected && delivered_q == f_delivered);
        assert (open == (f_b >= 0 || f_waits));
        assert (open == f_open_next);
    end
    always @(posedge clk) begin
        cover (f_filled && window_ends && low);
        cover (f_past && armed_q && window_ends && !stuck && balance_q[BALANCE_BITS-1]);
    end
