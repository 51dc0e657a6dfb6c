// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_chip_window, inserted before its endmodule: a word that is accepted gets a number, each once
// and in the order of its link, and a frame with this number has this word until the number is acknowledged. A
// word gets a number only while fewer words of its link than there are places are numbered and not freed. Frames
// go on in the order of numbers, and go back if the other end wants another colour. The user must not acknowledge
// what was not sent, nor free what has no number. Any link and any of its words stand for all.

    localparam [FREED_BITS-1:0]  F_PLACES = {FREED_BITS{1'b1}};
    localparam [NUMBER_BITS-1:0] F_MOST   = {NUMBER_BITS{1'b1}};

    (* anyconst *) wire [LINK_NUMBER-1:0] f_link;
    (* anyconst *) wire [5:0] f_n;          // the number of the word among those of its link, modulo 64
    reg                   f_past = 1'b0;
    reg  [5:0]            f_in, f_out;      // words of the link that were accepted, and that got a number
    reg  [5:0]            f_freed;          // those that have left their places, as the other end says
    reg  [5:0]            f_unacked;        // words with a number that are not acknowledged
    reg                   f_kept;           // the word is one of these
    reg  [NUMBER_BITS-1:0] f_at;            // its number
    reg  [LINK_BITS-1:0]  f_word;
    reg                   f_up, f_want;
    reg  [NUMBER_BITS-1:0] f_next;          // the number of the next frame
    wire [NUMBER_BITS-1:0] f_acks    = ack - acked_q;
    wire [NUMBER_BITS-1:0] f_ahead   = f_at - acked_q;  // unacknowledged words before it
    wire [FREED_BITS-1:0] f_frees    = freed - f_freed[FREED_BITS-1:0];
    wire                  f_near     = s_axis_tvalid[f_link] && s_axis_tready[f_link];
    wire                  f_numbered = leaves && granted_q[f_link];
    wire                  f_frees_now = heard && turn == f_link;

    always @(posedge clk) begin
        f_past    <= 1'b1;
        f_up      <= up;
        f_next    <= back ? ack : take ? number + valid : number;
        f_unacked <= f_unacked + leaves - (heard ? f_acks : 6'd0);
        if (f_near) f_in <= f_in + 6'd1;
        if (f_near && f_in == f_n) f_word <= s_axis_tdata[f_link*LINK_BITS+:LINK_BITS];
        if (f_numbered) f_out <= f_out + 6'd1;
        if (f_frees_now) f_freed <= f_freed + f_frees;
        if (heard) f_want <= want;
        if (f_numbered && f_out == f_n) {f_kept, f_at} <= {1'b1, next_q};
        else if (heard && f_ahead < f_acks) f_kept <= 1'b0;
        if (rst) begin
            f_in      <= 6'd0;
            f_out     <= 6'd0;
            f_freed   <= 6'd0;
            f_unacked <= 6'd0;
            f_kept    <= 1'b0;
            f_want    <= 1'b0;
            f_next    <= {NUMBER_BITS{1'b0}};
        end
    end
    wire [NUMBER_BITS-1:0] f_sent = send_q - acked_q, f_all = next_q - acked_q;  // of those without acknowledgement
    wire [5:0]             f_used = f_out - f_freed;
    always @* begin
        assume (f_link < LINKS);
        if (!f_past) assume (rst);
        assume (!f_past || !heard || f_acks <= f_sent);  // asserted of the user
        assume (!f_past || !f_frees_now || f_frees <= f_used);  // asserted of the user
    end

    // Contract.
    always @* if (f_past) begin
        assert (f_used <= F_PLACES);
        assert (f_unacked <= F_MOST);
        assert (colour == f_want && number == f_next);
        if (!f_up) assert (!s_axis_tready[f_link]);
        if (f_kept && valid && number == f_at) assert (link == f_link && word == f_word);
    end

    // Invariants.
    wire [LINKS-1:0]            f_full, f_credit;
    wire [LINKS*LINK_BITS-1:0]  f_words;
    wire [LINKS*FREED_BITS-1:0] f_nexts, f_freeds;
    wire [(1<<NUMBER_BITS)*ENTRY_BITS-1:0] f_memory;
    genvar                      f_i;
    generate
        for (f_i = 0; f_i < LINKS; f_i = f_i + 1) begin : f_links
            assign f_full[f_i]                            = near[f_i].full_q;
            assign f_credit[f_i]                          = near[f_i].credit_q;
            assign f_words[f_i*LINK_BITS+:LINK_BITS]      = near[f_i].word_q;
            assign f_nexts[f_i*FREED_BITS+:FREED_BITS]  = near[f_i].next_q;
            assign f_freeds[f_i*FREED_BITS+:FREED_BITS] = near[f_i].freed_q;
        end
        for (f_i = 0; f_i < 1 << NUMBER_BITS; f_i = f_i + 1) begin : f_numbers
            assign f_memory[f_i*ENTRY_BITS+:ENTRY_BITS] = memory[f_i];
        end
    endgenerate
    always @* if (f_past) begin
        assert ((granted_q & (granted_q - 1'b1)) == 0);
        assert (f_in - f_out == f_full[f_link]);
        assert (!s_axis_tready[f_link] || !f_full[f_link]);
        assert (f_credit[f_link] == (f_used != F_PLACES));
        if (granted_q[f_link]) assert (f_full[f_link] && f_used < F_PLACES);
        assert (f_nexts[f_link*FREED_BITS+:FREED_BITS] == f_out[FREED_BITS-1:0] + FREED_ONE);
        assert (f_freeds[f_link*FREED_BITS+:FREED_BITS] == f_freed[FREED_BITS-1:0]);
        if (f_full[f_link] && f_out == f_n) assert (f_words[f_link*LINK_BITS+:LINK_BITS] == f_word);
        assert (f_sent <= f_all && f_unacked == f_all);
        if (room_q) assert (f_all < F_MOST);
        if (there_q) assert (f_sent < f_all && entry_q == memory[send_q]);
        if (f_kept) assert (f_ahead < f_all && memory[f_at] == {f_link, f_word});
        if (f_kept) assert (f_out - f_n != 6'd0 && f_out - f_n <= f_all - f_ahead);
    end
    always @* begin
        cover (f_past && f_used == F_PLACES && f_full[f_link] && f_all == 0 && &f_full);
        cover (f_past && f_all == F_MOST && f_sent == 2'd1 && colour && valid && f_kept && f_at == number);
        cover (f_past && f_n == 6'd4 && f_kept && valid && f_at == number && number == 0 && f_unacked == 3);
    end
