// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_ring_masks: derives which ports of a programmable router belong together, from the constants
// of the ports that hc_weight_engine computes.
//
// The links of one direction of a dimension are a block of adjacent ports. The counterclockwise
// block follows the clockwise block. Messages of the counterclockwise block continue on the port
// before it. Messages of the clockwise block continue on the last port of the counterclockwise
// block. With rho links in a block, that port is 1 or 2 rho - 1 ports away from the first link of
// the block. Every other link of the block is therefore an odd number of ports away, and the rest
// are adjacent to these.
//
// Latency: one cycle. The outputs are constant while the router runs.

`default_nettype none

module hc_ring_masks #(
    parameter integer DEGREE  = 16,  // number of ports, 1 or more
    parameter integer LONGEST = 6,   // largest rho of a ring with ring ports, 1 or more
    parameter integer STEPS   = 3    // the smallest number with 2 ** STEPS >= LONGEST, but at least 1
) (
    input  wire                     clk,
    input  wire [DEGREE-1:0]        first,     // the port has distance 1: a block begins
    input  wire [DEGREE-1:0]        behind,    // the port is counterclockwise
    input  wire [DEGREE-1:0]        farthest,  // the port has distance rho
    input  wire [2*DEGREE-1:0]      number,    // number of the dimension of the port, modulo 4
    output wire [STEPS*DEGREE-1:0]  joined,    // vector s: a port and the port 2**s places later are in one block
    output wire [DEGREE*DEGREE-1:0] onward     // vector q: messages continue on port q, an odd number of ports away
);

    wire unused = &{1'b0, clk, first, behind, farthest, number};  // ports that cannot begin a block

    genvar p, q, s;
    generate
        for (p = 0; p < DEGREE; p = p + 1) begin : port
            for (s = 0; s < STEPS; s = s + 1) begin : step
                if (p + (1 << s) >= DEGREE) begin : beyond
                    assign joined[s*DEGREE+p] = 1'b0;
                end else if (s == 0) begin : neighbour
                    assign joined[s*DEGREE+p] = !first[p+1];
                end else begin : farther
                    reg joined_q;
                    always @(posedge clk) joined_q <= ~|first[p+(1<<s):p+1];
                    assign joined[s*DEGREE+p] = joined_q;
                end
            end
            // A clockwise block is before its ring port, at most 2 rho - 1 ports away. A counterclockwise
            // block is after its ring port, at most rho ports away, and behind a clockwise block of its size.
            for (q = 0; q < DEGREE; q = q + 1) begin : ring
                if ((p + q) % 2 == 1 &&
                    (p < q ? q - p < 2 * LONGEST : p - q <= LONGEST && p <= 2 * q + 1)) begin : there
                    wire same     = number[2*p+:2] == number[2*q+:2];
                    wire opposite = p < q ? behind[q] & !behind[p] : behind[p] & !behind[q];
                    reg  onward_q;
                    always @(posedge clk) onward_q <= same & opposite & farthest[q];
                    assign onward[q*DEGREE+p] = onward_q;
                end else begin : never
                    assign onward[q*DEGREE+p] = 1'b0;
                end
            end
        end
    endgenerate

endmodule

`default_nettype wire
