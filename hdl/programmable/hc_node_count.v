// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_node_count: multiplies the nodes of the dimensions, without a multiplier.
//
// It stores N - 1. Adding the N of the previous dimensions m - 1 times gives m N - 1.
//
// Latency: a cycle per addition, and one per dimension.

`default_nettype none

module hc_node_count #(
    parameter integer BITS = 16  // of the largest N - 1, 1 or more
) (
    input  wire            clk,
    input  wire            rst,         // N is 1
    input  wire            grow,        // m - 1 times for a dimension of m nodes,
    input  wire            multiplied,  // then once `multiplied`
    output reg  [BITS-1:0] others       // N - 1
);

    reg [BITS-1:0] product_q;  // N - 1 with the nodes of the dimension counted so far

    always @(posedge clk) begin
        if (grow) product_q <= product_q + others + 1'b1;
        if (multiplied) others <= product_q;
        if (rst) begin
            product_q <= {BITS{1'b0}};
            others    <= {BITS{1'b0}};
        end
    end

endmodule

`default_nettype wire
