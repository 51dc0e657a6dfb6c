// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_ring_masks: which ports of a programmable router belong together, from the words of
// hc_weight_engine.
//
// The links of one direction of a dimension are a block of adjacent ports, the counterclockwise
// block after the clockwise one. Messages of the counterclockwise block continue on the port
// before it, those of the clockwise block on the last port of the other. With rho links in a
// block that is 1 or 2 rho - 1 ports from its first link, so every other link of the block is
// an odd number of ports away, and the rest are adjacent to those.
//
// Latency: a cycle. The outputs are constant while the router runs.

`default_nettype none

module hc_ring_masks #(
    parameter integer PORTS   = 16,  // 1 or more
    parameter integer LONGEST = 6,   // largest rho of a ring with ring ports, 1 or more
    parameter integer STEPS   = 3    // smallest with 2**STEPS of at least LONGEST, but 1 or more
) (
    input  wire                   clk,
    input  wire [PORTS-1:0]       first,   // distance 1: a block begins
    input  wire [PORTS-1:0]       behind,  // counterclockwise
    input  wire [PORTS-1:0]       farthest, // distance rho
    input  wire [2*PORTS-1:0]     number,  // of the dimension, modulo 4
    output wire [STEPS*PORTS-1:0] joined,  // vector s: a port and the port 2**s places later are in one block
    output wire [PORTS*PORTS-1:0] onward   // vector q: messages of this link continue on port q, an odd number of ports away
);

    wire unused = &{1'b0, clk, first, behind, farthest, number};  // ports that cannot begin a block

    genvar p, q, s;
    generate
        for (p = 0; p < PORTS; p = p + 1) begin : port
            for (s = 0; s < STEPS; s = s + 1) begin : step
                if (p + (1 << s) >= PORTS) begin : beyond
                    assign joined[s*PORTS+p] = 1'b0;
                end else if (s == 0) begin : neighbour
                    assign joined[s*PORTS+p] = !first[p+1];
                end else begin : farther
                    reg joined_q;
                    always @(posedge clk) joined_q <= ~|first[p+(1<<s):p+1];
                    assign joined[s*PORTS+p] = joined_q;
                end
            end
            // A clockwise block is before its ring port, at most 2 rho - 1 ports away. A counterclockwise
            // block is after its ring port, at most rho ports away, and behind a clockwise block of its size.
            for (q = 0; q < PORTS; q = q + 1) begin : ring
                if ((p + q) % 2 == 1 &&
                    (p < q ? q - p < 2 * LONGEST : p - q <= LONGEST && p <= 2 * q + 1)) begin : there
                    wire same     = number[2*p+:2] == number[2*q+:2];
                    wire opposite = p < q ? behind[q] & !behind[p] : behind[p] & !behind[q];
                    reg  onward_q;
                    always @(posedge clk) onward_q <= same & opposite & farthest[q];
                    assign onward[q*PORTS+p] = onward_q;
                end else begin : never
                    assign onward[q*PORTS+p] = 1'b0;
                end
            end
        end
    endgenerate

endmodule

`default_nettype wire
