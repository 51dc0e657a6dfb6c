// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chunk_straighten: completes a word that leaves a node, whose chunks follow one another.
//
// Latency: of the chunk at place j of C chunks, C - 1 - j cycles. So the word is complete when its last chunk is there.
// A word can leave in every cycle.

`default_nettype none

module hc_chunk_straighten #(
    parameter integer WIDTH     = 8,  // bits of a word, 1 or more
    parameter integer CHUNK     = 4,  // bits of a chunk, 1 or more; the highest chunk may be shorter
    parameter integer TOP_FIRST = 0   // 1: the highest chunk is at place 0; 0: the lowest
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] skewed,  // the chunk at place j comes j cycles later
    output wire [WIDTH-1:0] word     // all chunks in one cycle
);

    // The chunk that was first waits longest, as if the order were the other one.
    hc_chunk_skew #(
        .WIDTH(WIDTH),
        .CHUNK(CHUNK),
        .TOP_FIRST(TOP_FIRST != 0 ? 0 : 1)
    ) skew_back (
        .clk(clk),
        .word(skewed),
        .skewed(word)
    );

endmodule

`default_nettype wire
