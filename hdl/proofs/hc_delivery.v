// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_delivery, to stand before its endmodule: what is made is written once, one
// message a cycle and only where there is room; messages of all links leave as they are, in the
// order in which they came; AXI4-Stream. The properties of its arbiter and its queue are proved
// with it, and that the queue has room for what is written.

    // What its queue, by its own properties, holds.
    (* hierconn *) wire [DEPTH*WIDTH-1:0] \queue.f_words ;
    (* hierconn *) wire [5:0]             \queue.f_count ;

    reg f_past = 1'b0, f_waits = 1'b0;
    reg [WIDTH-1:0] f_data;
    (* anyconst *) wire [SOURCES-1:0] f_source;
    reg [WIDTH-1:0] f_body;
    integer f_i;
    always @* begin
        f_body = 0;
        for (f_i = 0; f_i < SOURCES; f_i = f_i + 1) if (f_source[f_i]) f_body = bodies[f_i*WIDTH+:WIDTH];
    end
    reg [5:0] f_count;  // messages that were written and have not left
    wire f_comes  = (made & accept) != 0;
    wire f_leaves = m_axis_tvalid && m_axis_tready;

    // One message of the link f_source, whichever: how many are before it, and what it was.
    (* anyseq *) wire f_choose;
    reg               f_marked;
    reg [5:0]         f_before;
    reg [WIDTH-1:0]   f_word;
    wire [WIDTH-1:0]  f_held = \queue.f_words >> (f_before * WIDTH);
    always @(posedge clk) begin
        f_past  <= 1'b1;
        f_count <= f_count + f_comes - f_leaves;
        if (f_marked && f_leaves) {f_marked, f_before} <= {f_before != 0, f_before - 6'd1};
        if (!f_marked && f_comes && |(made & f_source) && f_choose)
            {f_marked, f_before, f_word} <= {1'b1, f_count - {5'd0, f_leaves}, f_body};
        if (rst) {f_marked, f_count} <= 7'd0;
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
        if (f_count < DEPTH && ask != 0) assert (made != 0);
        assert (m_axis_tvalid == (f_count != 0));
        if (f_marked && f_before == 0) assert (m_axis_tvalid && m_axis_tdata == f_word);
        // invariants
        assert (f_count == \queue.f_count );
        assert (room == (f_count < DEPTH));
        if (f_marked) assert (f_before < f_count && f_held == f_word);
        if (f_waits) assert (m_axis_tvalid && m_axis_tdata == f_data);
    end
    always @* cover (f_past && completed && m_axis_tvalid && |(made & f_source));
    always @* cover (f_past && f_marked && f_before == 0 && f_leaves && f_count == DEPTH);
