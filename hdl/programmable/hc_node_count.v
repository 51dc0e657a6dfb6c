// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_node_count: computes the number N of nodes of a machine, the product of the nodes of its
// dimensions, without a multiplier.
//
// The register stores N - 1. Adding the N of the previous dimensions m - 1 times gives m N - 1.
//
// Latency: one cycle per addition, and one per dimension.

`default_nettype none

module hc_node_count #(
    parameter integer NODE_BITS = 16  // bits of the largest N - 1, 1 or more
) (
    input  wire                 clk,
    input  wire                 rst,         // N becomes 1
    input  wire                 grow,        // add N; to be high for m - 1 cycles for a dimension of m nodes
    input  wire                 multiplied,  // the dimension is complete; to be high for one cycle after them
    output reg  [NODE_BITS-1:0] others       // N - 1
);

    reg [NODE_BITS-1:0] product_q;  // N - 1, with those nodes of the dimension that have been counted

    always @(posedge clk) begin
        if (grow) product_q <= product_q + others + 1'b1;
        if (multiplied) others <= product_q;
        if (rst) begin
            product_q <= {NODE_BITS{1'b0}};
            others    <= {NODE_BITS{1'b0}};
        end
    end

endmodule

`default_nettype wire
