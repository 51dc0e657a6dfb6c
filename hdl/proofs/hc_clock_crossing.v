// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_clock_crossing, inserted before its endmodule: to_count takes values of from_count in their
// order, is never ahead of it, at most three edges of to_clk late, and constant between these edges.
//
// Both clocks may have edges in any moment, a step of the solver. The proof replaces first_q at the input of
// second_q by f_seen: a bit of first_q that changed near the edge may have any value, a new one in each moment.

    (* gclk *) reg f_moment;
    (* anyseq *) wire [WIDTH-1:0] f_any;

    function [WIDTH-1:0] f_gray(input [5:0] f_number);
        f_gray = f_number[WIDTH-1:0] ^ (f_number[WIDTH-1:0] >> 1);
    endfunction

    // The counts behind the registers, modulo 64, from the state after reset.
    reg  [5:0] f_launched = 6'd0, f_first = 6'd0, f_second = 6'd0;
    reg  [5:0] f_second_before = 6'd0, f_taken = 6'd0, f_taken_before = 6'd0;
    wire [WIDTH-1:0] f_step = from_count - f_launched[WIDTH-1:0];
    wire [5:0] f_other;  // the count that first_q shows if the bit that changed near its edge resolves the other way
    wire [5:0] f_resolved = f_seen == first_q ? f_first : f_other;
    initial {launched_q, first_q, second_q} = 0;
    always @(posedge from_clk) f_launched <= from_rst ? 6'd0 : f_launched + f_step;
    always @(posedge to_clk) begin
        f_first         <= f_launched;
        f_second        <= f_resolved;
        f_second_before <= f_second;
        f_taken         <= f_first;  // what first_q took at the edge before its last one
        f_taken_before  <= f_taken;
    end

    // Bits that change in the moment of an edge of to_clk, or in the moment before.
    reg  f_to_1 = 1'b1, f_edge_1 = 1'b0;
    reg  [WIDTH-1:0] f_now_1 = 0, f_now_2 = 0, f_loose_1 = 0, f_count_1 = 0;
    reg  [5:0] f_launched_1 = 6'd0, f_launched_2 = 6'd0, f_other_1 = 6'd0;
    wire f_edge = to_clk && !f_to_1;
    wire [WIDTH-1:0] f_loose = f_edge ? (launched_q ^ f_now_1) | (f_now_1 ^ f_now_2) : f_loose_1;
    wire [WIDTH-1:0] f_seen = first_q ^ (f_loose & f_any);
    assign f_other = !f_edge ? f_other_1 : launched_q != f_now_1 ? f_launched : f_launched_2;
    always @(posedge f_moment) begin
        f_to_1       <= to_clk;
        f_edge_1     <= f_edge;
        f_now_1      <= launched_q;
        f_now_2      <= f_now_1;
        f_loose_1    <= f_loose;
        f_launched_1 <= f_launched;
        f_launched_2 <= f_launched_1;
        f_other_1    <= f_other;
        f_count_1    <= to_count;
    end

    reg f_out = 1'b0;  // the reset of from_clk is over
    always @(posedge from_clk) if (!from_rst) f_out <= 1'b1;
    wire [5:0] f_lag = f_launched - f_second;
    always @* begin
        assume (!from_rst || !f_out);
        assume (from_rst || f_step <= 1);  // asserted of the user
        assume (f_lag < 6'd56);  // asserted of the user
    end

    // Counts as the number of steps that they are ahead of to_count, or of what first_q took an edge ago.
    wire [5:0] f_lag_first = f_first - f_second, f_lag_other = f_other - f_second;
    wire [5:0] f_lag_1 = f_launched_1 - f_second, f_lag_2 = f_launched_2 - f_second;
    wire [5:0] f_new = f_launched - f_taken, f_new_first = f_first - f_taken, f_new_other = f_other - f_taken;
    wire [5:0] f_moved = f_second - f_second_before, f_could_move = f_launched - f_second_before;
    wire [5:0] f_made_up = f_second - f_taken_before, f_could_make_up = f_launched - f_taken_before;
    always @* begin
        assert (to_count == f_second[WIDTH-1:0]);
        if (!f_edge) assert (to_count == f_count_1);
        if (f_edge) assert (f_moved <= f_could_move);      // in order, and not ahead
        if (f_edge) assert (f_made_up <= f_could_make_up); // late by at most three edges
        // invariants
        assert (launched_q == f_gray(f_launched) && first_q == f_gray(f_first) && (first_q ^ f_loose) == f_gray(f_other));
        assert (second_q == f_gray(f_second));
        assert (f_out || f_launched == 6'd0);
        assert (f_now_1 == f_gray(f_launched_1) && f_now_2 == f_gray(f_launched_2));
        assert (f_launched - f_launched_1 <= 6'd1 && f_launched_1 - f_launched_2 <= 6'd1);
        assert (f_other == f_first || f_other == f_first + 6'd1 || f_first == f_other + 6'd1);
        assert (f_taken == f_second || f_taken == f_second + 6'd1 || f_second == f_taken + 6'd1);
        assert (f_lag_first <= f_lag && f_lag_other <= f_lag && f_lag_first <= f_lag_1);
        assert (f_edge || (f_lag_first <= f_lag_2 && f_lag_other <= f_lag_1));
        assert (f_edge || f_edge_1 || f_lag_other <= f_lag_2);
        assert (f_new_first <= f_new && f_new_other <= f_new && f_new < 6'd60);
    end
    always @* begin
        cover (f_edge && f_loose != 0 && f_second == 6'd1);
        cover (f_edge && f_moved == 6'd3);
        cover (f_lag == 6'd3);
    end
