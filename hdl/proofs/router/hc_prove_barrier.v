// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_prove_barrier: proves that the barrier of a router follows its rule.
//
// Assumed: nothing about the node or its neighbours. Proved: the barrier ticks and releases the
// node as the section "Rule" of docs/barrier.md in hcgen defines.

`default_nettype none

module hc_prove_barrier #(
    parameter integer DEGREE     = 1,
    parameter integer DIAMETER   = 1,
    parameter integer PHASE_BITS = 1,
    parameter integer PERIOD     = 1,  // cycles in which the barrier may tick once
    parameter integer COUNT_BITS = 1
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  live,
    input  wire                  arrive,
    input  wire                  release_now,
    input  wire [1:0]            pace,
    input  wire [2*DEGREE-1:0]   link_pace,
    // Registers of the design.
    input  wire [PHASE_BITS-1:0] phase,       // ticks since the last hold
    input  wire [COUNT_BITS-1:0] count        // cycles since reset, modulo PERIOD; 0 if PERIOD is 1
);

    reg  [1:0]  ticks;
    reg  [15:0] since;
    reg  [15:0] cycle;
    reg         released;
    wire        holds = since == 0 && !(arrive && !released);
    reg         behind;

    integer i;
    always @* begin
        behind = 1'b0;
        for (i = 0; i < DEGREE; i = i + 1) if ((link_pace[2*i+:2] + 1) % 4 == ticks) behind = 1'b1;
    end

    always @(posedge clk) begin
        released <= 1'b0;
        cycle    <= (cycle + 1) % PERIOD;
        if (!holds && !behind && cycle == 0) begin
            ticks    <= ticks + 2'd1;
            since    <= since == DIAMETER ? 0 : since + 1;
            released <= since == DIAMETER;
        end
        if (rst) begin
            ticks    <= 2'd0;
            since    <= 16'd0;
            cycle    <= 16'd0;
            released <= 1'b0;
        end
    end

    // Contract.
    always @* if (live) begin
        assert (pace == ticks);
        assert (release_now == released);
    end

    // Invariants.
    always @* if (live) begin
        assert (phase == since && since <= DIAMETER);
        assert (count == cycle && cycle < PERIOD);
    end

    always @* cover (live && since == 1 && cycle == 0 && behind);

endmodule

`default_nettype wire
