// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_delivery, to stand before its endmodule: what is made is written once, as
// it is, one message a cycle and only where there is room; AXI4-Stream. The properties of
// its arbiter and its queue are proved with it, and that the queue has room for what is written.

    reg f_past = 1'b0, f_waits = 1'b0;
    reg [WIDTH-1:0] f_data;
    (* anyconst *) wire [SOURCES-1:0] f_source;
    reg [WIDTH-1:0] f_body;
    integer f_i;
    always @* begin
        f_body = 0;
        for (f_i = 0; f_i < SOURCES; f_i = f_i + 1) if (f_source[f_i]) f_body = bodies[f_i*WIDTH+:WIDTH];
    end
    always @(posedge clk) begin
        f_past  <= 1'b1;
        f_waits <= m_axis_tvalid && !m_axis_tready && !rst;
        f_data  <= m_axis_tdata;
    end
    always @* begin
        if (!f_past) assume (rst);
        assume (f_source != 0 && (f_source & (f_source - 1)) == 0);
    end
    always @* if (f_past) begin
        assert ((made & ~ask) == 0 && (made & (made - 1)) == 0);
        assert (completed == ((made & accept) != 0));
        if (completed && |(made & f_source)) assert (body == f_body);
        if (room && ask != 0) assert (made != 0);
        if (f_waits) assert (m_axis_tvalid && m_axis_tdata == f_data);
    end
    always @* cover (f_past && completed && m_axis_tvalid && |(made & f_source));
