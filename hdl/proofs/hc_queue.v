// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_queue, to stand before its endmodule.

    // The words as they should be, the oldest lowest, and how many there are.
    reg [DEPTH*WIDTH-1:0] f_words;
    reg [5:0]             f_count;

    reg                   f_past = 1'b0;
    always @(posedge clk) f_past <= 1'b1;
    always @* if (!f_past) assume (rst);
    always @* if (f_past) assume (!write || room);  // asserted of a queue in another module

    wire    f_leave = m_axis_tvalid && m_axis_tready;
    integer f_i;
    always @(posedge clk) begin
        if (f_leave) f_words = f_words >> WIDTH;
        if (f_leave) f_count = f_count - 1;
        for (f_i = 0; f_i < DEPTH; f_i = f_i + 1)
            if (write && f_i == f_count) f_words[f_i*WIDTH+:WIDTH] = write_data;
        if (write) f_count = f_count + 1;
        if (rst) f_count = 0;
    end

    // Invariants: where each word is.
    wire [DEPTH:0] f_same;
    genvar f_g;
    generate
        if (DEEP == 0) begin : f_moving
            for (f_g = 0; f_g < DEPTH; f_g = f_g + 1) begin : f_slot
                assign f_same[f_g] = f_g >= f_count
                    || moving.slots_q[f_g*WIDTH+:WIDTH] == f_words[f_g*WIDTH+:WIDTH];
            end
            assign f_same[DEPTH] = 1'b1;
        end else begin : f_memory
            for (f_g = 1; f_g < DEPTH; f_g = f_g + 1) begin : f_place
                wire [$clog2(DEPTH)-1:0] f_at = memory.second_q + f_g - 1;
                assign f_same[f_g] = f_g >= f_count
                    || memory.words[f_at] == f_words[f_g*WIDTH+:WIDTH];
            end
            wire [$clog2(DEPTH)-1:0] f_free = memory.second_q + f_count - 1;
            assign f_same[0]     = f_count == 0 || memory.head_q == f_words[WIDTH-1:0];
            assign f_same[DEPTH] = memory.free_q == f_free;
        end
    endgenerate
    always @* if (f_past) begin
        assert (f_count <= DEPTH);
        assert (level_q == (1 << f_count) - 1);
        assert (&f_same);
    end

    // The contract: words come out in order, and there is room for so many.
    always @* if (f_past) begin
        assert (room == (f_count < DEPTH));
        assert (m_axis_tvalid == (f_count != 0));
        assert (!m_axis_tvalid || m_axis_tdata == f_words[WIDTH-1:0]);
    end

    reg f_filled = 1'b0;
    always @(posedge clk) f_filled <= !rst && (f_filled || !room);
    always @* if (f_past) begin
        cover (!room && m_axis_tready);
        cover (f_filled && f_count == DEPTH - 1 && write && f_leave);
        cover (f_filled && f_count == 0);
    end
