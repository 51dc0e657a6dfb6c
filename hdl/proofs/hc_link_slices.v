// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_link_slices, inserted before its endmodule, for up to four slices: the link is
// ready and valid exactly as slices with two places are, no word is lost, the order is kept, a word
// takes STAGES cycles, and a link whose receiver is always ready is always ready.

    reg f_past = 1'b0, f_waits = 1'b0, f_takes = 1'b0;
    reg [WIDTH-1:0] f_shown;

    // One symbolic number of a word (modulo 2^8) stands for all.
    (* anyconst *) wire [7:0] f_n;
    reg  [7:0]       f_in, f_out;  // words that have crossed the near end, and the far end
    reg  [WIDTH-1:0] f_word;       // the last word with this number
    reg  [7:0]       f_age;        // cycles since it crossed the near end, at most STAGES
    wire [7:0]       f_held   = f_in - f_out;
    wire [7:0]       f_ahead  = f_n - f_out;  // words before it
    wire             f_inside = f_ahead < f_held;
    wire             f_near   = s_axis_tvalid && s_axis_tready;
    wire             f_far    = m_axis_tvalid && m_axis_tready;

    // The slices as numbers of words, and the place of the word.
    reg [2*STAGES-1:0] f_counts, f_next;
    reg [7:0]          f_sum, f_at, f_before;  // words in all slices; slice of the word; words before it there
    reg                f_arrives, f_leaves, f_one, f_right, f_blocked;
    integer            f_i;
    always @* begin
        f_next    = f_counts;
        f_arrives = s_axis_tvalid;
        f_one     = 1'b1;
        for (f_i = 0; f_i < STAGES; f_i = f_i + 1) begin
            f_leaves  = f_counts[2*f_i+:2] != 0 && (f_i == STAGES - 1 ? m_axis_tready : f_counts[(2*f_i+2)%(2*STAGES)+:2] < 2);
            f_next[2*f_i+:2] = f_counts[2*f_i+:2] + (f_arrives && f_counts[2*f_i+:2] < 2) - f_leaves;
            f_arrives = f_counts[2*f_i+:2] != 0;
            if (f_counts[2*f_i+:2] > 1) f_one = 1'b0;
        end
        f_sum    = 0;
        f_at     = 0;
        f_before = 0;
        f_right  = 1'b1;
        for (f_i = STAGES - 1; f_i >= 0; f_i = f_i - 1) begin
            if (f_inside && f_ahead >= f_sum && f_ahead < f_sum + f_counts[2*f_i+:2]) begin
                f_at     = f_i + 1;
                f_before = f_ahead - f_sum;
                f_right  = f_before == 0 ? data[(f_i+1)*WIDTH+:WIDTH] == f_word : f_tails[f_i*WIDTH+:WIDTH] == f_word;
            end
            f_sum = f_sum + f_counts[2*f_i+:2];
        end
        f_blocked = f_at == STAGES || f_before != 0 || f_counts[(2*f_at)%(2*STAGES)+:2] != 0;  // by the word before it
    end

    always @(posedge clk) begin
        f_past   <= 1'b1;
        f_waits  <= m_axis_tvalid && !m_axis_tready && !rst;
        f_shown  <= m_axis_tdata;
        f_counts <= f_next;
        f_takes  <= f_takes && m_axis_tready;
        if (f_near) f_in <= f_in + 1;
        if (f_far) f_out <= f_out + 1;
        if (f_near && f_in == f_n) f_word <= s_axis_tdata;
        f_age <= f_near && f_in == f_n ? 1 : f_age + (f_age != STAGES);
        if (rst) begin
            f_counts <= 0;
            f_in     <= 0;
            f_out    <= 0;
            f_age    <= 0;
            f_takes  <= 1'b1;
        end
    end
    always @* if (!f_past) assume (rst);

    // Contract.
    always @* if (f_past) begin
        assert (s_axis_tready == (f_counts[1:0] < 2));
        assert (m_axis_tvalid == (f_counts[2*STAGES-1-:2] != 0));
        assert (f_held == f_sum && f_held <= 2 * STAGES);
        if (f_inside && f_ahead == 0) assert (m_axis_tvalid == (f_age == STAGES));
        if (f_inside && f_ahead == 0 && m_axis_tvalid) assert (m_axis_tdata == f_word);
        if (f_waits) assert (m_axis_tvalid && m_axis_tdata == f_shown);
        if (f_takes) assert (s_axis_tready);
    end

    // Invariants.
    wire [4*WIDTH-1:0] f_tails;
    assign f_tails[0+:WIDTH] = \slice[0].tail_q ;
    generate
        if (STAGES > 1) begin : f_second
            assign f_tails[WIDTH+:WIDTH] = \slice[1].tail_q ;
        end
        if (STAGES > 2) begin : f_third
            assign f_tails[2*WIDTH+:WIDTH] = \slice[2].tail_q ;
        end
        if (STAGES > 3) begin : f_fourth
            assign f_tails[3*WIDTH+:WIDTH] = \slice[3].tail_q ;
        end
    endgenerate
    reg f_fits;
    always @* begin
        f_fits = 1'b1;
        for (f_i = 0; f_i < STAGES; f_i = f_i + 1)
            if (ready[f_i] != (f_counts[2*f_i+:2] < 2) || valid[f_i+1] != (f_counts[2*f_i+:2] != 0) || f_counts[2*f_i+:2] > 2) f_fits = 1'b0;
    end
    always @* if (f_past) begin
        assert (f_fits);
        assert (f_right);
        assert (f_age <= STAGES);
        if (f_inside) assert (f_age >= f_at && (f_age == f_at || f_blocked));
        if (f_takes) assert (f_one);
    end
    always @* begin
        cover (f_past && f_held == 2 * STAGES && f_near == 0 && s_axis_tvalid && f_out > 1);
        cover (f_past && f_inside && f_ahead == 2 * STAGES - 1);
        cover (f_past && f_takes && f_near && f_far && f_out == 2);
        cover (f_past && f_waits && f_far && f_near);
    end
