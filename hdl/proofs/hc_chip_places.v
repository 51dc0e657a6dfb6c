// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_chip_places, inserted before its endmodule: a word counts exactly if it has the wanted
// colour and the expected number, and another number of the wanted colour asks for the other colour. The
// words of a link that count are offered each once and in their order, and freed counts those that have
// left. The user must not send more words of a link than there are places. Any link and any of its words
// stand for all.

    localparam [FREED_BITS-1:0] F_PLACES = {FREED_BITS{1'b1}};

    (* anyconst *) wire [LINK_NUMBER-1:0] f_link;
    (* anyconst *) wire [5:0] f_n;        // the number of the word among those of its link, modulo 64
    reg                 f_past = 1'b0, f_heard = 1'b0, f_waits = 1'b0;
    reg  [5:0]          f_in, f_out;      // words of the link that have counted, and left
    reg  [LINK_BITS-1:0] f_word, f_shown;
    reg                 f_same, f_want, f_flip;
    reg  [NUMBER_BITS-1:0] f_expected;
    wire [5:0]          f_held   = f_in - f_out;
    wire [5:0]          f_ahead  = f_n - f_out;  // words of the link before it
    wire                f_inside = f_ahead < f_held;
    wire                f_put    = arrives && link == f_link;
    wire                f_offers = m_axis_tvalid[f_link];
    wire                f_leaves = f_offers && m_axis_tready[f_link];
    wire [LINK_BITS-1:0] f_offered = m_axis_tdata[f_link*LINK_BITS+:LINK_BITS];

    always @(posedge clk) begin
        f_past     <= 1'b1;
        f_heard    <= heard;
        f_same     <= number == expected;
        f_flip     <= heard && colour == want && !f_same;
        f_want     <= want;
        f_expected <= expected + (heard && colour == want && f_same && valid);
        f_waits    <= f_offers && !f_leaves && !rst;
        f_shown    <= f_offered;
        if (f_put) f_in <= f_in + 6'd1;
        if (f_put && f_in == f_n) f_word <= word;
        if (f_leaves) f_out <= f_out + 6'd1;
        if (rst) begin
            f_in       <= 6'd0;
            f_out      <= 6'd0;
            f_want     <= 1'b0;
            f_flip     <= 1'b0;
            f_expected <= {NUMBER_BITS{1'b0}};
        end
    end
    always @* begin
        assume (f_link < LINKS);
        if (!f_past) assume (rst);
        assume (!f_past || !arrives || link < LINKS);  // asserted of the user
        assume (!f_past || !heard || !f_heard);  // asserted of the user
        assume (!f_past || !f_put || f_held < F_PLACES);  // asserted of the user
    end

    // Contract.
    always @* if (f_past) begin
        assert (want == (f_want ^ f_flip));
        assert (expected == f_expected);
        assert (arrives == (heard && colour == want && f_same && valid));
        assert (f_held <= F_PLACES);
        if (f_offers) assert (f_held != 6'd0);
        if (f_inside && f_ahead == 6'd0 && f_offers) assert (f_offered == f_word);
        if (f_waits) assert (f_offers && f_offered == f_shown);
    end

    // Invariants.
    wire [LINKS-1:0]            f_busy, f_more;
    wire [LINKS*FREED_BITS-1:0] f_fetched;
    genvar                      f_i;
    generate
        for (f_i = 0; f_i < LINKS; f_i = f_i + 1) begin : f_links
            assign f_busy[f_i]                             = far[f_i].used.busy_q;
            assign f_more[f_i]                             = far[f_i].used.waits_q;
            assign f_fetched[f_i*FREED_BITS+:FREED_BITS] = far[f_i].used.fetched_q;
        end
    endgenerate
    wire f_is_busy   = f_busy[f_link];
    wire f_is_fetched = fetch_q[f_link];  // on its way to the output register
    wire [FREED_BITS-1:0] f_freed_q = freed[f_link*FREED_BITS+:FREED_BITS];
    always @* if (f_past) begin
        assert (misses_q == !f_same);
        assert (f_in[FREED_BITS-1:0] == arrived[f_link*FREED_BITS+:FREED_BITS]);
        assert (f_out[FREED_BITS-1:0] == f_freed_q);
        assert (f_fetched[f_link*FREED_BITS+:FREED_BITS] == f_freed_q + f_is_busy);
        assert (f_is_busy == (f_offers || f_is_fetched) && !(f_offers && f_is_fetched));
        assert (!f_is_busy || f_held != 6'd0);
        assert (f_more[f_link] == (f_held != f_is_busy));
        if (f_inside && (f_ahead != 6'd0 || !f_is_busy)) assert (memory[{f_link, f_n[FREED_BITS-1:0]}] == f_word);
        if (f_inside && f_ahead == 6'd0 && f_is_fetched) assert (word_q == f_word);
    end
    always @* begin
        cover (f_past && f_held == F_PLACES && f_waits);
        cover (f_past && f_inside && f_ahead == 6'd2 && f_waits && f_leaves);
        cover (f_past && f_inside && f_n == 6'd4 && f_offers && f_ahead == 6'd0 && want);
    end
