// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_entry_port, to stand before its endmodule: what is offered and accepted is
// written once, if there is room; nothing else is; messages leave as they are, in the order in
// which they came. AXI4-Stream. The properties of its queue are proved with it, and that the
// queue has room for what is written.

    // What its queue, by its own properties, holds.
    (* hierconn *) wire [DEPTH*WIDTH-1:0] \queue.f_words ;
    (* hierconn *) wire [5:0]             \queue.f_count ;

    reg f_past = 1'b0, f_waits = 1'b0;
    reg [WIDTH-1:0] f_data;
    reg [5:0]       f_count;  // messages that were written and have not left
    wire f_comes  = offer && offer_accept && f_count < DEPTH;
    wire f_leaves = m_axis_tvalid && m_axis_tready;

    // One message, whichever: how many are before it, and what it was when it came.
    (* anyseq *) wire f_choose;
    reg               f_marked;
    reg [5:0]         f_before;
    reg [WIDTH-1:0]   f_word;
    wire [WIDTH-1:0]  f_held = \queue.f_words >> (f_before * WIDTH);
    always @(posedge clk) begin
        f_past  <= 1'b1;
        f_waits <= m_axis_tvalid && !m_axis_tready && !rst;
        f_data  <= m_axis_tdata;
        f_count <= f_count + f_comes - f_leaves;
        if (f_marked && f_leaves) {f_marked, f_before} <= {f_before != 0, f_before - 6'd1};
        if (!f_marked && f_comes && f_choose)
            {f_marked, f_before, f_word} <= {1'b1, f_count - {5'd0, f_leaves}, offer_body};
        if (rst) {f_marked, f_count} <= 7'd0;
    end
    always @* if (!f_past) assume (rst);
    always @* if (f_past) begin
        assert (m_axis_tvalid == (f_count != 0));
        assert (room == (f_count < DEPTH));
        if (f_waits) assert (m_axis_tvalid && m_axis_tdata == f_data);
        if (f_marked && f_before == 0) assert (m_axis_tvalid && m_axis_tdata == f_word);
        // invariants
        assert (f_count == \queue.f_count );
        if (f_marked) assert (f_before < f_count && f_held == f_word);
    end
    always @* cover (f_past && f_waits && !room);
    always @* cover (f_past && f_marked && f_before == 0 && f_leaves && f_count == DEPTH);
