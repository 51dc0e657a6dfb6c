// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_arbiter, to stand before its endmodule: one grant, only to a request,
// and it stays until it is completed; a requester that keeps asking waits for at most one
// completion of each other.

    reg f_past = 1'b0;
    always @(posedge clk) f_past <= 1'b1;
    always @* if (!f_past) assume (rst);

    // One symbolic requester stands for all, and another one that it waits for.
    (* anyconst *) wire [REQUESTERS-1:0] f_one;
    (* anyconst *) wire [REQUESTERS-1:0] f_other;
    always @* begin
        assume (f_one != 0 && (f_one & (f_one - 1)) == 0);
        assume (f_other != 0 && (f_other & (f_other - 1)) == 0 && f_other != f_one);
    end
    wire f_asks = |(request & f_one);
    wire f_got  = |(select & f_one);

    reg                  f_held = 1'b0;  // the selected one was not completed
    reg [REQUESTERS-1:0] f_select_q;
    reg                  f_passed = 1'b0;  // while f_one waits, f_other has been completed
    always @(posedge clk) begin
        f_held     <= !rst && select != 0 && !completed;
        f_select_q <= select;
        f_passed   <= !rst && f_asks && !f_got && (f_passed || (completed && |(select & f_other)));
    end

    // Contract.
    always @* if (f_past) begin
        assert ((select & ~request) == 0);
        assert ((select & (select - 1)) == 0);
        assert ((select != 0) == (request != 0));
        if (f_held && (request & f_select_q) != 0) assert (select == f_select_q);
        if (f_passed && f_asks) assert (!(completed && |(select & f_other)));
    end

    // Invariants: the pairs are an order; who was completed stands behind who waits.
    wire [REQUESTERS*REQUESTERS-1:0] f_ahead;
    genvar f_i, f_j, f_k;
    generate
        for (f_i = 0; f_i < REQUESTERS; f_i = f_i + 1) begin : f_row
            for (f_j = 0; f_j < REQUESTERS; f_j = f_j + 1) begin : f_column
                if (f_i < f_j) begin : f_upper
                    assign f_ahead[f_i*REQUESTERS+f_j] = ordered.ahead_q[f_j*(f_j-1)/2+f_i];
                end else if (f_i == f_j) begin : f_self
                    assign f_ahead[f_i*REQUESTERS+f_j] = 1'b0;
                end else begin : f_lower
                    assign f_ahead[f_i*REQUESTERS+f_j] = !ordered.ahead_q[f_i*(f_i-1)/2+f_j];
                end
            end
        end
    endgenerate
    reg f_order;
    reg f_behind;
    integer f_a, f_b, f_c;
    always @* begin
        f_order  = 1'b1;
        f_behind = 1'b1;
        for (f_a = 0; f_a < REQUESTERS; f_a = f_a + 1)
            for (f_b = 0; f_b < REQUESTERS; f_b = f_b + 1) begin
                if (f_one[f_a] && f_other[f_b] && !f_ahead[f_a*REQUESTERS+f_b]) f_behind = 1'b0;
                if (f_held && f_select_q[f_a] && f_a != f_b && !f_ahead[f_a*REQUESTERS+f_b]) f_order = 1'b0;
                for (f_c = 0; f_c < REQUESTERS; f_c = f_c + 1)
                    if (f_a != f_c && f_ahead[f_a*REQUESTERS+f_b] && f_ahead[f_b*REQUESTERS+f_c]
                        && !f_ahead[f_a*REQUESTERS+f_c]) f_order = 1'b0;
            end
    end
    always @* if (f_past) begin
        assert (f_order);
        assert (!f_passed || f_behind);
        assert ((f_select_q & (f_select_q - 1)) == 0);
    end

    always @* begin
        cover (f_past && f_passed && f_got && completed);
        cover (f_past && f_held && f_got && request == {REQUESTERS{1'b1}});
    end
