// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_endpoint_core, inserted before its endmodule: an access is done as docs/endpoints.md says, and
// the way into the network has one message of each put, add and get to other nodes, and none of another access.
// Other files add properties of the memory, of the gets of other nodes, and of the time that an access takes.

    localparam integer F_FULL = ADDRESS_BITS + 36;  // bits of a message with two bits for its kind
    localparam integer F_R    = (GETS != 0) + 1 + 4 * (ADDS != 0);  // cycles that a turn of the memory port takes at most

    (* anyconst *) wire [DEST_BITS-1:0] f_own;

    reg                     f_past = 1'b0;
    reg                     f_began;  // the access was under way in the previous cycle, too
    reg                     f_held;   // a delivered message was not accepted
    reg                     f_waits;  // a message was offered and not accepted
    reg                     f_sent;   // the network has accepted the message of the access
    reg [F_FULL-1:0]        f_out_q;
    reg [DEST_BITS-1:0]     f_dest_q;
    reg [PAYLOAD_BITS-1:0]  f_in_q;
    reg                     f_write_q, f_legal_q, f_same_q, f_set_q, f_zero_q;
    reg [1:0]               f_region_q;
    reg [ADDRESS_BITS-3:0]  f_offset_q;
    reg [3:0]               f_strobes_q;
    reg [31:0]              f_data_q;
    reg [DEST_BITS-1:0]     f_access_dest_q;
    reg [3:0]               f_asked, f_answered;  // gets of other nodes, and replies that the network has accepted

    // Messages: {kind, strobes, address, data}.
    wire [F_FULL-1:0]       f_in        = s_axis_tdata;
    wire [F_FULL-1:0]       f_out       = m_axis_tdata;
    wire [1:0]              f_in_kind   = f_in[F_FULL-1:F_FULL-2];
    wire [ADDRESS_BITS-3:0] f_in_offset = f_in[ADDRESS_BITS+29:32];
    wire                    f_taken     = s_axis_tvalid && s_axis_tready;
    wire                    f_accepted  = m_axis_tvalid && m_axis_tready;
    wire                    f_replies   = GETS != 0 && f_out[F_FULL-1:F_FULL-2] == 2'd3;  // what is offered is a reply
    wire                    f_get       = s_axis_tvalid && f_in_kind == 2'd2;
    wire                    f_reply     = f_taken && f_in_kind == 2'd3;
    wire [3:0]              f_open      = f_asked - f_answered;

    // The access, by the tables of the contract.
    wire f_bell     = &access_offset;
    wire f_register = access_offset <= 8 || (access_offset >= 16 && access_offset < 16 + DIMENSIONS);
    wire f_writable = access_offset >= 4 && access_offset <= 7;
    wire f_whole    = access_strobes == 4'hf;
    wire f_outside  = access_region[1] ? !access_legal : !access_zero;
    reg  f_unsupported;
    always @* case (access_region)
        2'd0: f_unsupported = 1'b0;
        2'd1: f_unsupported = !f_register || (access_write && !(f_writable && f_whole));
        2'd2: f_unsupported = !access_write && (access_set || (!access_same && GETS == 0));
        2'd3: f_unsupported = !access_write || ADDS == 0 || !f_whole;
    endcase
    wire f_refused = f_outside || f_unsupported;
    wire f_network = !f_refused && access_region[1] && !access_same;
    wire f_ring    = !f_refused && access_region == 2'd2 && access_same && access_write && f_bell;
    wire f_memory  = !f_refused && !f_ring && (access_region == 2'd0 || (access_region[1] && access_same));
    wire [F_FULL-1:0] f_message =
        !access_write ? {2'd2, 4'd0, access_offset, {32 - DEST_BITS{1'b0}}, f_own} :
        {1'b0, access_region[0], access_strobes, access_offset, access_data};
    wire f_offers  = m_axis_tvalid && !f_replies;  // the message of the access is offered

    always @(posedge clk) begin
        f_past          <= 1'b1;
        f_began         <= access && !done && !rst;
        f_held          <= s_axis_tvalid && !s_axis_tready && !rst;
        f_waits         <= m_axis_tvalid && !m_axis_tready && !rst;
        f_sent          <= (f_sent || (f_offers && m_axis_tready)) && !done && !rst;
        f_in_q          <= s_axis_tdata;
        f_out_q         <= f_out;
        f_dest_q        <= m_axis_tdest;
        f_write_q       <= access_write;
        f_region_q      <= access_region;
        f_offset_q      <= access_offset;
        f_strobes_q     <= access_strobes;
        f_data_q        <= access_data;
        f_access_dest_q <= access_dest;
        {f_legal_q, f_same_q, f_set_q, f_zero_q} <= {access_legal, access_same, access_set, access_zero};
        if (f_get && f_taken) f_asked <= f_asked + 4'd1;
        if (f_accepted && f_replies) f_answered <= f_answered + 4'd1;
        if (rst) {f_asked, f_answered} <= 8'd0;
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
        // the router holds what it delivers, and each other node waits for one get at most
        if (f_past && f_held) assume (s_axis_tvalid && s_axis_tdata == f_in_q);
        if (ADDS == 0) assume (f_in_kind != 2'd1);
        if (f_get) assume (f_open < NODES - 1);
    end

    // Contract.
    always @* if (f_past) begin
        if (done) assert (access && refused == f_refused);
        if (access && (f_refused || access_region == 2'd1 || f_ring)) assert (done);
        if (access && f_network && access_write) assert (done == (f_offers && m_axis_tready));
        if (access && f_network && !access_write) assert (done == (f_sent && f_reply));
        if (done && f_network && !access_write) assert (read_data == f_in[31:0]);
        // one message, of an access to others, from the cycle after it began
        if (f_offers) assert (access && f_began && f_network && !f_sent);
        if (f_offers) assert (f_out == f_message && m_axis_tdest == access_dest);
        if (access && f_network && f_began && !f_sent) assert (m_axis_tvalid);
        // what is offered stays
        if (f_waits) assert (m_axis_tvalid && f_out == f_out_q && m_axis_tdest == f_dest_q);
        // receiving does not wait for sending
        if (s_axis_tvalid && (f_in_kind[1] || (f_in_kind == 2'd0 && &f_in_offset))) assert (s_axis_tready);
    end

    // Invariants.
    (* hierconn *) wire       \own.message_valid , \own.reads_memory , \own.waits_q ;
    (* hierconn *) wire [2:1] \memory.arbiter.several.pointer_q ;
    (* hierconn *) wire [3:0] \gets.requests.f_in , \gets.requests.f_out ;
    wire f_counts = f_asked == \gets.requests.f_in && f_answered == \gets.requests.f_out ;
    always @* if (f_past) begin
        assert (\own.message_valid == (access && f_network && f_began && !f_sent) && (f_counts || GETS == 0));
        assert (\own.waits_q == f_sent && (!f_sent || (access && f_began && f_network && !access_write)));
        assert (!\own.reads_memory || (access && f_began && f_memory && !access_write));
        assert (\memory.arbiter.several.pointer_q != 2'b01);
    end
    always @* begin
        cover (f_past && f_waits && f_offers && m_axis_tready && access_region == (ADDS != 0 ? 3 : 2));
        cover (f_past && done && (GETS == 0 || (f_sent && f_reply)));
        cover (f_past && done && f_memory && !access_write);
    end
