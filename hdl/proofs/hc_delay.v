// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_delay, inserted before its endmodule: each value is shown CYCLES cycles later, and
// 0 in the first CYCLES cycles after reset.

    reg f_past = 1'b0;

    // One value stands for all: that of any cycle in which none is followed.
    (* anyseq *) wire f_begin;
    reg  [7:0]       f_age;    // cycles since the value, 0 if none is followed
    reg  [7:0]       f_since;  // cycles since reset, at most CYCLES
    reg  [WIDTH-1:0] f_value;
    reg              f_kept, f_clear;  // registers of the design
    integer          f_i;
    always @(posedge clk) begin
        f_past  <= 1'b1;
        f_age   <= f_age == 0 || f_age == CYCLES ? f_begin : f_age + 1;
        f_since <= f_since + (f_since != CYCLES);
        if (f_age == 0 || f_age == CYCLES) f_value <= value;
        if (rst) begin
            f_age   <= 0;
            f_since <= 0;
        end
    end
    always @* if (!f_past) assume (rst);

    always @* begin
        f_kept  = 1'b1;
        f_clear = 1'b1;
        for (f_i = 0; f_i < CYCLES; f_i = f_i + 1) begin
            if (f_i + 1 == f_age && values_q[f_i*WIDTH+:WIDTH] != f_value) f_kept = 1'b0;
            if (f_i >= f_since && values_q[f_i*WIDTH+:WIDTH] != 0) f_clear = 1'b0;
        end
    end

    // Contract.
    always @* if (f_past) begin
        if (f_age == CYCLES) assert (late == f_value);
        if (f_since < CYCLES) assert (late == 0);
    end

    // Invariants.
    always @* if (f_past) assert (f_age <= CYCLES && f_since <= CYCLES && f_kept && f_clear);
    always @* begin
        cover (f_past && f_age == CYCLES && f_since == CYCLES && late != 0 && late != value);
    end
