// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_step_counter: counts the cycles of the operations of a collective network.
//
// count is 0 while no operation is under way, and 1 to PERIOD in the cycles of one. A start is accepted while
// count is 0 or PERIOD. The cycle in which it is accepted is cycle 0 of the operation.
//
// Latency: count is 1 in the cycle after a start is accepted. All outputs are registers.

`default_nettype none

module hc_step_counter #(
    parameter integer PERIOD = 1  // cycles from a start to the first in which the next is accepted, 1 or more
) (
    input  wire                        clk,
    input  wire                        rst,
    input  wire                        start,
    output reg                         ready,  // a start is accepted
    output reg                         done,   // the cycle after the last one of an operation
    output reg  [$clog2(PERIOD+1)-1:0] count
);

    generate
        if (PERIOD < 1) begin : illegal_period
            hc_step_counter_PERIOD_must_be_1_or_more illegal ();
        end
    endgenerate

    localparam integer    BITS = $clog2(PERIOD + 1);
    localparam [BITS-1:0] LAST = PERIOD[BITS-1:0];

    // While ready is 1, count is 0 or PERIOD, and while it is 0, the next count is one more. So ready depends on count,
    // not on the sum.
    always @(posedge clk) begin
        if (ready) begin
            count <= {BITS{1'b0}};
            count[0] <= start;
        end
        else count <= count + 1'b1;
        ready <= PERIOD == 1 || (ready ? !start : count == LAST - 1'b1);
        done <= count == LAST;
        if (rst) begin
            count <= {BITS{1'b0}};
            ready <= 1'b1;
            done  <= 1'b0;
        end
    end

endmodule

`default_nettype wire
