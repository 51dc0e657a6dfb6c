// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_step_turns: counts the steps of operations of a collective network that take turns.
//
// A step takes TURNS cycles, so operations that start in TURNS consecutive cycles never end a step in the same cycle.
// The numbers of their steps pass through a ring of TURNS registers. A number goes up by one where a step ends. There
// an operation is accepted if the place is free, or if the last step of an operation ends.
//
// Latency: a start that is accepted in cycle 0 is the number 1 in place 1 in cycle 1. All outputs are registers.

`default_nettype none

module hc_step_turns #(
    parameter integer STEPS = 1,  // of an operation, 1 or more
    parameter integer TURNS = 2,  // cycles of a step, and operations that take turns, 2 or more
    parameter integer DONE  = 1   // cycles from the end of the last step to done, 1 or more
) (
    input  wire                             clk,
    input  wire                             rst,
    input  wire                             start,  // start an operation
    output reg                              ready,  // a start is accepted in this cycle
    output wire                             done,   // high for one cycle, DONE cycles after the last step
    // Place 0, lowest: the number of the step that ends in this cycle, 0 if none does. Place j: the number of the step
    // that began behind the end of the cycle j cycles ago, 0 if none did.
    output wire [TURNS*$clog2(STEPS+1)-1:0] counts
);

    generate
        if (STEPS < 1) begin : illegal_steps
            hc_step_turns_STEPS_must_be_1_or_more illegal ();
        end
        if (TURNS < 2) begin : illegal_turns
            hc_step_turns_TURNS_must_be_2_or_more illegal ();
        end
        if (DONE < 1) begin : illegal_done
            hc_step_turns_DONE_must_be_1_or_more illegal ();
        end
    endgenerate

    localparam integer    BITS = $clog2(STEPS + 1);
    localparam [BITS-1:0] LAST = STEPS[BITS-1:0];

    reg  [BITS-1:0]           ending_q;  // place 0
    reg  [(TURNS-1)*BITS-1:0] began_q;   // the other places, place 1 lowest
    reg  [BITS-1:0]           next;      // of place 1
    wire [BITS-1:0]           last = began_q[(TURNS-2)*BITS+:BITS];

    always @* begin
        next = ending_q + 1'b1;
        if (ready) begin
            next    = {BITS{1'b0}};
            next[0] = start;
        end
    end

    reg  [DONE-1:0] ended_q;
    wire [DONE:0]   ended = {ended_q, ending_q == LAST};

    always @(posedge clk) begin
        {ending_q, began_q} <= {began_q, next};
        ready   <= last == {BITS{1'b0}} || last == LAST;
        ended_q <= ended[DONE-1:0];
        if (rst) begin
            ending_q <= {BITS{1'b0}};
            began_q  <= {(TURNS - 1) * BITS{1'b0}};
            ready    <= 1'b1;
            ended_q  <= {DONE{1'b0}};
        end
    end

    assign counts = {began_q, ending_q};
    assign done   = ended[DONE];

endmodule

`default_nettype wire
