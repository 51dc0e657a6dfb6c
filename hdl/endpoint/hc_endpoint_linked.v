// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_endpoint_linked: reports that all cables of a chip have been up at once since its reset. Its endpoints send nothing
// before.
//
// A chip that is reset alone forgets which replies its nodes are owed. But then a cable that was up at the other end
// stays down until the machine is reset, so the chip is not linked, and an old reply meets no new get.
//
// Latency: linked follows in the next cycle.

`default_nettype none

module hc_endpoint_linked #(
    parameter integer CABLES = 1  // cables of the chip, 1 or more
) (
    input  wire                clk,
    input  wire                rst,     // of the nodes
    input  wire [3*CABLES-1:0] states,  // of the cables
    output reg                 linked   // stays 1 until rst
);

    localparam [2:0] UP = 3'd2;

    always @(posedge clk) begin
        linked <= linked | states == {CABLES{UP}};
        if (rst) linked <= 1'b0;
    end

endmodule

`default_nettype wire
