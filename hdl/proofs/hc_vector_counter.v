// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_vector_counter, inserted before its endmodule: an operation on n words starts exactly n words, one every PERIOD
// cycles, with the right numbers, and ends in cycle n PERIOD + F_SKEW + 2. The network delivers the last results of a word PERIOD +
// F_SKEW + 1 cycles after its start, and nothing after a reset.

    parameter integer F_SKEW = 0;  // E of the network

    localparam F_LATE = PERIOD + F_SKEW + 1;
    localparam F_BITS = $clog2(WORDS * PERIOD + F_SKEW + 3);
    localparam [F_BITS-1:0] F_PERIOD = PERIOD, F_FIRST = F_SKEW + 2;
    localparam [F_LATE-1:0] F_BUSY   = (1 << (PERIOD - 1)) - 1;  // starts of less than a period ago

    reg               f_past   = 1'b0;
    reg  [F_LATE-1:0] f_way    = 0;     // words that started 1, 2, .. cycles ago
    reg               f_under  = 1'b0;  // an operation is under way, in its cycle 1 or later
    reg               f_end    = 1'b0;  // its last cycle was the one before
    reg  [F_BITS-1:0] f_cycle  = 0;     // of the operation
    reg  [F_BITS-1:0] f_n      = 0;     // its words
    wire [F_BITS-1:0] f_length = f_n * F_PERIOD;
    wire [F_BITS-1:0] f_total  = f_length + F_SKEW + 1;
    wire              f_last   = f_under && f_cycle == f_total;
    always @(posedge clk) begin
        f_past  <= 1'b1;
        f_way   <= {f_way, word_start};
        f_cycle <= f_under && !f_last ? f_cycle + 1'b1 : 1;
        f_end   <= f_last;
        if (f_last) f_under <= 1'b0;
        if (!f_under && start) begin
            f_under <= 1'b1;
            f_n     <= count;
        end
        if (rst) begin
            f_way   <= 0;
            f_under <= 1'b0;
            f_end   <= 1'b0;
        end
    end
    always @* begin
        if (!f_past) assume (rst);
        if (start && !f_under) assume (count >= 1 && count <= WORDS);
        assume (word_done == f_way[F_LATE-1]);
    end

    wire              f_starts   = f_cycle < f_length;  // words are left to start, or have just started
    wire [F_BITS-1:0] f_received = f_cycle - F_FIRST;   // cycles since the first delivery of the first word, at least
    reg  [F_LATE-1:0] f_started;                        // f_way by the contract
    reg  [F_BITS-1:0] f_then;
    integer           f_i;
    always @* begin
        f_started = 0;
        for (f_i = 1; f_i <= F_LATE; f_i = f_i + 1) begin
            f_then = f_cycle - f_i;
            f_started[f_i-1] = f_under && f_cycle >= f_i && f_then % F_PERIOD == 0 && f_then < f_length;
        end
    end
    always @* if (f_past) begin
        assert (ready == !f_under);
        assert (done == f_end);
        assert (word_start == (f_under ? f_starts && f_cycle % F_PERIOD == 0 : start));
        assert (send_number == (f_under && f_starts ? f_cycle / F_PERIOD : 0));
        assert (receive_number == (f_under && f_cycle >= F_FIRST ? f_received / F_PERIOD : 0));
        if (word_start) assert ((f_way & F_BUSY) == 0);  // the network is ready
        // Invariants.
        if (f_under) assert (f_n >= 1 && f_n <= WORDS && f_cycle >= 1 && f_cycle <= f_total && last_q == f_n - 1);
        assert (cycle == (f_under && f_starts ? f_cycle % F_PERIOD : 0));
        assert (next_word == (f_under && f_starts && f_cycle % F_PERIOD == 0));
        assert (f_way == f_started);
    end
    always @(posedge clk) if (f_past) begin
        cover (done && start && !rst);
        cover (done && f_n == WORDS);
        cover (rst && word_done);
        cover (start && f_under && f_cycle == f_total);
    end
