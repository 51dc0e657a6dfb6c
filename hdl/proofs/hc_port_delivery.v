// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_port_delivery, inserted before its endmodule: whatever the other links do, the
// register of a link takes each well-formed message of its link input as soon as it is free,
// unchanged, and nothing else. The properties of the registers are proved with it.

    reg f_past = 1'b0, f_full;

    // One link stands for all.
    (* anyconst *) wire [SOURCES-1:0] f_source;
    reg [BODY_BITS-1:0] f_body, f_out, f_word;
    wire f_requests = |(request & f_source);
    wire f_grant    = |(grant & f_source);
    wire f_valid    = |(valid & f_source);
    wire f_tvalid   = |(m_axis_tvalid & f_source);
    wire f_tready   = |(m_axis_tready & f_source);
    wire f_ready    = !f_full || f_tready;
    integer f_i;
    always @* begin
        f_body = 0;
        f_out  = 0;
        for (f_i = 0; f_i < SOURCES; f_i = f_i + 1)
            if (f_source[f_i]) begin
                f_body = bodies[f_i*BODY_BITS+:BODY_BITS];
                f_out  = m_axis_tdata[f_i*BODY_BITS+:BODY_BITS];
            end
    end
    always @(posedge clk) begin
        f_past <= 1'b1;
        if (f_ready) {f_full, f_word} <= {f_requests && f_valid, f_body};
        if (rst) f_full <= 1'b0;
    end
    always @* begin
        if (!f_past) assume (rst);
        assume (f_source != 0 && (f_source & (f_source - 1)) == 0);
    end
    always @* if (f_past) begin
        assert (f_grant == f_ready);
        assert (f_tvalid == f_full && (!f_full || f_out == f_word));
    end
    always @* begin
        cover (f_past && f_full && f_grant && f_requests && f_valid && f_body != f_out);
        cover (f_past && f_requests && !f_grant);
        cover (f_past && f_requests && f_grant && !f_valid);
    end
