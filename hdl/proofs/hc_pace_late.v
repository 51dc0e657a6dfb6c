// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_pace, inserted before its endmodule: it is never more than LEAD ticks away from a
// neighbour, however late each sees the pace of the other, and the modulus of the pace never makes a
// neighbour seem to be behind that is not. The neighbour may tick at any time, except while it sees
// this router behind. Nothing is assumed of other links.

    (* anyconst *) wire [DEGREE-1:0] f_link;  // one link stands for all
    (* anyseq *) wire       f_other_may;      // the neighbour ticks unless it sees this one behind
    (* anyseq *) wire [7:0] f_seen, f_own_seen;  // ticks of the neighbour seen here, and of this one there
    reg  [7:0] f_own, f_other;                // ticks of both, modulo 2^8
    reg  [7:0] f_seen_q, f_own_seen_q;
    wire       f_other_ticks = f_other_may && (f_own_seen + LEAD) % (1 << F_BITS) != f_other % (1 << F_BITS);
    wire [7:0] f_apart = f_other - f_own;
    wire [7:0] f_seems = f_seen - f_own;
    wire [7:0] f_lead  = LEAD;
    wire [7:0] f_late = f_other - f_seen, f_age = f_other - f_seen_q;
    wire [7:0] f_own_late = f_own - f_own_seen, f_own_age = f_own - f_own_seen_q;
    reg  [F_BITS-1:0] f_link_pace;
    integer    f_l;
    always @* begin
        f_link_pace = 0;
        for (f_l = 0; f_l < DEGREE; f_l = f_l + 1) if (f_link[f_l]) f_link_pace = link_pace[F_BITS*f_l+:F_BITS];
    end
    always @(posedge clk) begin
        f_own        <= f_own + tick;
        f_other      <= f_other + f_other_ticks;
        f_seen_q     <= f_seen;
        f_own_seen_q <= f_own_seen;
        if (rst) {f_own, f_other, f_seen_q, f_own_seen_q} <= 32'd0;
    end
    always @* begin
        assume (f_link != 0 && (f_link & (f_link - 1)) == 0);
        assume (f_link_pace == f_seen[F_BITS-1:0]);
        // The ticks seen lie between those seen before and the true ticks.
        assume (f_late <= f_age && f_own_late <= f_own_age);
    end
    always @* if (f_past) begin
        assert (pace == f_own[F_BITS-1:0]);
        assert (f_apart <= LEAD || f_apart >= 256 - LEAD);
        assert (f_seems <= LEAD || f_seems >= 256 - LEAD);
        assert (((f_link_pace + LEAD) % (1 << F_BITS) == pace) == (f_seems == 256 - LEAD));
        // invariants: how old the seen ticks may be, and that each tick waited for them
        assert (f_age <= 2 * LEAD && f_own_age <= 2 * LEAD);
        assert (f_age <= f_lead + f_apart && f_own_age <= f_lead - f_apart);
    end
    always @* begin
        cover (f_past && f_late == 2 * LEAD && f_apart == LEAD && f_own == LEAD + 2);
        cover (f_past && f_own_late == 2 * LEAD && f_apart == 256 - LEAD && f_other == LEAD + 2);
        cover (f_past && f_late == 8'd0 && f_own_late == 8'd0 && f_apart == LEAD && f_own == 8'd5);
    end
