// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_delivery, inserted before its endmodule: whenever the register is free it takes
// the message of a link input, unchanged, and never a malformed message. The properties of its
// arbiter and of its register are proved with it.

    (* hierconn *) wire \arbiter.complete ;

    reg f_past = 1'b0, f_full;
    reg [BODY_BITS-1:0] f_output, f_word;
    wire f_ready = !f_full || m_axis_tready;
    wire f_take  = (grant & valid) != 0;
    integer f_i;
    always @* begin
        f_word = 0;
        for (f_i = 0; f_i < SOURCES; f_i = f_i + 1) if (grant[f_i]) f_word = bodies[f_i*BODY_BITS+:BODY_BITS];
    end
    always @(posedge clk) begin
        f_past <= 1'b1;
        if (f_ready) {f_full, f_output} <= {f_take, f_word};
        if (rst) f_full <= 1'b0;
    end
    always @* if (!f_past) assume (rst);
    always @* if (f_past) begin
        assert ((grant & ~request) == 0 && (grant & (grant - 1)) == 0);
        assert ((grant != 0) == (f_ready && request != 0));
        assert (m_axis_tvalid == f_full && (!f_full || m_axis_tdata == f_output));
        assert (\arbiter.complete == f_take);
    end
    always @* begin
        cover (f_past && f_full && f_take && &request);
        cover (f_past && !f_full && &request && !f_take);
    end
