// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_group, inserted before its endmodule: every well-formed message that enters is
// put on each port once, unchanged, and `grant` is high when the last port takes it. A malformed
// message is put on no port. The properties of its arbiter are proved with it.

    reg f_past = 1'b0;

    // One source and one port stand for all.
    (* anyconst *) wire [SOURCES-1:0] f_source;
    (* anyconst *) wire [PORTS-1:0]   f_port;
    wire f_selected = |(select & f_source);
    wire f_valid    = |(valid & f_source);
    wire f_written  = port_valid && |(port_request & port_grant & f_port);
    wire f_grant    = |(grant & f_source);
    reg [BODY_BITS-1:0] f_body;
    integer f_i;
    always @* begin
        f_body = 0;
        for (f_i = 0; f_i < SOURCES; f_i = f_i + 1) if (f_source[f_i]) f_body = bodies[f_i*BODY_BITS+:BODY_BITS];
    end

    reg [SOURCES-1:0] f_stays;   // well formed and not made: must keep requesting
    reg [SOURCES-1:0] f_held_q;  // selected and not completed
    reg               f_got;     // the message of the source has been put on the port
    always @(posedge clk) begin
        f_past   <= 1'b1;
        f_stays  <= rst ? {SOURCES{1'b0}} : request & valid & ~grant;
        f_held_q <= rst || complete ? {SOURCES{1'b0}} : select;
        f_got    <= !rst && (f_got || (f_selected && f_written)) && !f_grant;
    end
    always @* begin
        if (!f_past) assume (rst);
        assume (f_source != 0 && (f_source & (f_source - 1)) == 0);
        assume (f_port != 0 && (f_port & (f_port - 1)) == 0);
        if (f_past) assume ((f_stays & ~(request & valid)) == 0);
    end

    // Contract.
    always @* if (f_past) begin
        if (f_selected && f_written) assert (!f_got && f_valid && port_body == f_body);
        if (f_grant && f_valid) assert (f_got || f_written);
        assert ((grant & ~request) == 0);
        if (f_got) assert (|(f_source & request & valid) && f_selected);
        // it is made as soon as possible
        if (f_selected && f_valid && &(done_q | port_grant)) assert (f_grant);
    end

    // Invariants.
    always @* if (f_past) begin
        assert (f_got == (|(f_held_q & f_source) && |(done_q & f_port)));
        assert (done_q == 0 || (f_held_q & f_stays) != 0);
        assert (done_q != {PORTS{1'b1}});
        assert ((f_held_q & (f_held_q - 1)) == 0);
    end
    always @* begin
        cover (f_past && f_got && f_grant);
        cover (f_past && f_selected && !f_valid && done_q == 0 && |grant);
    end
