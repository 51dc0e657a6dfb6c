// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_pace, inserted before its endmodule: it is never more than one tick away from a
// neighbour, however late each sees the pace of the other. The neighbour may tick at any time,
// except while it sees this router behind. Nothing is assumed of other links.

    (* anyconst *) wire [DEGREE-1:0] f_link;  // one link stands for all
    (* anyseq *) wire       f_other_may;      // the neighbour ticks unless it sees this one behind
    (* anyseq *) wire [7:0] f_seen, f_own_seen;  // ticks of the neighbour seen here, and of this one there
    reg  [7:0] f_own, f_other;                // ticks of both, modulo 2^8
    reg  [7:0] f_seen_q, f_own_seen_q;
    wire       f_other_ticks = f_other_may && f_own_seen[1:0] + 2'd1 != f_other[1:0];
    wire [7:0] f_apart = f_other - f_own;
    wire [7:0] f_seems = f_seen - f_own;
    wire [7:0] f_late = f_other - f_seen, f_age = f_other - f_seen_q;
    wire [7:0] f_own_late = f_own - f_own_seen, f_own_age = f_own - f_own_seen_q;
    reg  [1:0] f_link_pace;
    integer    f_l;
    always @* begin
        f_link_pace = 2'd0;
        for (f_l = 0; f_l < DEGREE; f_l = f_l + 1) if (f_link[f_l]) f_link_pace = link_pace[2*f_l+:2];
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
        assume (f_link_pace == f_seen[1:0]);
        // The ticks seen lie between those seen before and the true ticks.
        assume (f_late <= f_age && f_own_late <= f_own_age);
    end
    always @* if (f_past) begin
        assert (pace == f_own[1:0]);
        assert (f_apart == 8'd0 || f_apart == 8'd1 || f_apart == 8'd255);
        assert (f_seems == 8'd0 || f_seems == 8'd1 || f_seems == 8'd255);
        // invariants: how old the seen ticks may be, and that each tick waited for them
        assert (f_age <= 8'd2 && f_own_age <= 8'd2);
        assert (f_age <= 8'd1 + f_apart && f_own_age <= 8'd1 - f_apart);
    end
    always @* begin
        cover (f_past && f_late == 8'd2 && f_apart == 8'd1 && f_own == 8'd3);
        cover (f_past && f_own_late == 8'd2 && f_apart == 8'd255 && f_other == 8'd3);
        cover (f_past && f_late == 8'd0 && f_own_late == 8'd0 && f_apart == 8'd1 && f_own == 8'd5);
    end
