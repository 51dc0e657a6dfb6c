// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_barrier: releases a node when all nodes of the network have arrived at the barrier.
//
// Every router has a clock that counts ticks, and sees the clocks of its neighbours. No clock ticks
// while a neighbour is behind, so the clocks of neighbours differ by at most one tick. Every
// (DIAMETER + 1)-th tick is a hold: at a hold the clock ticks only after its node has arrived. A
// clock that reaches its next hold is DIAMETER + 1 ticks ahead of its last hold, so every other
// clock has left that hold and every node has arrived.
//
// If link_barrier_pace is up to PERIOD - 1 cycles late, the clock may tick only in every PERIOD-th
// cycle. The clocks of all neighbours are known by then, so all nodes are released in the same cycle.
//
// Latency: barrier_release follows the last arrival by exactly DIAMETER + 1 cycles, at all nodes; or,
// from the next cycle in which clocks may tick, by DIAMETER PERIOD + 1 cycles.
// barrier_release and barrier_pace are registers. The barrier is independent of messages.
//
// Freedom from deadlock: every node must arrive. All routers must leave reset in the same cycle,
// unless hc_link_clocks lies between them.

`default_nettype none

module hc_barrier #(
    parameter integer DEGREE   = 1,  // number of links, 1 or more
    parameter integer DIAMETER = 1,  // diameter of the network in links, 1 or more
    parameter integer PERIOD   = 1   // cycles in which the clock may tick once, 1 or more
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                barrier_arrive,    // the node has arrived; must stay high until the node is released
    output reg                 barrier_release,   // high for one cycle: all nodes have arrived
    output wire [1:0]          barrier_pace,      // ticks of this clock, modulo 4
    input  wire [2*DEGREE-1:0] link_barrier_pace  // barrier_pace of the neighbour on each link
);

    generate
        if (DEGREE < 1) begin : illegal_degree
            hc_barrier_DEGREE_must_be_1_or_more illegal ();
        end else if (DIAMETER < 1) begin : illegal_diameter
            hc_barrier_DIAMETER_must_be_1_or_more illegal ();
        end else if (PERIOD < 1) begin : illegal_period
            hc_barrier_PERIOD_must_be_1_or_more illegal ();
        end
    endgenerate

    localparam integer    BITS = $clog2(DIAMETER + 1);
    localparam [BITS-1:0] LAST = DIAMETER[BITS-1:0];

    reg  [1:0]        pace_q;
    reg  [BITS-1:0]   phase_q;  // ticks since the last hold
    wire              waits = ~|phase_q & !(barrier_arrive & !barrier_release);
    wire [DEGREE-1:0] behind;
    wire              due;  // the clock may tick in this cycle
    wire              tick = !waits & ~|behind & due;
    wire              last = phase_q == LAST;

    genvar i;
    generate
        for (i = 0; i < DEGREE; i = i + 1) begin : link
            assign behind[i] = link_barrier_pace[2*i+:2] == pace_q - 2'd1;
        end

        if (PERIOD == 1) begin : always_due
            assign due = 1'b1;
        end else begin : sometimes_due
            localparam integer          COUNT_BITS = $clog2(PERIOD);
            localparam [COUNT_BITS-1:0] MOST       = PERIOD[COUNT_BITS-1:0] - 1'b1;
            reg [COUNT_BITS-1:0] count_q;  // cycles since reset, modulo PERIOD

            always @(posedge clk) begin
                count_q <= count_q == MOST ? {COUNT_BITS{1'b0}} : count_q + 1'b1;
                if (rst) count_q <= {COUNT_BITS{1'b0}};
            end
            assign due = ~|count_q;
        end
    endgenerate

    always @(posedge clk) begin
        if (tick) begin
            pace_q  <= pace_q + 2'd1;
            phase_q <= last ? {BITS{1'b0}} : phase_q + 1'b1;
        end
        barrier_release <= tick & last;
        if (rst) begin
            pace_q          <= 2'd0;
            phase_q         <= {BITS{1'b0}};
            barrier_release <= 1'b0;
        end
    end

    assign barrier_pace = pace_q;

endmodule

`default_nettype wire
