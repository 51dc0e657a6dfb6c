// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_step_counter, inserted before its endmodule: what ready, done and count are in every cycle of an
// operation, whenever it starts.

    reg            f_past   = 1'b0;
    reg            f_under  = 1'b0;   // an operation is under way
    reg [BITS-1:0] f_cycle  = 0;      // of it
    reg            f_ending = 1'b0;   // the cycle before was the last one of an operation
    always @(posedge clk) begin
        f_past   <= 1'b1;
        f_ending <= !rst && f_under && f_cycle == PERIOD;
        f_under  <= start || f_under && f_cycle != PERIOD;
        f_cycle  <= f_under && f_cycle != PERIOD ? f_cycle + 1'b1 : 1;
        if (rst) f_under <= 1'b0;
    end
    always @* if (!f_past) assume (rst);
    always @* if (f_past) begin
        assert (ready == (!f_under || f_cycle == PERIOD));
        assert (done == f_ending);
        assert (count == (f_under ? f_cycle : 0));
        if (f_under) assert (f_cycle != 0 && f_cycle <= PERIOD);
    end
    always @(posedge clk) begin
        cover (f_past && done && f_under && f_cycle == 1);
        cover (f_past && done && !f_under);
        cover (f_past && rst && f_under && f_cycle == (PERIOD + 1) / 2);
    end
