// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_endpoint_core, inserted behind those of hc_endpoint_core.v: the receiver stalls at most R cycles.
// If the network accepts what is offered after k cycles at most, and a reply comes l cycles after its get was
// accepted at most, then an access ends within a bound, and so does the oldest get of another node. k and l are any.

    (* anyconst *) wire [3:0] f_k;
    (* anyconst *) wire [3:0] f_l;

    reg [3:0] f_stalls;     // cycles in which the delivered message has waited
    reg [4:0] f_offered;    // cycles in which what is offered has waited
    reg [4:0] f_travels;    // cycles since the one after the get of the access was accepted
    reg [6:0] f_age;        // cycles since the access began
    reg [6:0] f_serves;     // cycles in which a get of another node has waited, since the reply before it
    reg       f_reply_next, f_own_next;  // a message was accepted while the other one waited
    always @(posedge clk) begin
        f_stalls     <= s_axis_tvalid && !s_axis_tready && !rst ? f_stalls + 4'd1 : 4'd0;
        f_offered    <= m_axis_tvalid && !m_axis_tready && !rst ? f_offered + 5'd1 : 5'd0;
        f_travels    <= f_sent && !done && !rst ? f_travels + 5'd1 : 5'd0;
        f_age        <= access && !done && !rst ? f_age + 7'd1 : 7'd0;
        f_serves     <= f_open != 0 && !(f_accepted && f_replies) && !rst ? f_serves + 7'd1 : 7'd0;
        if (f_accepted) f_reply_next <= f_offers && reply_valid;
        if (f_accepted) f_own_next   <= f_replies && \own.message_valid ;
        if (rst) {f_reply_next, f_own_next} <= 2'b00;
    end
    always @* begin
        if (m_axis_tvalid && f_offered >= f_k) assume (m_axis_tready);
        if (f_sent && f_travels >= f_l) assume (f_reply);
    end

    wire [3:0] f_turn   = ADDS != 0 ? 4'd3 : 4'd1;           // cycles of the memory port for a message or an access
    wire [6:0] f_reply_before = GETS != 0 ? 1 + f_k : 0;       // cycles before the message of an access is offered
    wire [6:0] f_most   = f_network ? 1 + f_reply_before + f_k + (access_write ? 0 : 1 + f_l) : f_memory ? F_R + !access_write : 0;
    wire [6:0] f_served = 2 + 6 * (ADDS != 0);               // cycles that a get waits for its turn

    // Contract.
    always @* if (f_past) begin
        assert (f_stalls < F_R || (f_stalls == F_R && (!s_axis_tvalid || s_axis_tready)));
        if (access) assert (f_age < f_most || (f_age == f_most && done));
        if (GETS != 0) assert (f_open == 0 || f_serves < f_served + 4 + 2 * f_k || (f_accepted && f_replies));
        // the message of the access and the reply alternate
        if (f_accepted && f_reply_next) assert (f_replies);
        if (f_accepted && f_own_next) assert (!f_replies);
    end

    // Invariants: what is before a requester of the memory port, and before the message.
    (* hierconn *) wire       \memory.held ;
    (* hierconn *) wire [1:1] \send.arbiter.several.pointer_q ;
    (* hierconn *) wire       \memory.adds.sums_q ;
    wire       f_sums      = ADDS != 0 && \memory.adds.sums_q ;
    wire [3:0] f_hold      = f_sums ? 4'd2 : \memory.held ;
    wire       f_is_0      = \memory.arbiter.several.pointer_q == 2'b00;
    wire       f_is_1      = \memory.arbiter.several.pointer_q == 2'b11;
    wire [3:0] f_before_in = f_hold + (f_is_0 ? 4'd0 : f_turn + (f_is_1 && GETS != 0));
    wire [3:0] f_before    = f_hold + (f_is_0 ? f_turn + (GETS != 0) : f_is_1 && GETS != 0);
    wire [3:0] f_before_get = f_hold + (f_is_1 ? 4'd0 : f_is_0 ? f_turn : 2 * f_turn);
    (* hierconn *) wire \gets.requests.known_q , \gets.requests.reads_q ;
    wire       f_waiting    = f_open != 0 && !reply_valid && !\gets.requests.reads_q ;
    wire [6:0] f_asks       =  // cycles until the reply is accepted at most
        f_waiting ? (\gets.requests.known_q ? 7'd0 : 7'd1) + f_before_get + 7'd3 + 2 * f_k :
        reply_valid ? (f_offers ? 7'd1 + 2 * f_k : f_k) - f_offered : 7'd2 + 2 * f_k;
    always @* if (f_past) begin
        if (f_stalls != 0) assert (f_stalls + f_before_in <= F_R);
        if (access && f_began && f_memory && !\own.reads_memory ) assert (f_age + f_before <= F_R);
        if (\own.reads_memory ) assert (f_age <= F_R + 1);
        assert ((f_age != 0) == f_began);
        assert (f_offered <= f_k && f_travels <= f_l && (f_travels == 0 || f_sent));
        if (f_offers) assert (f_age <= 1 + f_reply_before + f_offered);
        if (\own.message_valid && f_replies) assert (f_age <= 1 + f_offered);
        if (f_sent) assert (f_age <= 2 + f_reply_before + f_k + f_travels);
        if (GETS != 0) assert (f_open == 0 || f_serves + f_asks <= f_served + 4 + 2 * f_k);
        if (f_own_next) assert (\own.message_valid && !\send.arbiter.several.pointer_q );
        if (f_reply_next) assert (reply_valid && \send.arbiter.several.pointer_q );
    end
    always @* begin
        cover (f_past && f_stalls == F_R);
        cover (f_past && done && f_memory && !access_write && f_age == F_R + 1);
        cover (f_past && done && f_network && access_write && f_k == 1 && f_age == f_most);
        cover (f_past && done && f_network && (GETS == 0 || !access_write) && f_k == 1 && f_l == 1 && f_age == f_most);
    end
