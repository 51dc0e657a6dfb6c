// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chunk_register: a register that does not store a word in every cycle, of words whose chunks follow one another.
//
// Latency: one cycle. The flag load belongs to the chunk at place 0, and j cycles later to the chunk at place j. The register
// has no reset, because the schedule defines in which cycles its word is used.

`default_nettype none

module hc_chunk_register #(
    parameter integer WIDTH     = 8,  // bits of a word, 1 or more
    parameter integer CHUNK     = 4,  // bits of a chunk, 1 or more; the highest chunk may be shorter
    parameter integer TOP_FIRST = 0   // 1: the highest chunk is at place 0; 0: the lowest
) (
    input  wire             clk,
    input  wire             load,  // store the next word; otherwise the register keeps its word
    input  wire [WIDTH-1:0] next,  // the word to store
    output wire [WIDTH-1:0] word   // the stored word
);

    localparam integer CHUNKS = (WIDTH + CHUNK - 1) / CHUNK;

    wire [CHUNKS-1:0] loads;  // by place
    hc_chunk_control #(
        .BITS(1),
        .PLACES(CHUNKS)
    ) load_control (
        .clk(clk),
        .control(load),
        .controls(loads)
    );

    genvar k;
    generate
        if (CHUNK < 1) begin : illegal_chunk
            hc_chunk_register_CHUNK_must_be_1_or_more illegal ();
        end
        for (k = 0; k < CHUNKS; k = k + 1) begin : chunk
            localparam integer PLACE = TOP_FIRST != 0 ? CHUNKS - 1 - k : k;
            localparam integer LOW   = k * CHUNK;
            localparam integer SIZE  = WIDTH - LOW < CHUNK ? WIDTH - LOW : CHUNK;
            hc_word_register #(
                .WIDTH(SIZE)
            ) part (
                .clk(clk),
                .load(loads[PLACE]),
                .next(next[LOW+:SIZE]),
                .word(word[LOW+:SIZE])
            );
        end
    endgenerate

endmodule

`default_nettype wire
