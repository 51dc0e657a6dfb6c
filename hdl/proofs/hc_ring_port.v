// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_ring_port, to stand before its endmodule: its three slots as the contract
// describes them, the room and the bubble rule, and AXI4-Stream. The properties of its
// arbiter are proved with it.

    reg f_past = 1'b0, f_waits = 1'b0;
    reg f_o, f_c, f_e;  // slots in use
    reg [WIDTH-1:0] f_output, f_continue, f_enter, f_data;
    always @* if (!f_past) assume (rst);

    // What is written in this cycle.
    wire f_free      = !f_o || m_axis_tready;
    wire f_new_c     = continue_ask && continue_accept && !f_c;
    wire f_new_e     = |(enter_select & enter_accept) && !f_e;
    reg [WIDTH-1:0] f_word;
    integer f_i;
    always @* begin
        f_word = 0;
        for (f_i = 0; f_i < ENTRANTS; f_i = f_i + 1)
            if (enter_select[f_i]) f_word = enter_words[f_i*WIDTH+:WIDTH];
    end

    always @(posedge clk) begin
        f_past  <= 1'b1;
        f_waits <= m_axis_tvalid && !m_axis_tready && !rst;
        f_data  <= m_axis_tdata;
        // first of all as if nothing were taken by the output slot
        if (f_new_c) {f_c, f_continue} <= {1'b1, continue_word};
        if (f_new_e) {f_e, f_enter} <= {1'b1, f_word};
        if (f_free) begin
            f_o <= 1'b0;
            if (f_c) {f_o, f_output, f_c} <= {1'b1, f_continue, 1'b0};
            else if (f_new_c) {f_o, f_output, f_c} <= {1'b1, continue_word, 1'b0};
            else if (f_e && !continue_ask) {f_o, f_output, f_e} <= {1'b1, f_enter, 1'b0};
            else if (f_new_e && !continue_ask) {f_o, f_output, f_e} <= {1'b1, f_word, 1'b0};
        end
        if (rst) {f_o, f_c, f_e} <= 3'b000;
    end
    always @* if (f_past) begin
        assert (m_axis_tvalid == f_o && (!f_o || m_axis_tdata == f_output));
        assert (continue_full_q == f_c && (!f_c || continue_q == f_continue));
        assert (enter_full_q == f_e && (!f_e || enter_q == f_enter));
        assert (continue_made == (continue_ask && !f_c));
        assert ((enter_made & enter_ask) == (f_e ? {ENTRANTS{1'b0}} : enter_select));
        if (f_waits) assert (m_axis_tvalid && m_axis_tdata == f_data);
    end
    always @* begin
        cover (f_past && f_o && f_c && f_e && m_axis_tready);
        cover (f_past && !f_o && f_e);
    end
