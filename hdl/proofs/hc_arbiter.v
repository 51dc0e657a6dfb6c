// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_arbiter, inserted before its endmodule: the pointer changes as
// docs/architecture.md says; at most one requester is selected, only if it requests, and it stays
// selected until it is completed; a requester that keeps requesting waits for at most one completion of
// each other requester.

    reg f_past = 1'b0;
    always @(posedge clk) f_past <= 1'b1;
    always @* if (!f_past) assume (rst);

    // A symbolic requester stands for all, and another for those that it waits for.
    (* anyconst *) wire [REQUESTERS-1:0] f_requester;
    (* anyconst *) wire [REQUESTERS-1:0] f_other;
    always @* begin
        assume (f_requester != 0 && (f_requester & (f_requester - 1)) == 0);
        assume (f_other != 0 && (f_other & (f_other - 1)) == 0 && f_other != f_requester);
    end
    wire f_requests = |(request & f_requester);
    wire f_got      = |(select & f_requester);

    reg                  f_held = 1'b0;  // the selected requester was not completed
    reg [REQUESTERS-1:0] f_select_q;
    reg                  f_passed = 1'b0;  // while f_requester waits, f_other has been completed
    always @(posedge clk) begin
        f_held     <= !rst && select != 0 && !complete;
        f_select_q <= select;
        f_passed   <= !rst && f_requests && !f_got && (f_passed || (complete && |(select & f_other)));
    end

    // The pointer, by numbers.
    reg     [5:0] f_pointer;
    reg     [5:0] f_first;  // the first request from the pointer upwards, else from 0
    integer       f_n;
    always @* begin
        f_first = 0;
        for (f_n = REQUESTERS - 1; f_n >= 0; f_n = f_n - 1) if (request[f_n]) f_first = f_n;
        for (f_n = REQUESTERS - 1; f_n >= 0; f_n = f_n - 1) if (request[f_n] && f_n >= f_pointer) f_first = f_n;
    end
    always @(posedge clk) begin
        if (request != 0) f_pointer <= !complete ? f_first : f_first == REQUESTERS - 1 ? 0 : f_first + 1;
        if (rst) f_pointer <= 0;
    end

    // Contract.
    always @* if (f_past) begin
        assert (select == (request == 0 ? 0 : 1 << f_first));
        assert ((select & ~request) == 0);
        assert ((select & (select - 1)) == 0);
        assert ((select != 0) == (request != 0));
        if (f_held && (request & f_select_q) != 0) assert (select == f_select_q);
        if (f_passed && f_requests) assert (!(complete && |(select & f_other)));
    end

    // Invariants: the bits encode the pointer; a requester that was completed comes after one that waits.
    wire [REQUESTERS-1:0] f_bits = {several.pointer_q, 1'b0};
    reg     f_fits;
    reg     f_behind;
    integer f_a, f_b;
    always @* begin
        f_fits   = f_pointer < REQUESTERS;
        f_behind = 1'b1;
        for (f_a = 0; f_a < REQUESTERS; f_a = f_a + 1) begin
            if (f_bits[f_a] != (f_pointer != 0 && f_a >= f_pointer)) f_fits = 1'b0;
            for (f_b = 0; f_b < REQUESTERS; f_b = f_b + 1)
                if (f_requester[f_a] && f_other[f_b] && !(f_a < f_b ? f_bits[f_a] || !f_bits[f_b] : f_bits[f_a] && !f_bits[f_b]))
                    f_behind = 1'b0;
        end
    end
    always @* if (f_past) begin
        assert (f_fits);
        assert (!f_passed || f_behind);
        assert (!f_held || f_select_q == 1 << f_pointer);
    end

    always @* begin
        cover (f_past && f_passed && f_got && complete);
        cover (f_past && f_held && f_got && request == {REQUESTERS{1'b1}});
    end
