// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chunk_skew: makes the chunks of a word that enters a node follow one another.
//
// Latency: of the chunk at place j, j cycles. The chunk at place 0 passes at once. A word can enter in every cycle.

`default_nettype none

module hc_chunk_skew #(
    parameter integer WIDTH     = 8,  // bits of a word, 1 or more
    parameter integer CHUNK     = 4,  // bits of a chunk, 1 or more; the highest chunk may be shorter
    parameter integer TOP_FIRST = 0   // 1: the highest chunk is at place 0; 0: the lowest
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] word,   // all chunks in one cycle
    output wire [WIDTH-1:0] skewed  // the chunk at place j comes j cycles later
);

    localparam integer CHUNKS = (WIDTH + CHUNK - 1) / CHUNK;

    genvar k;
    generate
        if (CHUNK < 1) begin : illegal_chunk
            hc_chunk_skew_CHUNK_must_be_1_or_more illegal ();
        end
        for (k = 0; k < CHUNKS; k = k + 1) begin : chunk
            localparam integer PLACE = TOP_FIRST != 0 ? CHUNKS - 1 - k : k;
            localparam integer LOW   = k * CHUNK;
            localparam integer SIZE  = WIDTH - LOW < CHUNK ? WIDTH - LOW : CHUNK;
            if (PLACE == 0) begin : first
                wire unused = &{1'b0, clk};
                assign skewed[LOW+:SIZE] = word[LOW+:SIZE];
            end else begin : later
                reg  [PLACE*SIZE-1:0]     parts_q;  // the latest one is lowest
                wire [(PLACE+1)*SIZE-1:0] parts = {parts_q, word[LOW+:SIZE]};
                always @(posedge clk) parts_q <= parts[PLACE*SIZE-1:0];
                assign skewed[LOW+:SIZE] = parts[PLACE*SIZE+:SIZE];
            end
        end
    endgenerate

endmodule

`default_nettype wire
