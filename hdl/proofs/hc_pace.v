// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_pace, inserted before its endmodule: it ticks as the contract says, and never
// while it is held. Credit, injections and ticks balance, and a node that always offers messages to
// several nodes never loses credit at a tick. The local input may request only for a message that it
// can pay, and then until that message is taken.

    reg f_past = 1'b0, f_waits = 1'b0, f_single;
    always @(posedge clk) f_past <= 1'b1;
    always @* if (!f_past) assume (rst);
    always @* if (f_past) begin
        assume (!inject || open && valid);  // asserted of hc_local_input
    end

    // The contract with integers. Ticks, payments and lost credit count modulo 2^6.
    localparam integer F_CAP  = 2 * TURN;
    localparam integer F_BITS = $clog2(2 * LEAD + 1);
    reg  [5:0]  f_ticks, f_paid, f_cut;
    reg  [7:0]  f_credit, f_owed;  // f_owed: cost of the previous cycle's injection
    reg         f_always;          // messages to several nodes were offered in all cycles
    wire [7:0]  f_cost = single ? 1 : TURN;
    wire [7:0]  f_rest = f_credit - f_owed;
    wire        f_done = f_rest <= F_CAP - 1 || !valid;
    reg         f_behind;
    integer     f_i;
    always @* begin
        f_behind = 1'b0;
        for (f_i = 0; f_i < DEGREE; f_i = f_i + 1)
            if ((link_pace[F_BITS*f_i+:F_BITS] + LEAD) % (1 << F_BITS) == pace) f_behind = 1'b1;
    end
    wire        f_tick   = f_done && !f_behind && !hold;
    wire [5:0]  f_earned = TURN + TURN * f_ticks;
    wire [5:0]  f_spent  = f_paid + f_rest + f_cut;
    wire [7:0]  f_next   = f_rest + TURN > F_CAP ? F_CAP : f_rest + TURN;
    always @(posedge clk) begin
        f_ticks  <= f_ticks + f_tick;
        f_owed   <= inject ? f_cost : 8'd0;
        f_credit <= f_tick ? f_next : f_rest;
        if (inject) f_paid <= f_paid + f_cost;
        if (f_tick) f_cut <= f_cut + (f_rest + TURN - f_next);
        f_always <= f_always && valid && !single;
        f_waits  <= open && valid && !inject && !rst;
        f_single <= single;
        if (rst) begin
            f_ticks  <= 6'd0;
            f_paid   <= 6'd0;
            f_cut    <= 6'd0;
            f_credit <= TURN;
            f_owed   <= 8'd0;
            f_always <= 1'b1;
        end
    end

    // Contract.
    always @* if (f_past) begin
        assert (pace == f_ticks[F_BITS-1:0]);
        assert (tick == f_tick);
        assert (!hold || !tick);
        assert (open == (f_rest >= f_cost));
        assert (f_rest <= F_CAP && f_credit <= F_CAP);
        // The balance. A node that always offers messages to several nodes loses no credit: it
        // injects one message per tick, and its rest is 0, 1 or 2 turns.
        assert (f_spent == f_earned);
        assert (!f_always || f_cut == 0 && f_rest % TURN == 0);
        assert (!valid || !f_tick || f_next > f_rest);
        assert (!f_waits || single != f_single || open);
    end

    // Invariants.
    always @* if (f_past) begin
        assert (rest_q == f_rest);
        assert (f_owed <= f_credit);
    end

    always @* begin
        cover (f_past && hold && f_done && !f_behind && f_ticks == 2);
        cover (f_past && f_cut != 0 && f_paid > 4 && !open);
        cover (f_past && f_always && f_ticks == 2 && f_paid == TURN + TURN * 2);
        cover (f_past && f_waits && valid && f_rest == F_CAP && pace == 3 && !f_tick);
        cover (f_past && f_rest == F_CAP - 1 && valid && f_tick);
        cover (f_past && f_rest == TURN - 1 && valid && !single && !open && f_ticks == 2);
        cover (f_past && f_rest == F_CAP && valid && !f_behind && !hold);
    end
