// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_entry_port, to stand before its endmodule: what is offered and accepted is
// the newest message of the queue in the next cycle, if there is room; nothing else is.
// AXI4-Stream. The properties of its queue are proved with it.

    reg f_past = 1'b0, f_waits = 1'b0, f_into_empty = 1'b0, f_stays_empty = 1'b0;
    reg [WIDTH-1:0] f_data, f_offered;
    always @(posedge clk) begin
        f_past        <= 1'b1;
        f_waits       <= m_axis_tvalid && !m_axis_tready && !rst;
        f_data        <= m_axis_tdata;
        f_offered     <= offer_body;
        f_into_empty  <= !rst && !m_axis_tvalid && offer && offer_accept;
        f_stays_empty <= rst || (!m_axis_tvalid && !(offer && offer_accept));
    end
    always @* if (!f_past) assume (rst);
    always @* if (f_past) begin
        if (f_waits) assert (m_axis_tvalid && m_axis_tdata == f_data);
        if (f_into_empty) assert (m_axis_tvalid && m_axis_tdata == f_offered);
        if (f_stays_empty) assert (!m_axis_tvalid);
        assert (m_axis_tvalid || room);
    end
    always @* cover (f_past && f_waits && !room);
