// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_entry_port, to stand before its endmodule: what is offered and accepted is
// written, as it is, if there is room, and nothing else is; words leave in the order in which
// they came. AXI4-Stream. The properties of its queue are proved with it, and that it has room
// for what is written.

    // The messages as they should leave, the oldest lowest, and how many there are.
    reg [DEPTH*WIDTH-1:0] f_words;
    reg [5:0]             f_count;
    reg f_past = 1'b0, f_waits = 1'b0;
    reg [WIDTH-1:0] f_data;
    integer f_i;
    always @(posedge clk) begin
        f_past  <= 1'b1;
        f_waits <= m_axis_tvalid && !m_axis_tready && !rst;
        f_data  <= m_axis_tdata;
    end
    always @(posedge clk) begin : f_queue
        reg f_taken;
        f_taken = offer && offer_accept && f_count < DEPTH;
        if (m_axis_tready && f_count != 0) begin
            f_words = f_words >> WIDTH;
            f_count = f_count - 1;
        end
        for (f_i = 0; f_i < DEPTH; f_i = f_i + 1)
            if (f_taken && f_i == f_count) f_words[f_i*WIDTH+:WIDTH] = offer_body;
        if (f_taken) f_count = f_count + 1;
        if (rst) f_count = 0;
    end
