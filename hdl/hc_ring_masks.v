// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_ring_masks: which ports of a programmable router belong together, from what
// hc_weight_engine says of each.
//
// The links of one direction of a dimension are a block of neighbouring ports. A block
// counterclockwise stands behind the one clockwise; its messages go on at the port before
// it, those of the block clockwise at the last port of the other.
//
// Latency: a cycle. All of it is constant while the router runs.

`default_nettype none

module hc_ring_masks #(
    parameter integer PORTS   = 16,  // 1 or more
    parameter integer LONGEST = 6,   // largest rho of a ring with ring ports, 1 or more
    parameter integer STEPS   = 3,   // smallest with 2**STEPS of at least LONGEST, but 1 or more
    parameter integer WC_BITS = 3
) (
    input  wire                         clk,
    input  wire [PORTS-1:0]             first,   // distance 1: a block begins
    input  wire [PORTS-1:0]             behind,  // counterclockwise
    input  wire [PORTS*WC_BITS-1:0]     largest, // D
    input  wire [PORTS*WC_BITS-1:0]     rho,
    output wire [STEPS*PORTS-1:0]       joined,  // vector s: a port and the one 2**s places on are in one block
    output reg  [(LONGEST+1)*PORTS-1:0] bonds    // 0: the counterclockwise block begins behind it; r: a clockwise one of rho = r here
);

    wire unused = &{1'b0, behind[0], first[0]};  // the first port is clockwise

    genvar p, s;
    generate
        for (p = 0; p < PORTS; p = p + 1) begin : port
            wire begins = first[p] & !behind[p] & |(largest[p*WC_BITS+:WC_BITS] >> 1);

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
            if (p + 1 < PORTS) begin : next
                always @(posedge clk) bonds[p] <= first[p+1] & behind[p+1];
            end else begin : none
                always @(posedge clk) bonds[p] <= 1'b0;
            end
            for (s = 1; s <= LONGEST; s = s + 1) begin : reach
                always @(posedge clk) bonds[s*PORTS+p] <= begins & rho[p*WC_BITS+:WC_BITS] == s[WC_BITS-1:0];
            end
        end
    endgenerate

endmodule

`default_nettype wire
