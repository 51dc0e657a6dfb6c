// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_queued_input, to stand before its endmodule: messages come to the head in
// their order and as they are; of a well-formed one each wanted copy is made once, and it
// leaves in the cycle of the last one; of a malformed one nothing is copied, it leaves in its
// first cycle at the head, and is counted once.

    reg f_past = 1'b0, f_dropped = 1'b0;
    reg [1:0] f_count;  // messages in the queue: the head and the one behind it
    reg [WD_BITS-1:0] f_wd, f_next_wd;
    reg [WC_BITS-1:0] f_wc, f_next_wc;
    reg [BODY_BITS-1:0] f_body, f_next_body;
    reg [TARGETS-1:0] f_copies;  // of the head, in earlier cycles

    wire f_good      = f_wd == DIMENSION && f_wc >= 1 && f_wc <= LARGEST;
    wire f_next_good = f_next_wd == DIMENSION && f_next_wc >= 1 && f_next_wc <= LARGEST;
    wire [TARGETS-1:0] f_wanted = CONTINUES != 0 && f_wc <= 1 ? {TARGETS{1'b1}} >> 1 : {TARGETS{1'b1}};
    // What a target writes: nothing is made of a message that is not accepted.
    wire [TARGETS-1:0] f_now = made & {TARGETS{accept}};
    wire f_comes = s_axis_tvalid && s_axis_tready;
    wire f_leaves = f_count != 0 && (!f_good || (f_copies | f_now) == f_wanted);

    always @(posedge clk) begin
        f_past    <= 1'b1;
        f_dropped <= f_count != 0 && !f_good && !rst;
        f_count   <= f_count + f_comes - f_leaves;
        f_copies  <= f_leaves || f_count == 0 ? 0 : f_copies | f_now;
        if (f_leaves) {f_wd, f_wc, f_body} <= {f_next_wd, f_next_wc, f_next_body};
        if (f_comes && f_count == f_leaves) {f_wd, f_wc, f_body} <= {wd, wc, body};
        if (f_comes && f_count != f_leaves) {f_next_wd, f_next_wc, f_next_body} <= {wd, wc, body};
        if (rst) begin
            f_count  <= 0;
            f_copies <= 0;
        end
    end
    always @* begin
        if (!f_past) assume (rst);
        // a target makes what asks
        assume ((made & ~ask) == 0);
    end
    // What is noted of the weight of the message behind the head.
    wire f_next_goes_on;
    generate
        if (CONTINUES != 0) begin : f_continues
            wire [WC_BITS-1:0] f_noted = odd_q ? continues.next_wc_even_q : continues.next_wc_odd_q;
            assign f_next_goes_on = continues.waits_on_q == (f_next_wc > 1) && f_noted == f_next_wc - 1'b1;
        end else begin : f_stops
            assign f_next_goes_on = 1'b1;
        end
    endgenerate
    always @* if (f_past) begin
        assert (s_axis_tready == (f_count < 2));
        assert (header_error == f_dropped);
        assert (ask == (f_count == 0 ? {TARGETS{1'b0}} : f_wanted & ~f_copies));
        if (f_count != 0) begin
            assert (accept == f_good);
            assert (head_body == f_body);
            assert (CONTINUES == 0 || head_next_wc + 1'b1 == f_wc);
            assert ((f_now & f_copies) == 0 && (f_now & ~f_wanted) == 0);
        end
        // invariants
        assert (f_count <= 2);
        assert (waits_q == (f_count == 2));
        assert (f_count != 0 || f_copies == 0);
        assert (f_good || f_copies == 0);
        assert ((f_copies & ~f_wanted) == 0 && f_copies != f_wanted);
        if (f_count == 2) begin
            assert (waits_accept_q == f_next_good);
            assert ((odd_q ? body_even_q : body_odd_q) == f_next_body);
            assert (f_next_goes_on);
        end
    end
    always @* begin
        cover (f_past && f_count == 2 && f_copies != 0 && f_leaves);
        cover (f_past && f_count == 1 && !f_good && f_comes);
        cover (f_past && f_count == 1 && f_leaves && f_comes && f_good);
        cover (f_past && header_error && f_count == 1 && f_good);
    end
