// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_packets, inserted before its endmodule: the messages of a source are handed
// out in order, unchanged and once; no other message is handed out within a packet; a full queue has a
// complete packet; packet_split follows each part that is cut off; and m_axis obeys AXI4-Stream.

    localparam integer F_DEPTH = 1 << DEPTH_BITS;

    reg f_past = 1'b0, f_waits = 1'b0;

    // One symbolic source, and one symbolic number of its messages (modulo 2^8), stand for all.
    (* anyconst *) wire [SOURCE_BITS-1:0] f_source;
    (* anyconst *) wire [7:0]             f_n;
    reg  [7:0]     f_written, f_read;
    reg  [WIDTH:0] f_word;   // the last message with this number
    reg            f_shown;  // that message is on m_axis
    reg  [WIDTH:0] f_before;
    reg  [SOURCE_BITS-1:0] f_id;
    wire           f_takes   = take && s_axis_tid == f_source;
    wire           f_fetches = fetch && source == f_source;
    wire [7:0]     f_stored  = f_written - f_read;
    wire [7:0]     f_ahead   = f_n - f_read;

    // Packets of the source whose end is in the queue, and packets of the source that wait.
    reg [7:0] f_ends, f_waiting, f_tail;
    reg       f_legal;  // the sources of all waiting packets are below SOURCES
    integer   f_k;
    reg [DEPTH_BITS-1:0] f_at;
    reg f_took, f_cut, f_none;  // in the previous cycle: a message of the source, the last one of a part, no message
    always @* begin
        f_ends    = 0;
        f_waiting = goes_on && source_q == f_source;
        f_tail    = 0;
        f_legal   = 1'b1;
        for (f_k = 0; f_k < F_DEPTH; f_k = f_k + 1) begin
            f_at = f_read + f_k;
            if (f_k < f_stored) begin
                f_tail = memory[{f_source, f_at}][WIDTH] ? 0 : f_tail + 1;
                f_ends = f_ends + memory[{f_source, f_at}][WIDTH];
            end
        end
        for (f_k = 0; f_k < PACKETS; f_k = f_k + 1)
            if (waiting_q[f_k]) begin
                if (sources_q[f_k*SOURCE_BITS+:SOURCE_BITS] == f_source) f_waiting = f_waiting + 1;
                if (sources_q[f_k*SOURCE_BITS+:SOURCE_BITS] >= SOURCES) f_legal = 1'b0;
            end
    end

    always @(posedge clk) begin
        f_past  <= 1'b1;
        f_waits <= m_axis_tvalid && !m_axis_tready && !rst;
        f_took   <= f_takes && !rst;
        f_cut    <= f_tail == F_DEPTH - 1 && !s_axis_tlast;
        f_none   <= !take || rst;
        f_before <= word_q;
        f_id     <= source_q;
        if (f_takes) f_written <= f_written + 1;
        if (f_fetches) f_read <= f_read + 1;
        if (f_takes && f_written == f_n) f_word <= {ends, s_axis_tdata};
        if (fetch) f_shown <= f_fetches && f_read == f_n;
        if (rst) begin
            f_written <= 0;
            f_read    <= 0;
            f_shown   <= 1'b0;
        end
    end
    always @* begin
        if (!f_past) assume (rst);
        assume (s_axis_tid < SOURCES && f_source < SOURCES);
    end

    // Contract.
    always @* if (f_past) begin
        if (f_fetches) assert (f_stored != 0);
        if (f_shown && m_axis_tvalid && !(f_stored != 0 && f_ahead < f_stored))
            assert (m_axis_tid == f_source && {m_axis_tlast, m_axis_tdata} == f_word);
        if (f_waits) assert (m_axis_tvalid && word_q == f_before && source_q == f_id);
        if (fetch && goes_on) assert (source == m_axis_tid);
        if (f_stored == F_DEPTH) assert (f_ends != 0);
        if (f_took) assert (packet_split == f_cut);
        if (f_none) assert (!packet_split);
    end

    // Invariants.
    always @* if (f_past) begin
        assert (f_stored <= F_DEPTH);
        assert (written_q[f_source*COUNT_BITS+:COUNT_BITS] == f_written[COUNT_BITS-1:0]);
        assert (read_q[f_source*COUNT_BITS+:COUNT_BITS] == f_read[COUNT_BITS-1:0]);
        if (f_ahead < f_stored) assert (memory[{f_source, f_n[DEPTH_BITS-1:0]}] == f_word);
        assert (!f_shown || begun_q && source_q == f_source && f_read == f_n + 8'd1 && (f_ahead < f_stored || word_q == f_word));
        assert (f_ends == f_waiting);
        assert (length_q[f_source*DEPTH_BITS+:DEPTH_BITS] == f_tail && f_tail < F_DEPTH);
        assert ((waiting_q & (waiting_q + 1)) == 0);
        assert (!full_q || begun_q);
        assert (f_legal);
    end
    always @* begin
        cover (f_past && m_axis_tvalid && m_axis_tlast && f_stored == F_DEPTH && f_read > 1);
        cover (f_past && f_shown && m_axis_tvalid && !m_axis_tlast && f_n == 2);
        cover (f_past && packet_split);
        cover (f_past && s_axis_tvalid && waiting_q[PACKETS-1] && m_axis_tid != f_source && m_axis_tvalid);
    end
