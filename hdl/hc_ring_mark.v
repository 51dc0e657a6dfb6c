// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_ring_mark: records in how many ticks of the router's pace the entrants of a ring port have
// been passed by messages that continue. The pace stops at two, until an entrant is taken.
//
// Nothing is recorded while no entrant waits. `waiting` and `passes` end in registers here, so
// they may arrive late in the cycle.
//
// Latency: a tick in which an entrant is passed counts in the next cycle.

`default_nettype none

module hc_ring_mark (
    input  wire clk,
    input  wire rst,
    input  wire waiting,  // the port has a well-formed entrant, and takes none in this cycle
    input  wire passes,   // the port takes a message that continues
    input  wire tick,     // the pace of the router advances
    output wire held      // passed in two ticks: the pace must not advance
);

    reg  passed_q;  // since the last tick
    reg  once_q;    // in one tick or more
    reg  twice_q;   // in two
    wire passed = passed_q | passes;

    // Not a reset by !waiting: that net is slow. 128 instead of 142 MHz in a router of a 6-ring with rho = 2.
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

    assign held = twice_q;

endmodule

`default_nettype wire
