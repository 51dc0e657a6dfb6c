// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_ring_port, inserted before its endmodule: the register takes the message that
// requests to continue, and an entrant only if no message does. Entrants wait and are passed as the
// contract says of marks. The properties of its arbiter, its mark and its register are proved with it.

    (* hierconn *) wire \arbiter.complete , \marked.mark.waiting , \marked.mark.passes ;

    reg f_past = 1'b0, f_full;
    reg [WORD_BITS-1:0] f_output;
    wire f_ready   = !f_full || m_axis_tready;
    wire f_entered = f_ready && !continue_request && |(enter_select & enter_valid);
    reg [WORD_BITS-1:0] f_word;
    integer f_i;
    always @* begin
        f_word = 0;
        for (f_i = 0; f_i < ENTRANTS; f_i = f_i + 1)
            if (enter_select[f_i]) f_word = enter_words[f_i*WORD_BITS+:WORD_BITS];
    end

    always @(posedge clk) begin
        f_past <= 1'b1;
        if (f_ready && continue_request) {f_full, f_output} <= {continue_valid, continue_word};
        if (f_ready && !continue_request) {f_full, f_output} <= {f_entered, f_word};
        if (rst) f_full <= 1'b0;
    end
    always @* if (!f_past) assume (rst);
    always @* if (f_past) begin
        assert (m_axis_tvalid == f_full && (!f_full || m_axis_tdata == f_output));
        assert ((continue_grant && continue_request) == (continue_request && f_ready));
        assert ((enter_grant & enter_request) == (f_ready && !continue_request ? enter_select : {ENTRANTS{1'b0}}));
        assert (enter_request == 0 || \arbiter.complete == f_entered);
        assert (MARKED == 0 || \marked.mark.waiting == ((enter_request & enter_valid) != 0 && !f_entered));
        assert (MARKED == 0 || \marked.mark.passes == (f_ready && continue_request && continue_valid));
    end
    always @* begin
        cover (f_past && f_full && m_axis_tready && continue_request && &enter_request);
        cover (f_past && f_full && !m_axis_tready && continue_request);
        cover (f_past && f_full && m_axis_tready && f_entered && !continue_valid);
        cover (f_past && \marked.mark.waiting && f_ready && !continue_request);
    end
