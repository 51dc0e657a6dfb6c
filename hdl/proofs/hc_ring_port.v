// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_ring_port, to stand before its endmodule: the register takes the message that
// asks to continue, and only if none asks one that enters; an entrant waits, and is passed, as the
// contract says of marks. The properties of its arbiter, its mark and its register are proved with it.

    (* hierconn *) wire \arbiter.completed , \marked.mark.waiting , \marked.mark.passes ;

    reg f_past = 1'b0, f_full;
    reg [WIDTH-1:0] f_output;
    wire f_free    = !f_full || m_axis_tready;
    wire f_entered = f_free && !continue_ask && |(enter_select & enter_accept);
    reg [WIDTH-1:0] f_word;
    integer f_i;
    always @* begin
        f_word = 0;
        for (f_i = 0; f_i < ENTRANTS; f_i = f_i + 1)
            if (enter_select[f_i]) f_word = enter_words[f_i*WIDTH+:WIDTH];
    end

    always @(posedge clk) begin
        f_past <= 1'b1;
        if (f_free && continue_ask) {f_full, f_output} <= {continue_accept, continue_word};
        if (f_free && !continue_ask) {f_full, f_output} <= {f_entered, f_word};
        if (rst) f_full <= 1'b0;
    end
    always @* if (!f_past) assume (rst);
    always @* if (f_past) begin
        assert (m_axis_tvalid == f_full && (!f_full || m_axis_tdata == f_output));
        assert ((continue_made && continue_ask) == (continue_ask && f_free));
        assert ((enter_made & enter_ask) == (f_free && !continue_ask ? enter_select : {ENTRANTS{1'b0}}));
        assert (enter_ask == 0 || \arbiter.completed == f_entered);
        assert (MARKED == 0 || \marked.mark.waiting == ((enter_ask & enter_accept) != 0 && !f_entered));
        assert (MARKED == 0 || \marked.mark.passes == (f_free && continue_ask && continue_accept));
    end
    always @* begin
        cover (f_past && f_full && m_axis_tready && continue_ask && &enter_ask);
        cover (f_past && f_full && !m_axis_tready && continue_ask);
        cover (f_past && f_full && m_axis_tready && f_entered && !continue_accept);
        cover (f_past && \marked.mark.waiting && f_free && !continue_ask);
    end
