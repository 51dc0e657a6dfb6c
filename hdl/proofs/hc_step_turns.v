// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_step_turns, inserted before its endmodule: an operation that is accepted keeps others out at the ends of
// its steps but the last, and nowhere else; its numbers are in their places, and it is done once.

    reg f_past = 1'b0;

    // One operation stands for all: any that is accepted while none is followed.
    (* anyseq *) wire f_begin;
    reg        f_under = 1'b0;  // an operation is followed
    reg  [7:0] f_cycle = 0;     // of it
    reg  [7:0] f_step;          // its step in this cycle, 1 or more
    reg  [7:0] f_place;         // the place that its number is in, 0 at the end of a step
    reg        f_done;
    always @* f_done = f_cycle == STEPS * TURNS + DONE;
    always @(posedge clk) begin
        f_past <= 1'b1;
        if (f_under) begin
            f_cycle <= f_cycle + 1'b1;
            f_place <= f_place == TURNS - 1 ? 0 : f_place + 1'b1;
            f_step  <= f_place == 0 ? f_step + 1'b1 : f_step;
            if (f_done) f_under <= 1'b0;
        end
        else if (start && ready && f_begin) begin
            f_under <= 1'b1;
            f_cycle <= 1;
            f_place <= 1;
            f_step  <= 1;
        end
        if (rst) f_under <= 1'b0;
    end
    always @* if (!f_past) assume (rst);

    integer f_i;
    reg     f_legal;
    always @* begin
        f_legal = 1'b1;
        for (f_i = 0; f_i < TURNS; f_i = f_i + 1) if (counts[f_i*BITS+:BITS] > LAST) f_legal = 1'b0;
    end
    always @* if (f_past) begin
        assert (ready == (counts[0+:BITS] == 0 || counts[0+:BITS] == LAST));
        assert (f_legal);
        if (f_under) begin
            assert (f_cycle != 0 && f_cycle <= STEPS * TURNS + DONE);
            assert (f_place < TURNS && f_step != 0 && f_cycle == (f_place == 0 ? f_step * TURNS : (f_step - 1) * TURNS + f_place));
            if (f_cycle <= STEPS * TURNS) assert (counts[f_place*BITS+:BITS] == f_step);
            if (f_cycle > STEPS * TURNS) assert (ended[f_cycle-STEPS*TURNS]);
            if (f_done) assert (done);
        end
    end

    // No operation is done that was not accepted: if only followed ones have been, all other places are empty.
    reg f_others = 1'b0;  // another operation has been accepted since the reset
    reg f_empty;
    always @(posedge clk) f_others <= !rst && (f_others || start && ready && (f_under || !f_begin));
    always @* begin
        f_empty = 1'b1;
        for (f_i = 0; f_i < TURNS; f_i = f_i + 1)
            if (counts[f_i*BITS+:BITS] != 0 && !(f_under && f_i == f_place && f_cycle <= STEPS * TURNS)) f_empty = 1'b0;
        for (f_i = 1; f_i <= DONE; f_i = f_i + 1) if (ended[f_i] && !(f_under && f_cycle == STEPS * TURNS + f_i)) f_empty = 1'b0;
    end
    always @* if (f_past && !f_others) assert (f_empty && done == (f_under && f_done));
    always @(posedge clk) begin
        cover (f_past && done && f_under && f_done && f_others);
        cover (f_past && done && !f_others);
        cover (f_past && rst && f_under && f_cycle == TURNS);
    end
