// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chunk_add: the operator "add" of reductions, the sum modulo 2^W, of words whose chunks follow one another. The
// lowest chunk is at place 0.
//
// Latency: none. The carry of a chunk goes to the chunk at the next place through a register.

`default_nettype none

module hc_chunk_add #(
    parameter integer W     = 32,  // bits of a word, 1 or more
    parameter integer CHUNK = 8    // bits of a chunk, 1 or more; the highest chunk may be shorter
) (
    input  wire         clk,
    input  wire [W-1:0] a,  // first operand
    input  wire [W-1:0] b,  // second operand
    output wire [W-1:0] y   // result
);

    localparam integer CHUNKS = (W + CHUNK - 1) / CHUNK;

    wire [CHUNKS-1:0] carries;  // into each chunk
    assign carries[0] = 1'b0;

    genvar k;
    generate
        if (CHUNK < 1) begin : illegal_chunk
            hc_chunk_add_CHUNK_must_be_1_or_more illegal ();
        end
        for (k = 0; k < CHUNKS; k = k + 1) begin : chunk
            localparam integer LOW  = k * CHUNK;
            localparam integer SIZE = W - LOW < CHUNK ? W - LOW : CHUNK;
            wire [SIZE:0] sum = {1'b0, a[LOW+:SIZE]} + {1'b0, b[LOW+:SIZE]} + {{SIZE{1'b0}}, carries[k]};
            assign y[LOW+:SIZE] = sum[SIZE-1:0];
            if (k == CHUNKS - 1) begin : last
                wire unused = &{1'b0, clk, sum[SIZE]};
            end else begin : passed
                reg carry_q;
                always @(posedge clk) carry_q <= sum[SIZE];
                assign carries[k+1] = carry_q;
            end
        end
    endgenerate

endmodule

`default_nettype wire
