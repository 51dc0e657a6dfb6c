// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_step_counter: counts the cycles of the operations of a collective network.
//
// count is 0 while no operation is under way, and 1 to PERIOD in the cycles of an operation. A start is accepted
// while count is 0 or PERIOD. The cycle in which it is accepted is cycle 0 of the operation.
//
// Latency: count is 1 in the cycle after a start is accepted. All outputs are registers.

`default_nettype none

module hc_step_counter #(
    parameter integer PERIOD = 1  // cycles from a start to the next accepted start, 1 or more
) (
    input  wire                        clk,
    input  wire                        rst,
    input  wire                        start,  // start an operation
    output reg                         ready,  // a start is accepted in this cycle
    output reg                         done,   // high for one cycle after the last cycle of an operation
    output reg  [$clog2(PERIOD+1)-1:0] count   // cycle of the operation; 0 if none is under way
);

    generate
        if (PERIOD < 1) begin : illegal_period
            hc_step_counter_PERIOD_must_be_1_or_more illegal ();
        end
    endgenerate

    localparam integer    BITS = $clog2(PERIOD + 1);
    localparam [BITS-1:0] LAST = PERIOD[BITS-1:0];

    // While ready is 1, count is 0 or PERIOD. While ready is 0, the next count is count + 1. So the next ready is
    // computed from count, not from the sum.
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
