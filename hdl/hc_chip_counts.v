// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chip_counts: the counters of a cable.
//
// Latency: a counter follows in the next cycle. bad_seen is a count of another clock (hc_clock_crossing)
// that goes up by less than 16 in a cycle of this one.

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

    reg  [3:0] seen_q;
    wire [3:0] more = bad_seen - seen_q;

    always @(posedge clk) begin
        seen_q <= bad_seen;
        if (bad_rst) seen_q <= 4'd0;
    end

    always @(posedge clk) begin
        good        <= good + {31'd0, is_good};
        repetitions <= repetitions + {31'd0, returns};
        silences    <= silences + {31'd0, becomes_silent};
        sent        <= sent + {31'd0, leaves};
        received    <= received + {31'd0, arrives};
        if (!bad_rst) bad <= bad + {28'd0, more};
        if (rst) begin
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
