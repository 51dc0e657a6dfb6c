// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_operation_counter, inserted before its endmodule: what ready, done, count and at are in every cycle of an
// operation, whichever it is and whenever it starts.

    reg            f_past      = 1'b0;
    reg            f_under     = 1'b0;  // an operation is under way
    integer        f_operation = 0;     // its number
    reg [BITS-1:0] f_cycle     = 0;     // of it
    reg            f_ending    = 1'b0;  // the cycle before was the last one of an operation
    integer        f_next;              // number of the operation that can start
    reg [BITS-1:0] f_first;             // number of cycle 0 of the operation under way
    reg [BITS-1:0] f_period;            // and its last cycle
    reg            f_last;
    always @* begin
        f_next   = operation < OPERATIONS ? operation : OPERATIONS - 1;
        f_first  = FIRST[f_operation*BITS+:BITS];
        f_period = LAST[f_operation*BITS+:BITS] - f_first;
        f_last   = f_under && f_cycle == f_period;
    end
    always @(posedge clk) begin
        f_past   <= 1'b1;
        f_ending <= !rst && f_last;
        f_cycle  <= f_cycle + 1'b1;
        if (!f_under || f_last) begin
            f_under     <= start;
            f_operation <= f_next;
            f_cycle     <= 1;
        end
        if (rst) f_under <= 1'b0;
    end
    always @* if (!f_past) assume (rst);
    always @* if (f_past) begin
        assert (ready == (!f_under || f_last));
        assert (done == f_ending);
        assert (count == (f_under ? f_first + f_cycle : 0));
        assert (at == (f_under && !f_last ? count : FIRST[f_next*BITS+:BITS]));
        assert (f_operation >= 0 && f_operation < OPERATIONS);
        if (f_under) assert (f_cycle != 0 && f_cycle <= f_period);
    end
    always @(posedge clk) begin
        cover (f_past && done && f_under && f_cycle == 1 && f_operation == 0);
        cover (f_past && done && !f_under);
        cover (f_past && f_last && f_operation == OPERATIONS - 1 && start && f_next == 0);
        cover (f_past && rst && f_under && !f_last);
    end
