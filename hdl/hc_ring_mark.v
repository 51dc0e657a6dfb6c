// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_ring_mark: limits how often messages that continue along a ring pass the messages that wait to
// enter it.
//
// The entrants of a ring port are the messages that request to enter the ring there. The module
// records in how many ticks of the clock of the router (hc_pace) they have been passed. After two
// such ticks it holds the clock until the port takes an entrant. While no entrant waits, nothing is
// recorded.
//
// Latency: a tick in which an entrant is passed counts in the next cycle. `waiting` and `passes`
// lead only to registers, so they may arrive late in the cycle.

`default_nettype none

module hc_ring_mark (
    input  wire clk,
    input  wire rst,
    input  wire waiting,  // the port has a well-formed entrant, and takes no entrant in this cycle
    input  wire passes,   // the port takes a message that continues
    input  wire tick,     // the clock of the router ticks
    output wire hold      // the entrants have been passed in two ticks: the clock must not tick
);

    reg  passed_q;  // the entrants have been passed since the last tick
    reg  once_q;    // the entrants have been passed in one tick or more
    reg  twice_q;   // the entrants have been passed in two ticks
    wire passed = passed_q | passes;

    // !waiting is not used as a reset, because that net is slow: a router of a 6-ring with rho = 2 would
    // reach 128 MHz instead of 142 MHz.
    always @(posedge clk) begin
        passed_q <= waiting & passed & !tick;
        once_q   <= waiting & (once_q | (passed & tick));
        twice_q  <= waiting & (twice_q | (once_q & passed & tick));
        if (rst) begin
            passed_q <= 1'b0;
            once_q   <= 1'b0;
            twice_q  <= 1'b0;
        end
    end

    assign hold = twice_q;

endmodule

`default_nettype wire
