// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_link_clocks, inserted before its endmodule: the words that are offered are those that were
// accepted, each once and in their order, whatever the edges of both clocks are and in whatever order both sides
// leave reset. Any one word stands for all.

    (* hierconn *) wire [5:0] \write_crossing.f_launched , \write_crossing.f_second ;
    (* hierconn *) wire [5:0] \read_crossing.f_launched , \read_crossing.f_second ;
    wire [5:0] f_written = \write_crossing.f_launched ;
    wire [5:0] f_written_seen = \write_crossing.f_second ;
    wire [5:0] f_read = \read_crossing.f_launched ;
    wire [5:0] f_read_seen = \read_crossing.f_second ;

    (* anyconst *) wire [BITS-1:0] f_at;  // the count of words before the followed one
    (* anyseq *) wire f_follow;           // it is the next word with this count
    reg [WIDTH-1:0] f_word;
    reg f_in = 1'b0, f_gone = 1'b0, f_offered = 1'b0;  // it is accepted, is in the output register or was, is there
    reg [5:0] f_left = 6'd0;              // words that have left, modulo 64
    reg f_s_out = 1'b0, f_m_out = 1'b0;   // the resets are over
    initial {write_q, ready_q, read_q, valid_q} = 0;
    always @(posedge s_clk) begin
        if (!s_rst) f_s_out <= 1'b1;
        if (!s_rst && s_axis_tvalid && s_axis_tready && write_q == f_at && f_follow && !f_in) begin
            f_in   <= 1'b1;
            f_word <= s_axis_tdata;
        end
    end
    always @(posedge m_clk) begin
        if (!m_rst) f_m_out <= 1'b1;
        if (m_axis_tvalid && m_axis_tready && !m_rst) f_left <= f_left + 6'd1;
        if (!m_rst && read && read_q == f_at && f_in && !f_gone) {f_gone, f_offered} <= 2'b11;
        else if (m_axis_tready) f_offered <= 1'b0;
    end
    always @* begin
        assume (!s_rst || !f_s_out);
        assume (!m_rst || !f_m_out);
    end

    wire [BITS-1:0] f_ahead = f_at - read_q, f_waiting = write_q - read_q;
    wire [5:0] f_held = f_written - f_read_seen;
    always @* begin
        assert (f_left + {5'd0, m_axis_tvalid} == f_read);
        assert (f_written - f_left <= FULL + 6'd1);  // words in the queue: no more leave than come
        if (f_offered) assert (m_axis_tvalid && m_axis_tdata == f_word);
        // invariants
        assert (write_q == f_written[BITS-1:0] && read_q == f_read[BITS-1:0]);
        assert (f_held <= FULL && f_written_seen - f_read_seen <= f_held);
        assert (f_read - f_read_seen <= f_written_seen - f_read_seen);
        if (ready_q) assert (f_held < FULL);
        if (f_in && !f_gone) assert (f_ahead < f_waiting && memory[f_at[PLACES_BITS-1:0]] == f_word);
        assert ((f_in || !f_gone) && (f_gone || !f_offered));
        assert (f_s_out || !ready_q);
        assert (f_m_out || (!valid_q && read_q == 0));
    end
    always @* begin
        cover (f_offered && f_m_out && m_axis_tready && f_left != 0);
        cover (f_held == FULL && !f_m_out);
        cover (f_written == 6'd5 && f_held == 6'd1);
    end
