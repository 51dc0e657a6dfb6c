// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_pace, to stand before its endmodule: it ticks as the contract says, and never
// while it is held; credit,
// injections and ticks balance, and a tick cuts credit only if nothing is offered; the local
// input may ask only while rest is above 0, and what it has begun to ask for it may finish.

    reg f_past = 1'b0, f_waits = 1'b0;
    always @(posedge clk) f_past <= 1'b1;
    always @* if (!f_past) assume (rst);
    always @* if (f_past) begin
        assume (!injected || open && offered);  // asserted of hc_local_input
    end

    // The contract, by numbers. Ticks, injections and the credit that is cut count modulo 2^6.
    reg  [5:0]  f_ticks, f_injections, f_cut;
    reg  [7:0]  f_credit;
    reg         f_injected, f_always;  // it was injected in the cycle before; offered in all
    wire [7:0]  f_rest = f_credit - f_injected;
    wire        f_done = f_rest + REFILL <= CAP || !offered;
    reg         f_behind;
    integer     f_i;
    always @* begin
        f_behind = 1'b0;
        for (f_i = 0; f_i < LINKS; f_i = f_i + 1)
            if ((link_pace[2*f_i+:2] + 1) % 4 == pace) f_behind = 1'b1;
    end
    wire        f_tick   = f_done && !f_behind && !held;
    wire [5:0]  f_earned = 1 + REFILL * f_ticks;
    wire [5:0]  f_spent  = f_injections + f_rest + f_cut;
    wire [7:0]  f_next   = f_rest + REFILL > CAP ? CAP : f_rest + REFILL;
    always @(posedge clk) begin
        f_ticks      <= f_ticks + f_tick;
        f_injections <= f_injections + injected;
        f_injected   <= injected;
        f_credit     <= f_tick ? f_next : f_rest;
        if (f_tick) f_cut <= f_cut + (f_rest + REFILL - f_next);
        f_always <= f_always && offered;
        f_waits  <= open && offered && !injected && !rst;
        if (rst) begin
            f_ticks      <= 6'd0;
            f_injections <= 6'd0;
            f_cut        <= 6'd0;
            f_credit     <= 8'd1;
            f_injected   <= 1'b0;
            f_always     <= 1'b1;
        end
    end

    // Contract.
    always @* if (f_past) begin
        assert (pace == f_ticks[1:0]);
        assert (tick == f_tick);
        assert (!held || !tick);
        assert (open == (f_rest != 0));
        assert (f_rest <= CAP && f_credit <= CAP);
        // The balance. A node that always offers loses nothing: REFILL injections a tick.
        assert (f_spent == f_earned);
        assert (!f_always || f_cut == 0);
        assert (!offered || !f_tick || f_next == f_rest + REFILL);
        assert (!f_waits || open);
    end

    // Invariants.
    always @* if (f_past) begin
        assert (rest_q == f_rest);
        assert (!f_injected || f_credit != 0);
    end

    always @* begin
        cover (f_past && held && f_done && !f_behind && f_ticks == 2);
        cover (f_past && f_cut != 0 && f_injections > 4 && !open);
        cover (f_past && f_always && f_ticks == 2 && f_injections == 1 + REFILL * 2);
        cover (f_past && f_waits && offered && f_rest == CAP && pace == 3 && !f_tick);
    end
