// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_endpoint_core with TIMEOUT, inserted before its endmodule: whatever the network does, an access to
// others ends in TIMEOUT cycles, and is late in the last of them only. Each such access is one message or none. What was
// offered stays, also behind an access that has ended late. At most one reply is owed, and a get ends well only with its own.

    localparam integer F_FULL = ADDRESS_BITS + 36;  // bits of a message with two bits for its kind

    (* anyconst *) wire [DEST_BITS-1:0] f_own;

    reg                     f_past = 1'b0;
    reg                     f_began;  // the access was under way in the previous cycle, too
    reg                     f_held;   // a delivered message was not accepted
    reg                     f_waits;  // a message was offered and not accepted
    reg                     f_sent;   // the network has accepted the message of the access
    reg                     f_left;   // the message of an access that has ended is on offer
    reg                     f_left_get;
    reg  [1:0]              f_owed;   // gets without a reply
    reg  [3:0]              f_age;    // cycles since the access began
    reg                     f_linked;
    reg  [F_FULL-1:0]       f_left_message;
    reg  [DEST_BITS-1:0]    f_left_dest;
    reg  [F_FULL-1:0]       f_out_q;
    reg  [DEST_BITS-1:0]    f_dest_q;
    reg  [PAYLOAD_BITS-1:0] f_in_q;
    reg                     f_write_q, f_legal_q, f_same_q, f_set_q, f_zero_q;
    reg  [1:0]              f_region_q;
    reg  [ADDRESS_BITS-3:0] f_offset_q;
    reg  [3:0]              f_strobes_q;
    reg  [31:0]             f_data_q;
    reg  [DEST_BITS-1:0]    f_access_dest_q;

    wire [F_FULL-1:0] f_in       = s_axis_tdata;
    wire [F_FULL-1:0] f_out      = m_axis_tdata;
    wire [1:0]        f_in_kind  = f_in[F_FULL-1:F_FULL-2];
    wire              f_accepted = m_axis_tvalid && m_axis_tready;
    wire              f_replies  = f_out[F_FULL-1:F_FULL-2] == 2'd3;  // what is offered is a reply
    wire              f_offers   = m_axis_tvalid && !f_replies;       // it is the message of an access
    wire              f_reply    = s_axis_tvalid && s_axis_tready && f_in_kind == 2'd3;

    // The access, as far as it is one to others.
    wire f_unsupported = access_region == 2'd2 ? !access_write && access_set : !access_write || access_strobes != 4'hf;
    wire f_network     = access_region[1] && access_legal && !access_same && !f_unsupported;
    wire [F_FULL-1:0] f_message =
        !access_write ? {2'd2, 4'd0, access_offset, {32 - DEST_BITS{1'b0}}, f_own} :
        {1'b0, access_region[0], access_strobes, access_offset, access_data};
    wire f_last = f_age == TIMEOUT;  // the last cycle of an access to others
    wire f_on   = access && f_network && f_began && !f_sent && linked && !f_left && (access_write || f_owed == 0);  // its message is on offer
    wire f_mine = f_offers && !f_left;
    wire f_well = access_write ? f_mine && m_axis_tready : f_sent && f_reply;

    always @(posedge clk) begin
        f_past          <= 1'b1;
        f_began         <= access && !done && !rst;
        f_held          <= s_axis_tvalid && !s_axis_tready && !rst;
        f_waits         <= m_axis_tvalid && !m_axis_tready && !rst;
        f_sent          <= (f_sent || (f_mine && m_axis_tready)) && !done && !rst;
        f_age           <= access && f_network && !done && !rst ? f_age + 4'd1 : 4'd0;
        f_left          <= !rst && (f_left ? !(f_offers && m_axis_tready) : f_on && done && !(f_mine && m_axis_tready));
        f_owed          <= rst ? 2'd0 : f_owed + (f_offers && m_axis_tready && f_out[F_FULL-1]) - f_reply;
        f_linked        <= linked && !rst;
        f_out_q         <= f_out;
        f_dest_q        <= m_axis_tdest;
        f_in_q          <= s_axis_tdata;
        f_write_q       <= access_write;
        f_region_q      <= access_region;
        f_offset_q      <= access_offset;
        f_strobes_q     <= access_strobes;
        f_data_q        <= access_data;
        f_access_dest_q <= access_dest;
        {f_legal_q, f_same_q, f_set_q, f_zero_q} <= {access_legal, access_same, access_set, access_zero};
        if (!f_left) {f_left_get, f_left_message, f_left_dest} <= {!access_write, f_message, access_dest};
    end
    always @* begin
        if (!f_past) assume (rst);
        assume (own_dest == f_own);
        // a bridge holds its access until it is done
        if (f_past && f_began) begin
            assume (access && access_write == f_write_q && access_region == f_region_q && access_offset == f_offset_q);
            assume (access_strobes == f_strobes_q && access_data == f_data_q && access_dest == f_access_dest_q);
            assume ({access_legal, access_same, access_set, access_zero} == {f_legal_q, f_same_q, f_set_q, f_zero_q});
        end
        if (access_same) assume (access_legal && !access_set);
        // the router holds what it delivers; a get has one reply, at any time or never
        if (f_past && f_held) assume (s_axis_tvalid && s_axis_tdata == f_in_q);
        if (s_axis_tvalid && f_in_kind == 2'd3) assume (f_owed != 0);
        // cables that have been up stay so until the reset
        if (f_past && f_linked) assume (linked);
    end

    // Contract.
    always @* if (f_past) begin
        if (access && f_network) assert (f_age < TIMEOUT || done);
        if (access && f_network && f_well) assert (done && !refused);
        if (done && f_network && !f_well) assert (refused && f_last);
        if (done && f_network && !refused && !access_write) assert (read_data == f_in[31:0]);
        // a message is that of the access, or of one that has ended late
        if (f_mine) assert (f_on && f_out == f_message && m_axis_tdest == access_dest);
        if (f_offers && f_left) assert (f_out == f_left_message && m_axis_tdest == f_left_dest);
        if (f_on || f_left) assert (m_axis_tvalid);
        // what is offered stays
        if (f_waits) assert (m_axis_tvalid && f_out == f_out_q && m_axis_tdest == f_dest_q);
        // no node has two gets under way
        assert (f_owed < 2 && (f_owed == 0 || !(f_offers && f_out[F_FULL-1])));
        // what programs read
        if (access && access_region == 2'd1 && access_offset == 8 && !access_write) assert (done && read_data[19:17] == {!linked, f_owed[0], f_left});
    end

    // Invariants.
    (* hierconn *) wire \own.message_valid , \own.waits_q , \own.reads_memory ;
    (* hierconn *) wire \send.limited.behind.left_q , \send.limited.behind.owed_q , \gets.requests.reads_q ;
    (* hierconn *) wire [$clog2(TIMEOUT)-1:0] \own.limited.timer_q ;
    (* hierconn *) wire [DEST_BITS+ADDRESS_BITS+35:0] \send.limited.behind.message_q ;
    always @* if (f_past) begin
        assert (\own.message_valid == (access && f_network && f_began && !f_sent));
        assert (\own.waits_q == f_sent && (!f_sent || (access && f_began && f_network && !access_write)));
        assert (!\own.reads_memory || (access && f_began && !f_network && !access_write));
        assert (\send.limited.behind.left_q == f_left && \send.limited.behind.owed_q == f_owed[0]);
        assert ((f_age != 0) == (f_began && f_network && access) && f_age <= TIMEOUT);
        if (f_age != 0) assert (\own.limited.timer_q == f_age - 1);
        if (f_sent) assert (f_owed == 1 && !f_left);
        if (f_left && f_left_get) assert (f_owed == 0);
        if (f_left) assert (linked);
        if (f_left) assert (f_left_get == f_left_message[F_FULL-1]);
        assert (!(\gets.requests.reads_q && reply_valid));
    end
    wire [DEST_BITS-1:0]    f_kept_dest;
    wire                    f_kept_add, f_kept_write;
    wire [3:0]              f_kept_strobes;
    wire [ADDRESS_BITS-3:0] f_kept_address;
    wire [31:0]             f_kept_data;
    assign {f_kept_dest, f_kept_add, f_kept_write, f_kept_strobes, f_kept_address, f_kept_data} = \send.limited.behind.message_q ;
    always @* if (f_past && f_left) begin
        assert (f_kept_dest == f_left_dest && f_kept_write == !f_left_get && !(f_left_get && f_kept_add));
        assert (f_left_message == (f_left_get ? {2'd2, 4'd0, f_kept_address, {32 - DEST_BITS{1'b0}}, f_own} :
            {1'b0, f_kept_add, f_kept_strobes, f_kept_address, f_kept_data}));
    end
    always @* begin
        cover (f_past && done && f_last && access_write && !f_well && f_left);
        cover (f_past && done && f_last && f_well && !access_write);
        cover (f_past && f_left && f_left_get && f_offers && m_axis_tready);
        cover (f_past && f_owed == 1 && !f_sent && f_reply && access && f_network);
        cover (f_past && done && f_last && !linked);
    end
