// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_port_delivery, to stand before its endmodule:
// whatever the other links do, each well-formed message of a link is written once to the
// queue of that link as soon as that has room; nothing else is; they leave on the stream of that
// link as they are, in their order. AXI4-Stream. The properties of the queues are proved with it,
// and that they have room for what is written.

    reg f_past = 1'b0, f_waits = 1'b0;

    // One link stands for all.
    (* anyconst *) wire [SOURCES-1:0] f_source;
    reg [5:0]       f_count;  // messages written that have not left
    reg [WIDTH-1:0] f_body, f_out, f_data;
    wire f_asks   = |(ask & f_source);
    wire f_made   = |(made & f_source);
    wire f_good   = |(accept & f_source);
    wire f_tvalid = |(m_axis_tvalid & f_source);
    wire f_tready = |(m_axis_tready & f_source);
    wire f_comes  = f_made && f_good;
    wire f_leaves = f_tvalid && f_tready;

    // One message, whichever: how many are before it, and what it was when it came.
    (* anyseq *) wire f_choose;
    reg               f_marked;
    reg [5:0]         f_before;
    reg [WIDTH-1:0]   f_word;

    // What the queues, by their own properties, hold.
    wire [SOURCES-1:0] f_rooms, f_counted, f_held;
    genvar f_g;
    generate
        for (f_g = 0; f_g < SOURCES; f_g = f_g + 1) begin : source
            (* hierconn *) wire [DEPTH*WIDTH-1:0] \queue.f_words ;
            (* hierconn *) wire [5:0]             \queue.f_count ;
            wire [WIDTH-1:0] f_slot = \queue.f_words >> (f_before * WIDTH);
            assign f_rooms[f_g]   = room;
            assign f_counted[f_g] = \queue.f_count == f_count;
            assign f_held[f_g]    = f_slot == f_word;
        end
    endgenerate
    integer f_i;
    always @* begin
        f_body = 0;
        f_out  = 0;
        for (f_i = 0; f_i < SOURCES; f_i = f_i + 1)
            if (f_source[f_i]) begin
                f_body = bodies[f_i*WIDTH+:WIDTH];
                f_out  = m_axis_tdata[f_i*WIDTH+:WIDTH];
            end
    end
    always @(posedge clk) begin
        f_past  <= 1'b1;
        f_waits <= f_tvalid && !f_tready && !rst;
        f_data  <= f_out;
        f_count <= f_count + f_comes - f_leaves;
        if (f_marked && f_leaves) {f_marked, f_before} <= {f_before != 0, f_before - 6'd1};
        if (!f_marked && f_comes && f_choose)
            {f_marked, f_before, f_word} <= {1'b1, f_count - {5'd0, f_leaves}, f_body};
        if (rst) {f_marked, f_count} <= 7'd0;
    end
    always @* begin
        if (!f_past) assume (rst);
        assume (f_source != 0 && (f_source & (f_source - 1)) == 0);
    end
    always @* if (f_past) begin
        assert (f_made == (f_asks && f_count < DEPTH));
        assert (f_tvalid == (f_count != 0));
        assert (|(f_rooms & f_source) == (f_count < DEPTH));  // invariant
        assert (f_count <= DEPTH);
        if (f_waits) assert (f_tvalid && f_out == f_data);
        if (f_marked && f_before == 0) assert (f_tvalid && f_out == f_word);
        // invariants
        assert (|(f_counted & f_source));
        if (f_marked) assert (f_before < f_count && |(f_held & f_source));
    end
    always @* begin
        cover (f_past && f_made && f_good && f_tvalid && f_tready);
        cover (f_past && f_asks && !f_made && !f_tready);
        cover (f_past && f_made && !f_good);
        cover (f_past && f_marked && f_before == 0 && f_leaves && f_count == DEPTH);
    end
