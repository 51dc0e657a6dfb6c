// SPDX-License-Identifier: Apache-2.0
//
// manycore_memory: the memory of a node, in four byte lanes of block RAM, at the memory port of its endpoint.

`default_nettype none

module manycore_memory #(
    parameter integer ADDRESS_BITS = 9  // of a word
) (
    input  wire                    clk,
    input  wire                    en,
    input  wire [3:0]              we,    // bytes to write; none: read
    input  wire [ADDRESS_BITS-1:0] addr,
    input  wire [31:0]             wdata,
    output wire [31:0]             rdata  // in the cycle after a read
);

    genvar i;
    generate
        for (i = 0; i < 4; i = i + 1) begin : lane
            reg [7:0] bytes [0:(1<<ADDRESS_BITS)-1];
            reg [7:0] read_q;

            assign rdata[8*i+:8] = read_q;

            always @(posedge clk) begin
                if (en & we[i]) bytes[addr] <= wdata[8*i+:8];
                if (en & (we == 4'd0)) read_q <= bytes[addr];
            end
        end
    endgenerate

endmodule

`default_nettype wire
