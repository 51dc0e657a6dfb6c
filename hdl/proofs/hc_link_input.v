// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_link_input, to stand before its endmodule: of every well-formed message
// each wanted copy is made once, and it is taken in the cycle of the last one; of a
// malformed one nothing is copied, and it is counted once.

    reg f_past = 1'b0, f_waits = 1'b0, f_dropped = 1'b0;
    reg [WD_BITS-1:0] f_wd;
    reg [WC_BITS-1:0] f_wc;
    reg [TARGETS-1:0] f_copies;  // of the message that is there, in earlier cycles
    wire f_good = wd == DIMENSION && wc >= 1 && wc <= LARGEST;
    wire [TARGETS-1:0] f_wanted = CONTINUES != 0 && wc <= 1 ? {TARGETS{1'b1}} >> 1 : {TARGETS{1'b1}};
    // What a target writes: nothing is made of a message that is not accepted.
    wire [TARGETS-1:0] f_now = made & {TARGETS{accept}};
    always @(posedge clk) begin
        f_past    <= 1'b1;
        f_waits   <= s_axis_tvalid && !s_axis_tready && !rst;
        f_dropped <= s_axis_tvalid && !f_good && !rst;
        f_wd      <= wd;
        f_wc      <= wc;
        f_copies  <= s_axis_tvalid && !s_axis_tready && !rst ? f_copies | f_now : 0;
        if (rst) f_copies <= 0;
    end
    always @* begin
        if (!f_past) assume (rst);
        if (f_past && f_waits) assume (s_axis_tvalid && wd == f_wd && wc == f_wc);
        // a target makes what asks
        assume ((made & ~ask) == 0);
    end
    always @* if (f_past) begin
        assert (accept == f_good);
        assert (header_error == f_dropped);
        assert (f_good || s_axis_tready == s_axis_tvalid);
        assert ((f_now & f_copies) == 0);
        assert ((f_now & ~f_wanted) == 0);
        if (s_axis_tvalid && f_good) begin
            assert (s_axis_tready == ((f_copies | f_now) == f_wanted));
            assert (ask == (f_wanted & ~f_copies));
        end
        if (!s_axis_tvalid) assert (ask == 0 && !s_axis_tready);
        assert (next_wc + 1'b1 == wc);
        // invariants
        assert (made_q == f_copies);
        assert (f_copies == 0 || f_waits);
        assert (!f_waits || f_good && (f_copies & ~f_wanted) == 0 && f_copies != f_wanted);
    end
    always @* begin
        cover (f_past && f_copies != 0 && s_axis_tready && wc == 1);
        cover (f_past && header_error && s_axis_tready && f_good);
    end
