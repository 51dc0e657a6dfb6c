// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_ring_mark, inserted before its endmodule: it holds the clock of the router
// exactly while an entrant waits that has been passed in two ticks or more, as docs/architecture.md counts
// them, and records nothing while no entrant waits.

    reg       f_past = 1'b0, f_waiting = 1'b0, f_passed;
    reg [7:0] f_ticks;  // ticks in which the entrant has been passed, at most 128
    wire      f_now = f_passed || passes;
    always @(posedge clk) begin
        f_past    <= 1'b1;
        f_waiting <= waiting && !rst;
        f_passed  <= waiting && !rst && f_now && !tick;
        if (tick && f_now) f_ticks <= f_ticks < 128 ? f_ticks + 1 : 128;
        if (!waiting || rst) f_ticks <= 0;
    end
    always @* if (!f_past) assume (rst);

    // Contract.
    always @* if (f_past) begin
        assert (hold == (f_ticks >= 2));
        assert (!hold || f_waiting);
    end

    // Invariants.
    always @* if (f_past) begin
        assert (passed_q == f_passed && once_q == (f_ticks >= 1));
        assert (!twice_q || once_q);
        assert (f_waiting || !(passed_q || once_q || twice_q));
        assert (f_ticks <= 128);
    end
    always @* begin
        cover (f_past && hold && f_passed && !waiting);
        cover (f_past && once_q && !hold && f_passed && tick && passes);
        cover (f_past && !passed_q && passes && waiting && tick && !once_q);
    end
