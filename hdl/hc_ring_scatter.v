// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_ring_scatter: the way back of hc_ring_gather: tells all links of a block what
// holds at the ring port on which their messages go on.
//
// Latency: none; a logarithmic number of steps.

`default_nettype none

module hc_ring_scatter #(
    parameter integer PORTS   = 16,  // 1 or more
    parameter integer LONGEST = 6    // largest rho of a ring with ring ports, 1 or more
) (
    input  wire [PORTS-1:0]             first,  // distance 1: a block begins
    input  wire [(LONGEST+1)*PORTS-1:0] bonds,  // see hc_ring_gather
    input  wire [PORTS-1:0]             values,  // of ring ports
    output reg  [PORTS-1:0]             scattered
);

    reg     [PORTS-1:0] linked;  // the port so many places back is in the same block
    integer             step, p;
    wire                unused = &{1'b0, values, bonds};  // of ports that have no place for a block

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
        linked = ~first;
        for (step = 1; step < LONGEST; step = 2 * step) begin
            for (p = PORTS - 1; p >= 0; p = p - 1) begin
                if (p >= step) begin
                    scattered[p] = scattered[p] | linked[p] & scattered[p-step];
                    linked[p] = linked[p] & linked[p-step];
                end else begin
                    linked[p] = 1'b0;
                end
            end
        end
    end

endmodule

`default_nettype wire
