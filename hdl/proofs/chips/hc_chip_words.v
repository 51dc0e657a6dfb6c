// SPDX-License-Identifier: Apache-2.0
//
// hc_chip_words: words that cross a cable in one direction, from hc_chip_window at one end to hc_chip_places at the
// other. Any frame may be lost, in both directions, and those that are not arrive in their order at any time.
// At most FRAMES of them are under way in each direction.
//
// The words of a link leave in the order in which they came, each once; what both modules assume of their user
// holds, so that a word always has a place. Any link and any of its words stand for all.

module hc_chip_words #(
    parameter integer LINKS  = 2,
    parameter integer FRAMES = 2
) (
    input wire             clk,
    input wire             rst,
    input wire             up,
    input wire [LINKS-1:0] s_axis_tvalid,
    input wire [LINKS-1:0] s_axis_tdata,
    input wire [LINKS-1:0] m_axis_tready,
    input wire             take,       // a frame begins
    input wire             lost,       // and is lost
    input wire             show,       // the oldest frame on the way arrives
    input wire             back_take,  // the same in the other direction
    input wire             back_lost,
    input wire             back_show,
    input wire             back_turn   // the link whose freed places the frame has
);

    localparam integer BITS      = 6;  // {word, link, valid, number, colour}
    localparam integer BACK_BITS = 6;  // {freed, turn, ack, want}

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* begin
        if (!past) assume (rst);
        assume (back_turn < LINKS);
    end

    // The frames on the way, the oldest lowest. The oldest stays for two cycles and acts in the second.
    reg  [FRAMES*BITS-1:0]      frames_q;
    reg  [FRAMES*BACK_BITS-1:0] backs_q;
    reg  [2:0]                  count_q, back_count_q;
    reg                         act_q, back_act_q;
    wire [2:0]                  left      = count_q - act_q;
    wire [2:0]                  back_left = back_count_q - back_act_q;
    wire                        put       = take && !lost && left < FRAMES;
    wire                        back_put  = back_take && !back_lost && back_left < FRAMES;
    wire [BITS-1:0]             frame     = frames_q[BITS-1:0];
    wire [BACK_BITS-1:0]        back      = backs_q[BACK_BITS-1:0];
    wire                        colour, valid, link, word, want, arrives, leaves, returns;
    wire [1:0]                  number, expected;
    wire [2*LINKS-1:0]          freed;
    wire [LINKS-1:0]            m_axis_tvalid, m_axis_tdata;

    integer i;
    always @(posedge clk) begin
        act_q        <= show && count_q != 0 && !act_q;
        back_act_q   <= back_show && back_count_q != 0 && !back_act_q;
        count_q      <= left + put;
        back_count_q <= back_left + back_put;
        if (act_q) frames_q <= frames_q >> BITS;
        if (back_act_q) backs_q <= backs_q >> BACK_BITS;
        for (i = 0; i < FRAMES; i = i + 1) begin
            if (put && left == i) frames_q[i*BITS+:BITS] <= {word, link, valid, number, colour};
            if (back_put && back_left == i) backs_q[i*BACK_BITS+:BACK_BITS] <= {freed[2*back_turn+:2], back_turn, expected, want};
        end
        if (rst) begin
            act_q        <= 1'b0;
            back_act_q   <= 1'b0;
            count_q      <= 3'd0;
            back_count_q <= 3'd0;
        end
    end

    hc_chip_window #(.LINKS(LINKS), .LINK_BITS(1)) window (
        .clk(clk), .rst(rst), .up(up), .s_axis_tvalid(s_axis_tvalid), .s_axis_tready(), .s_axis_tdata(s_axis_tdata),
        .heard(back_act_q), .want(back[0]), .ack(back[2:1]), .turn(back[3]), .freed(back[5:4]),
        .take(take), .colour(colour), .valid(valid), .number(number), .link(link), .word(word), .leaves(leaves), .returns(returns)
    );
    hc_chip_places #(.LINKS(LINKS), .LINK_BITS(1)) places (
        .clk(clk), .rst(rst), .heard(act_q), .colour(frame[0]), .valid(frame[3]), .number(frame[2:1]), .link(frame[4]), .word(frame[5]),
        .want(want), .expected(expected), .arrives(arrives),
        .m_axis_tvalid(m_axis_tvalid), .m_axis_tready(m_axis_tready), .m_axis_tdata(m_axis_tdata), .freed(freed)
    );

    // Both modules follow the same word of the same link.
    (* hierconn *) wire       \window.f_link , \places.f_link , \window.f_word , \places.f_word , \window.f_kept , \places.f_inside ;
    (* hierconn *) wire [5:0] \window.f_n , \places.f_n , \window.f_in , \window.f_out , \window.f_freed , \places.f_in , \places.f_out ;
    (* hierconn *) wire [1:0] \window.f_at , \window.acked_q , \window.send_q , \window.next_q ;
    (* hierconn *) wire [7:0] \window.f_memory ;
    (* hierconn *) wire       \places.f_same ;
    wire       followed = \window.f_link ;
    wire [5:0] n        = \window.f_n ;
    wire [5:0] accepted = \window.f_in , numbered = \window.f_out , arrived = \places.f_in , gone = \places.f_out ;
    wire [1:0] acked    = \window.acked_q , at = \window.f_at ;
    wire [7:0] memory   = \window.f_memory ;  // {link, word} of each number
    always @* assume (followed == \places.f_link && n == \places.f_n );

    // Contract.
    wire [5:0] inside = accepted - gone;
    always @* if (past) begin
        if (m_axis_tvalid[followed] && gone == n) assert (m_axis_tdata[followed] == \window.f_word );
        assert (inside <= 6'd4 && gone - accepted + inside == 6'd0);
        assert (arrived - gone <= inside);
    end

    // Invariants. Numbers count from the oldest that is not acknowledged.
    wire [1:0] f_expected = expected - acked, f_send = \window.send_q - acked, f_next = \window.next_q - acked;
    reg        in_order, right, back_in_order, back_right;
    reg        c;
    reg  [2:0] least;        // what the next frame can have as its number
    reg  [1:0] d, least_ack, least_freed, k;
    reg  [2:0] f_between, f_before;  // words of the link that have not arrived: all, and those before the followed one
    always @* begin
        // From the oldest frame to the sender and back to the receiver: once the wanted colour is there, no other follows.
        in_order = 1'b1;
        right    = 1'b1;
        c        = !want;
        least    = f_expected;
        for (i = 0; i < FRAMES; i = i + 1) if (i < count_q) begin
            if (c == want && frames_q[i*BITS] != want) in_order = 1'b0;
            c = frames_q[i*BITS];
            d = frames_q[i*BITS+1+:2] - acked;
            if (c == want) begin
                if (d < least || d > f_send) right = 1'b0;
                least = d + frames_q[i*BITS+3];
                if (frames_q[i*BITS+3] && {frames_q[i*BITS+4], frames_q[i*BITS+5]} != memory[2*frames_q[i*BITS+1+:2]+:2]) right = 1'b0;
            end
        end
        if (c == want && colour != want) in_order = 1'b0;
        if (colour == want && f_send < least) right = 1'b0;
        c             = colour;
        least_ack     = 2'd0;
        least_freed   = 2'd0;
        back_in_order = 1'b1;
        back_right    = 1'b1;
        for (i = 0; i < FRAMES; i = i + 1) if (i < back_count_q) begin
            if (c == want && backs_q[i*BACK_BITS] != want) in_order = 1'b0;
            c = backs_q[i*BACK_BITS];
            d = backs_q[i*BACK_BITS+1+:2] - acked;
            if (d < least_ack || d > f_expected || (colour != want && c == want && d != f_expected)) back_right = 1'b0;
            least_ack = d;
            if (backs_q[i*BACK_BITS+3] == followed) begin
                d = backs_q[i*BACK_BITS+4+:2] - \window.f_freed ;
                if (d < least_freed || d > gone - \window.f_freed ) back_in_order = 1'b0;
                least_freed = d;
            end
        end
        f_between = 3'd0;
        f_before  = 3'd0;
        for (i = 0; i < 4; i = i + 1) begin
            k = i - acked;
            if (k < f_next && memory[2*i+1] >= LINKS) right = 1'b0;
            if (k >= f_expected && k < f_next && memory[2*i+1] == followed) begin
                f_between = f_between + 3'd1;
                if (k < at - acked) f_before = f_before + 3'd1;
            end
        end
    end
    wire [1:0] f_at = at - acked;
    wire [5:0] f_used = numbered - \window.f_freed ;
    always @* if (past) begin
        assert (in_order);
        assert (right);
        assert (back_in_order);
        assert (back_right);
        assert (count_q <= FRAMES && back_count_q <= FRAMES && (count_q != 0 || !act_q) && (back_count_q != 0 || !back_act_q));
        assert (f_expected <= f_send && f_send <= f_next);
        if (act_q) assert (\places.f_same == (frame[2:1] == expected));
        assert (gone - \window.f_freed <= f_used && arrived - \window.f_freed <= f_used);
        assert (numbered - arrived == f_between);
        if (n - arrived < numbered - arrived) assert (\window.f_kept && f_at >= f_expected && n - arrived == f_before);
        if (\places.f_inside ) assert (\places.f_word == \window.f_word );
    end
    always @* begin
        cover (past && m_axis_tvalid[followed] && gone == n && want && colour && numbered == 6'd2);  // it was lost
        cover (past && numbered - gone == 6'd3 && arrived - gone == 6'd3 && s_axis_tvalid[followed]);
    end

endmodule
