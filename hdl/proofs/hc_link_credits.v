// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_link_credits, inserted before its endmodule: the link is ready and valid exactly as
// credits say, has exactly 2 LATENCY + 1 places, loses no word, keeps the order, takes LATENCY cycles
// for a word and as many for a credit, and is always ready if its receiver is.

    localparam integer F_PLACES = 2 * LATENCY + 1;

    reg f_past = 1'b0, f_waits = 1'b0, f_takes = 1'b0;
    reg [WIDTH-1:0] f_shown;

    // One symbolic number of a word (modulo 2^8) stands for all.
    (* anyconst *) wire [7:0] f_n;
    reg  [7:0]       f_in, f_out;  // words that have crossed the near end, and the far end
    reg  [WIDTH-1:0] f_word;       // the last word with this number
    reg  [7:0]       f_age;        // cycles since it crossed the near end, at most LATENCY
    wire [7:0]       f_held   = f_in - f_out;
    wire [7:0]       f_ahead  = f_n - f_out;  // words before it
    wire             f_inside = f_ahead < f_held;
    wire             f_near   = s_axis_tvalid && s_axis_tready;
    wire             f_far    = m_axis_tvalid && m_axis_tready;

    // Credits, words on the way, words at the far end, and credits on the way, the latest lowest.
    reg  [7:0]         f_credit, f_there;
    reg  [LATENCY-2:0] f_words;
    reg  [LATENCY-1:0] f_credits;
    reg  [7:0]         f_words_sum, f_credits_sum, f_older;  // words on the way before the symbolic one
    integer            f_i;
    always @* begin
        f_words_sum   = 0;
        f_credits_sum = 0;
        f_older       = 0;
        for (f_i = 0; f_i < LATENCY - 1; f_i = f_i + 1) begin
            f_words_sum = f_words_sum + f_words[f_i];
            if (f_i >= f_age) f_older = f_older + f_words[f_i];
        end
        for (f_i = 0; f_i < LATENCY; f_i = f_i + 1) f_credits_sum = f_credits_sum + f_credits[f_i];
    end

    always @(posedge clk) begin
        f_past    <= 1'b1;
        f_waits   <= m_axis_tvalid && !m_axis_tready && !rst;
        f_shown   <= m_axis_tdata;
        f_words   <= {f_words, f_near};
        f_credits <= {f_credits, f_far};
        f_there   <= f_there + f_words[LATENCY-2] - f_far;
        f_credit  <= f_credit + f_credits[LATENCY-1] - f_near;
        f_takes   <= f_takes && m_axis_tready;
        if (f_near) f_in <= f_in + 1;
        if (f_far) f_out <= f_out + 1;
        if (f_near && f_in == f_n) f_word <= s_axis_tdata;
        f_age <= f_near && f_in == f_n ? 1 : f_age + (f_age != LATENCY);
        if (rst) begin
            f_words   <= 0;
            f_credits <= 0;
            f_there   <= 0;
            f_credit  <= F_PLACES;
            f_in      <= 0;
            f_out     <= 0;
            f_age     <= 0;
            f_takes   <= 1'b1;
        end
    end
    always @* if (!f_past) assume (rst);

    // Contract.
    always @* if (f_past) begin
        assert (s_axis_tready == (f_credit != 0));
        assert (m_axis_tvalid == (f_there != 0));
        assert (f_held == f_words_sum + f_there && f_held <= F_PLACES);
        assert (f_credit + f_held + f_credits_sum == F_PLACES);
        if (f_inside && f_ahead == 0) assert (m_axis_tvalid == (f_age == LATENCY));
        if (f_inside && f_ahead == 0 && m_axis_tvalid) assert (m_axis_tdata == f_word);
        if (f_waits) assert (m_axis_tvalid && m_axis_tdata == f_shown);
        if (f_takes) assert (s_axis_tready);
    end

    // Invariants.
    (* hierconn *) wire [TRAVEL-1:0] \valid.values_q ;
    (* hierconn *) wire [LATENCY-1:0] \credit.values_q ;
    wire [ADDRESS_BITS-1:0] f_stored = write_q - read_q;
    wire [ADDRESS_BITS-1:0] f_place  = read_q + f_ahead - full_q;  // of the word in the memory
    reg                     f_right;
    always @* begin
        f_right = 1'b1;
        if (f_age >= LATENCY - 1) f_right = (f_ahead < full_q ? word_q : memory[f_place]) == f_word;
        for (f_i = 0; f_i < TRAVEL; f_i = f_i + 1)
            if (f_i + 1 == f_age && words_q[f_i*WIDTH+:WIDTH] != f_word) f_right = 1'b0;
    end
    always @* if (f_past) begin
        assert (credit_q == -f_credit[ADDRESS_BITS:0]);
        assert (f_words[TRAVEL-1:0] == \valid.values_q && f_credits == \credit.values_q );
        assert (f_stored + full_q == f_there + f_words[LATENCY-2] && full_q == (f_there != 0));
        assert (f_age <= LATENCY);
        if (f_inside) assert (f_age != 0 && f_right);
        if (f_inside && f_age < LATENCY) assert (f_ahead == f_there + f_older && (f_words >> (f_age - 1)) % 2);
        if (f_inside && f_age == LATENCY) assert (f_ahead < f_there);
        if (f_takes) assert (f_there <= 1);
    end
    always @* begin
        cover (f_past && f_held == F_PLACES);
        cover (f_past && f_credit == 0 && f_held == F_PLACES - LATENCY && s_axis_tvalid);
        cover (f_past && f_takes && f_credit == 1 && f_near && f_far);
        cover (f_past && f_inside && f_ahead == F_PLACES - 1 && f_age == LATENCY);
        cover (f_past && f_waits && f_far && f_near);
    end
