// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_output, inserted before its endmodule: a word is taken whenever the register is
// empty or its word leaves, is valid in the next cycle, and does not change until it leaves.

    reg f_past = 1'b0, f_full, f_waits = 1'b0;
    reg [WORD_BITS-1:0] f_word, f_data;
    wire f_ready = !f_full || m_axis_tready;
    always @(posedge clk) begin
        f_past  <= 1'b1;
        f_waits <= m_axis_tvalid && !m_axis_tready && !rst;
        f_data  <= m_axis_tdata;
        if (f_ready) {f_full, f_word} <= {valid, data};
        if (rst) f_full <= 1'b0;
    end
    always @* if (!f_past) assume (rst);
    always @* if (f_past) begin
        assert (ready == f_ready);
        assert (m_axis_tvalid == f_full && (!f_full || m_axis_tdata == f_word));
        if (f_waits) assert (m_axis_tvalid && m_axis_tdata == f_data);
    end
    always @* cover (f_past && f_waits && m_axis_tready && valid && data != f_word);
