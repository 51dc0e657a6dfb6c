// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_node_count: multiplies the nodes of the dimensions, and rounds up to a power of
// two, without a multiplier.
//
// It keeps N - 1. Adding 1 and the N - 1 of the dimensions before to it, m - 1 times,
// gives m N - 1.
//
// Latency: a cycle per addition, and one per bit to round.

`default_nettype none

module hc_node_count #(
    parameter integer BITS = 16  // of the largest N - 1, 1 or more
) (
    input  wire            clk,
    input  wire            rst,         // N is 1
    input  wire            grow,        // once less than the dimension has nodes,
    input  wire            multiplied,  // and then once this
    input  wire            round,       // until it is rounded
    output wire            rounded,
    output reg  [BITS-1:0] cost,        // N - 1
    output reg  [BITS-1:0] share        // the smallest power of two that is at least N - 1, less 1
);

    reg  [BITS-1:0] product_q;
    reg  [BITS:0]   power_q;  // share + 1
    wire [BITS:0]   grown  = {1'b0, product_q} + {1'b0, cost} + {{BITS{1'b0}}, 1'b1};
    wire [BITS:0]   longer = {share, 1'b1};
    wire            unused = &{1'b0, grown[BITS], longer[BITS]};

    assign rounded = power_q >= {1'b0, cost};

    always @(posedge clk) begin
        if (grow) product_q <= grown[BITS-1:0];
        if (multiplied) cost <= product_q;
        if (round & !rounded) begin
            share   <= longer[BITS-1:0];
            power_q <= {power_q[BITS-1:0], 1'b0};
        end
        if (rst) begin
            product_q <= {BITS{1'b0}};
            cost      <= {BITS{1'b0}};
            share     <= {BITS{1'b0}};
            power_q   <= {{BITS{1'b0}}, 1'b1};
        end
    end

endmodule

`default_nettype wire
