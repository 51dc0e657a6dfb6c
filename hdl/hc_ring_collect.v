// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_ring_collect: tells each link of a ring what holds at any link from it to the end of
// its block, for rings that are known only at run time. Masks are those of hc_ring_masks.
//
// Latency: none; a logarithmic number of steps.

`default_nettype none

module hc_ring_collect #(
    parameter integer PORTS   = 16,  // 1 or more
    parameter integer LONGEST = 6,   // largest rho of a ring with ring ports, 1 or more
    parameter integer STEPS   = 3    // of hc_ring_masks
) (
    input  wire [STEPS*PORTS-1:0] joined,
    input  wire [PORTS-1:0]       values,
    output reg  [PORTS-1:0]       collected
);

    integer step, p;
    wire    unused = &{1'b0, joined};  // of ports that have no place for a block

    always @* begin
        collected = values;
        for (step = 0; 1 << step < LONGEST; step = step + 1)
            for (p = 0; p + (1 << step) < PORTS; p = p + 1)
                collected[p] = collected[p] | joined[step*PORTS+p] & collected[p+(1<<step)];
    end

endmodule

`default_nettype wire
