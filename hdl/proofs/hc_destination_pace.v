// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_destination_pace, to stand before its endmodule: it ticks as the contract says,
// and never while it is held; the credit is never more than two turns nor less than 0, and the local input may ask only for
// what it can pay, and finish what it has begun to ask for.

    reg f_past = 1'b0, f_waits = 1'b0, f_single;
    always @(posedge clk) f_past <= 1'b1;
    always @* if (!f_past) assume (rst);
    always @* if (f_past) begin
        assume (!injected || open && offered);
        if (f_waits) assume (offered && single == f_single);
    end

    reg [7:0]   f_credit, f_cost;  // f_cost: of what was injected in the cycle before
    wire [7:0]  f_rest   = f_credit - f_cost;
    wire        f_done   = f_rest <= 15 || !offered;
    reg         f_behind;
    integer     f_i;
    always @* begin
        f_behind = 1'b0;
        for (f_i = 0; f_i < LINKS; f_i = f_i + 1)
            if ((link_pace[2*f_i+:2] + 1) % 4 == pace) f_behind = 1'b1;
    end
    wire        f_tick = f_done && !f_behind && !held;
    reg [1:0]   f_pace;
    always @(posedge clk) begin
        f_pace   <= f_pace + f_tick;
        f_cost   <= !injected ? 0 : single ? 1 : 8;
        f_credit <= !f_tick ? f_rest : f_rest + 8 > 16 ? 16 : f_rest + 8;
        f_waits  <= offered && open && !injected && !rst;
        f_single <= single;
        if (rst) begin
            f_pace   <= 0;
            f_cost   <= 0;
            f_credit <= 8;
        end
    end

    // Contract.
    always @* if (f_past) begin
        assert (pace == f_pace);
        assert (tick == f_tick);
        assert (!held || !tick);
        assert (open == (f_rest >= (single ? 1 : 8)));
        assert (f_rest <= 16);
        assert (!f_waits || open);
    end

    // Invariants.
    always @* if (f_past) begin
        assert (rest_q == f_rest);
        assert (f_credit <= 16 && f_cost   <= f_credit);
    end
    always @* begin
        cover (f_past && held && f_done && !f_behind && f_pace == 2);
        cover (f_past && f_rest == 15 && f_tick);
        cover (f_past && f_rest == 7 && offered && !single && !open && f_pace == 2);
        cover (f_past && f_rest == 15 && offered && f_tick);
        cover (f_past && f_rest == 16 && offered && !f_behind && !held);
    end
