// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_port_delivery with queues of 2 slots, to stand before its endmodule:
// whatever the other links do, each well-formed message of a link is written once to the
// queue of that link, as it is, as soon as that has room; nothing else is. AXI4-Stream. That
// words leave in their order is shown by the properties of the queues, which are proved with
// it, and that the queues have room for what is written.

    reg f_past = 1'b0, f_waits = 1'b0, f_into_empty = 1'b0;

    // One link stands for all.
    (* anyconst *) wire [SOURCES-1:0] f_source;
    reg [1:0]       f_count;  // messages written that have not left
    reg [WIDTH-1:0] f_body, f_out, f_data, f_offered;
    wire f_asks   = |(ask & f_source);
    wire f_made   = |(made & f_source);
    wire f_good   = |(accept & f_source);
    wire f_tvalid = |(m_axis_tvalid & f_source);
    wire f_tready = |(m_axis_tready & f_source);
    wire [SOURCES-1:0] f_rooms;
    genvar f_g;
    generate
        for (f_g = 0; f_g < SOURCES; f_g = f_g + 1) begin : f_link
            assign f_rooms[f_g] = source[f_g].room;
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
        f_past       <= 1'b1;
        f_waits      <= f_tvalid && !f_tready && !rst;
        f_into_empty <= !f_tvalid && f_made && f_good && !rst;
        f_data       <= f_out;
        f_offered    <= f_body;
        f_count      <= f_count + (f_made && f_good) - (f_tvalid && f_tready);
        if (rst) f_count <= 0;
    end
    always @* begin
        if (!f_past) assume (rst);
        assume (f_source != 0 && (f_source & (f_source - 1)) == 0);
    end
    always @* if (f_past) begin
        assert (f_made == (f_asks && f_count < 2));
        assert (f_tvalid == (f_count != 0));
        assert (|(f_rooms & f_source) == (f_count < 2));  // invariant
        assert (f_count <= 2);
        if (f_waits) assert (f_tvalid && f_out == f_data);
        if (f_into_empty) assert (f_out == f_offered);
    end
    always @* begin
        cover (f_past && f_made && f_good && f_tvalid && f_tready);
        cover (f_past && f_asks && !f_made && !f_tready);
        cover (f_past && f_made && !f_good);
    end
