// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_ring_scatter: the way back of hc_ring_gather: tells all links of a block what
// holds at the ring port on which their messages go on. Masks are those of hc_ring_masks.
//
// Latency: none; a logarithmic number of steps.

`default_nettype none

module hc_ring_scatter #(
    parameter integer PORTS   = 16,  // 1 or more
    parameter integer LONGEST = 6,   // largest rho of a ring with ring ports, 1 or more
    parameter integer STEPS   = 3    // of hc_ring_masks
) (
    input  wire [STEPS*PORTS-1:0]       joined,
    input  wire [(LONGEST+1)*PORTS-1:0] bonds,
    input  wire [PORTS-1:0]             values,  // of ring ports
    output reg  [PORTS-1:0]             scattered
);

    integer step, p;
    wire    unused = &{1'b0, values, joined, bonds};  // of ports that have no place for a block

    // What the first link of a block takes.
    wire [PORTS-1:0] begun;
    genvar q, s;
    generate
        for (q = 0; q < PORTS; q = q + 1) begin : port
            wire [LONGEST:0] sources;
            if (q > 0) begin : last
                assign sources[0] = bonds[q-1] & values[q-1];
            end else begin : none
                assign sources[0] = 1'b0;
            end
            for (s = 1; s <= LONGEST; s = s + 1) begin : far
                if (q + 2 * s <= PORTS) begin : there
                    assign sources[s] = bonds[s*PORTS+q] & values[q+2*s-1];
                end else begin : none
                    assign sources[s] = 1'b0;
                end
            end
            assign begun[q] = |sources;
        end
    endgenerate

    always @* begin
        scattered = begun;
        for (step = 0; 1 << step < LONGEST; step = step + 1)
            for (p = PORTS - 1; p >= 1 << step; p = p - 1)
                scattered[p] = scattered[p] | joined[step*PORTS+p-(1<<step)] & scattered[p-(1<<step)];
    end

endmodule

`default_nettype wire
