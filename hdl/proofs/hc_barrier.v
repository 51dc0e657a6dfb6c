// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_barrier, inserted before its endmodule: it behaves like a model of the rule in
// docs/barrier.md that counts with integers.

    reg f_past = 1'b0;
    always @(posedge clk) f_past <= 1'b1;
    always @* if (!f_past) assume (rst);

    reg [7:0] f_phase;  // ticks since the last hold
    reg [1:0] f_ticks;
    reg       f_released;
    reg [7:0] f_cycle;  // since reset, modulo PERIOD
    reg       f_behind;
    integer   f_i;
    always @* begin
        f_behind = 1'b0;
        for (f_i = 0; f_i < DEGREE; f_i = f_i + 1)
            if ((link_barrier_pace[2*f_i+:2] + 1) % 4 == barrier_pace) f_behind = 1'b1;
    end
    wire f_tick = !f_behind && f_cycle == 0 && (f_phase != 0 || barrier_arrive && !f_released);
    always @(posedge clk) begin
        f_ticks    <= f_ticks + f_tick;
        f_phase    <= f_tick ? (f_phase + 1) % (DIAMETER + 1) : f_phase;
        f_released <= f_tick && f_phase == DIAMETER;
        f_cycle    <= (f_cycle + 1) % PERIOD;
        if (rst) begin
            f_cycle    <= 0;
            f_ticks    <= 0;
            f_phase    <= 0;
            f_released <= 1'b0;
        end
    end
    wire [7:0] f_count;
    generate
        if (PERIOD > 1) begin : f_several
            assign f_count = \sometimes_due.count_q ;
        end else begin : f_one
            assign f_count = 8'd0;
        end
    endgenerate
    always @* if (f_past) begin
        assert (barrier_pace == f_ticks);
        assert (barrier_release == f_released);
        // invariants
        assert (phase_q == f_phase && f_phase <= DIAMETER);
        assert (f_count == f_cycle && f_cycle < PERIOD);
    end
    always @* begin
        cover (f_past && barrier_release && barrier_arrive && !f_behind);
        cover (f_past && f_phase == 1 && f_cycle == 0 && f_behind);
    end
