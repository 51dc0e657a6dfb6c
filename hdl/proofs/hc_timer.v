// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_timer, to stand before its endmodule: its windows are those of the
// contract, whatever the level does at their ends.

    reg            f_past = 1'b0;
    reg            f_longer_q;
    reg [7:4]      f_window_q;
    reg [BITS-1:0] f_t;        // cycles since reset
    reg [4:1]      f_level_q;
    reg            f_ended_q;  // the cycle before ended a window of the level
    always @(posedge clk) begin
        f_past    <= 1'b1;
        f_longer_q <= longer;
        f_window_q <= window;
        f_t       <= rst ? {BITS{1'b0}} : f_t + 1'b1;
        f_level_q <= level;
        f_ended_q <= window_ends | rst;
    end

    wire [2:0]      f_e      = level[1] + level[2] + level[3] + level[4];
    wire [3:0]      f_n      = 4'd3 + window[4] + window[5] + window[6] + window[7] + longer; // w = 2**n
    wire [4:0]      f_bits   = f_e == 0 ? {1'b0, f_n} : 5'd5 + longer + 2 * f_e;
    wire [BITS-1:0] f_window = ({{BITS - 1{1'b0}}, 1'b1} << f_bits) - 1'b1;
    wire [BITS-1:0] f_memory = ({{BITS - 1{1'b0}}, 1'b1} << (f_bits + MEMORY)) - 1'b1;

    always @* begin
        if (!f_past) assume (rst);
        assume (!(level & ~{level[3:1], 1'b1}));
        if (f_past) assume (longer == f_longer_q && window == f_window_q);
        assume (!(window & ~{window[6:4], 1'b1}));
        assume (f_n >= 4 && f_n <= 7);
        if (f_past && !f_ended_q) assume (level == f_level_q);
    end
    always @* if (f_past) begin
        assert (longer ? count_q == f_t : count_q == {f_t[BITS-2:2], 1'b1, f_t[1:0]});
        assert (shortest_ends == (f_t[1:0] == 2'b11));
        assert (window_ends == ((f_t & f_window) == f_window));
        assert (memory_ends == (level[1] && (f_t & f_memory) == f_memory));
    end
    always @(posedge clk) begin
        cover (f_past && shortest_ends && level == 4'b0000);
    end
