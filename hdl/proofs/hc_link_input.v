// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_link_input, inserted before its endmodule: messages become the head in order and
// unchanged. Each wanted copy of a well-formed message is made once, and the message is done with
// the last copy. A malformed message is never copied and never in the FIFO, and is counted once.
// ready is high while a slot is free.

    localparam integer F_BITS = WC_BITS + BODY_BITS;

    reg f_past = 1'b0, f_dropped = 1'b0;
    reg [4:0]              f_count;   // messages in the FIFO
    reg [SLOTS*F_BITS-1:0] f_words;   // the oldest message lowest
    reg [TARGETS-1:0]      f_copies;  // made of the head in earlier cycles

    wire f_link_good = wd == DIMENSION && wc >= 1 && wc <= LARGEST;
    wire f_bypass    = BYPASS != 0 && f_count == 0;
    wire f_there     = f_count != 0 || f_bypass && s_axis_tvalid;
    wire f_good      = f_count != 0 || f_link_good;
    wire [WC_BITS-1:0]   f_wc;
    wire [BODY_BITS-1:0] f_body;
    assign {f_wc, f_body} = f_count != 0 ? f_words[F_BITS-1:0] : {wc, body};
    wire [TARGETS-1:0] f_wanted = CONTINUES != 0 && f_wc <= 1 ? {TARGETS{1'b1}} >> 1 : {TARGETS{1'b1}};
    wire [WC_BITS-1:0] f_next_wc  = CONTINUES != 0 ? f_wc - 1'b1 : {WC_BITS{1'b0}};
    // The copies that targets make: none of a message that is not accepted.
    wire [TARGETS-1:0] f_now = grant & request & {TARGETS{valid}};
    wire f_done   = f_there && f_good && (f_copies | f_now) == f_wanted;
    wire f_leaves = f_done && f_count != 0;
    wire f_comes  = s_axis_tvalid && f_count < SLOTS && f_link_good && !(f_bypass && f_done);
    wire [4:0] f_place = f_count - f_leaves;

    integer f_n;
    always @(posedge clk) begin
        f_past    <= 1'b1;
        f_dropped <= s_axis_tvalid && s_axis_tready && !f_link_good && !rst;
        f_count   <= f_place + f_comes;
        f_copies  <= f_there && f_good && !f_done ? f_copies | f_now : 0;
        for (f_n = 0; f_n < SLOTS; f_n = f_n + 1) begin
            if (f_leaves && f_n + 1 < SLOTS) f_words[f_n*F_BITS+:F_BITS] <= f_words[(f_n+1)%SLOTS*F_BITS+:F_BITS];
            if (f_comes && f_place == f_n) f_words[f_n*F_BITS+:F_BITS] <= {wc, body};
        end
        if (rst) begin
            f_count  <= 0;
            f_copies <= 0;
        end
    end
    always @* if (!f_past) assume (rst);

    // Contract.
    always @* if (f_past) begin
        assert (s_axis_tready == (f_count < SLOTS));
        assert (header_error == f_dropped);
        assert (request == (f_there ? f_wanted & ~f_copies : {TARGETS{1'b0}}));
        if (f_there) begin
            assert (valid == f_good);
            assert (head_body == f_body && head_next_wc == f_next_wc);
            assert ((f_now & f_copies) == 0 && (f_now & ~f_wanted) == 0);
        end
    end

    // Invariants.
    always @* if (f_past) begin
        assert (f_count <= SLOTS);
        assert (f_count != 0 || f_copies == 0);
        assert (f_count == 0 || (f_copies & ~f_wanted) == 0 && f_copies != f_wanted);
        assert (pending_q == (f_count != 0 ? f_wanted & ~f_copies : {TARGETS{1'b0}}));
    end
    wire [SLOTS-1:0] f_rooms, f_holds;
    genvar f_g;
    generate
        for (f_g = 0; f_g < SLOTS; f_g = f_g + 1) begin : f_slot
            wire [WC_BITS-1:0]   f_weight;
            wire [BODY_BITS-1:0] f_load;
            assign {f_weight, f_load} = f_words[f_g*F_BITS+:F_BITS];
            wire [WORD_BITS-1:0] f_is;
            if (f_g == 0) begin : head
                assign f_is = head_q;
            end else begin : behind
                assign f_is = queue.slots_q[(f_g-1)*WORD_BITS+:WORD_BITS];
            end
            wire [WC_BITS-1:0] f_next_weight = f_weight - 1'b1;
            wire f_fits;
            if (CONTINUES != 0) begin : continues
                assign f_fits = f_is == {f_next_weight, f_load};
            end else begin : stops
                assign f_fits = f_is == f_load;
            end
            assign f_rooms[f_g] = free_q[f_g] == (f_count <= f_g);
            assign f_holds[f_g] = f_count <= f_g || f_fits && f_weight >= 1 && f_weight <= LARGEST;
        end
    endgenerate
    always @* if (f_past) begin
        assert (&f_rooms);
        assert (&f_holds);
    end

    always @* begin
        cover (f_past && f_count == SLOTS && f_copies != 0 && f_leaves);
        cover (f_past && (BYPASS == 0 ? f_count == 1 : f_count == 0 && f_there && !f_good && |(grant & request)));
        cover (f_past && (BYPASS == 0 ? f_count == 2 : f_count == 0 && f_done));
        cover (f_past && (SLOTS == 1 ? f_leaves : f_count == 1 && f_leaves && f_comes));
        cover (f_past && (SLOTS == 1 ? header_error : header_error && f_count != 0));
    end
