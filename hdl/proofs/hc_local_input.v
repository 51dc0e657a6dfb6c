// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_local_input, to stand before its endmodule: of every message each copy
// is made once, and it is taken in the cycle of the last one; none before the gate opens.

    reg f_past = 1'b0, f_waits = 1'b0, f_asked = 1'b0;
    reg f_open_next;
    reg [GROUPS-1:0] f_copies;  // of the message that is there, in earlier cycles
    always @(posedge clk) begin
        f_past   <= 1'b1;
        f_waits  <= s_axis_tvalid && !s_axis_tready && !rst;
        f_asked  <= s_axis_tvalid && !s_axis_tready && open && !rst;
        f_open_next <= open_next || rst;
        f_copies <= s_axis_tready || rst ? 0 : f_copies | made;
    end
    always @* begin
        if (!f_past) assume (rst);
        if (f_past && f_waits) assume (s_axis_tvalid);
        // the gate stays open for what has asked, and tells a cycle ahead; a group makes what asks
        if (f_past) assume (open == f_open_next);
        if (s_axis_tvalid && !s_axis_tready && open) assume (open_next);
        assume ((made & ~ask) == 0);
    end
    always @* if (f_past) begin
        assert ((made & f_copies) == 0);
        assert (ask == (s_axis_tvalid && open ? ~f_copies : {GROUPS{1'b0}}));
        assert (s_axis_tready == (s_axis_tvalid && open && (f_copies | made) == {GROUPS{1'b1}}));
        // invariants
        assert (needed == (open ? ~f_copies : {GROUPS{1'b0}}));
        assert (f_copies == 0 || f_waits && f_asked);
        assert (f_copies != {GROUPS{1'b1}});
        assert (!f_asked || f_waits);
    end
    always @* cover (f_past && s_axis_tready && f_copies != 0);
