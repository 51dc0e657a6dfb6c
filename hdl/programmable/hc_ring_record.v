// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_ring_record: keeps m and rho of each dimension and the distance of each port, which messages
// with destinations need in addition to the constants of hc_weight_engine.
//
// The host may write the registers while the router runs, so the values that the engine used are
// kept here.
//
// Latency: one cycle. The outputs are constant while the router runs.

`default_nettype none

module hc_ring_record #(
    parameter integer DIMENSIONS = 4,   // largest number of dimensions of a machine, 1 to 4
    parameter integer DEGREE     = 16,  // number of ports, 1 or more
    parameter integer WC_BITS    = 3    // bits of a distance
) (
    input  wire                                clk,
    input  wire                                clear,      // forget all dimensions and ports
    input  wire                                counting,   // the machine has this dimension
    input  wire [1:0]                          dimension,  // number of that dimension, from 0
    input  wire [WC_BITS:0]                    m,          // m of that dimension
    input  wire [WC_BITS-1:0]                  rho,        // rho of that dimension
    input  wire                                shifting,   // a port is added
    input  wire [WC_BITS-1:0]                  distance,   // distance of that port
    output reg  [DIMENSIONS*(2*WC_BITS+1)-1:0] rings,      // {rho, m} of each dimension, 0 if the machine lacks it
    output reg  [DEGREE*WC_BITS-1:0]           distances   // distance of each port of the machine, port 0 lowest
);

    localparam integer RING_BITS = 2 * WC_BITS + 1;

    wire [(DEGREE+1)*WC_BITS-1:0] pushed = {distance, distances};
    wire                          unused = &{1'b0, pushed[WC_BITS-1:0]};

    integer d;
    always @(posedge clk) begin
        for (d = 0; d < DIMENSIONS; d = d + 1)
            if (counting && dimension == d[1:0]) rings[d*RING_BITS+:RING_BITS] <= {rho, m};
        if (shifting) distances <= pushed[WC_BITS+:DEGREE*WC_BITS];
        if (clear) rings <= {DIMENSIONS * RING_BITS{1'b0}};
    end

endmodule

`default_nettype wire
