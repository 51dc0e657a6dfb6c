// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chip_counts: the counters of a cable.
//
// Latency: a counter follows in the second cycle. What happens comes late in a cycle, and goes through a
// register before the long sum. bad_seen is a count of another clock (hc_clock_crossing) that goes up by
// less than 16 in a cycle of this one.

`default_nettype none

module hc_chip_counts (
    input  wire        clk,
    input  wire        rst,
    input  wire        is_good,
    input  wire [3:0]  bad_seen,      // bad frames modulo 16
    input  wire        bad_rst,       // bad_seen does not count
    input  wire        returns,
    input  wire        becomes_silent,
    input  wire        leaves,
    input  wire        arrives,
    output reg  [31:0] good,
    output reg  [31:0] bad,
    output reg  [31:0] repetitions,
    output reg  [31:0] silences,
    output reg  [31:0] sent,
    output reg  [31:0] received
);

    reg       good_q, returns_q, silent_q, leaves_q, arrives_q;  // it was 1 in the last cycle
    reg [3:0] seen_q;
    reg [3:0] more_q;  // bad frames to add

    always @(posedge clk) begin
        seen_q <= bad_seen;
        more_q <= bad_seen - seen_q;
        if (bad_rst) begin
            seen_q <= 4'd0;
            more_q <= 4'd0;
        end
    end

    always @(posedge clk) begin
        good_q      <= is_good;
        returns_q   <= returns;
        silent_q    <= becomes_silent;
        leaves_q    <= leaves;
        arrives_q   <= arrives;
        good        <= good + {31'd0, good_q};
        bad         <= bad + {28'd0, more_q};
        repetitions <= repetitions + {31'd0, returns_q};
        silences    <= silences + {31'd0, silent_q};
        sent        <= sent + {31'd0, leaves_q};
        received    <= received + {31'd0, arrives_q};
        if (rst) begin
            good_q      <= 1'b0;
            returns_q   <= 1'b0;
            silent_q    <= 1'b0;
            leaves_q    <= 1'b0;
            arrives_q   <= 1'b0;
            good        <= 32'd0;
            bad         <= 32'd0;
            repetitions <= 32'd0;
            silences    <= 32'd0;
            sent        <= 32'd0;
            received    <= 32'd0;
        end
    end

endmodule

`default_nettype wire
