// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_node_count: multiplies the nodes of the dimensions, and rounds up to a power of
// two, without a multiplier.
//
// It keeps N - 1 and N - 2. Adding N of the dimensions before to the latter, m - 1 times,
// gives m N - 2. The share is N - 2 with ones below its highest.
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

    localparam [BITS-1:0] ONE = {{BITS - 1{1'b0}}, 1'b1};

    reg  [BITS-1:0] product_q;  // N - 2, modulo 2**BITS
    wire [BITS:0]   longer = {share, 1'b1};
    wire            unused = &{1'b0, longer[BITS]};

    assign rounded = ~|(product_q & ~share);

    always @(posedge clk) begin
        if (grow) product_q <= product_q + cost + ONE;
        if (multiplied) cost <= product_q + ONE;
        if (round & !rounded) share <= longer[BITS-1:0];
        if (rst) begin
            product_q <= {BITS{1'b1}};
            cost      <= {BITS{1'b0}};
            share     <= {BITS{1'b0}};
        end
    end

endmodule

`default_nettype wire
