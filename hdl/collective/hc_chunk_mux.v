// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chunk_mux: multiplexer of words whose chunks follow one another.
//
// Latency: none. The select belongs to the chunk at place 0. The chunk at place j is selected by the select of j cycles
// ago, which comes from a register for each place. So a select drives the multiplexers of a chunk, not of a word.

`default_nettype none

module hc_chunk_mux #(
    parameter integer WORDS     = 2,  // number of words, 2 or more
    parameter integer WIDTH     = 8,  // bits of a word, 1 or more
    parameter integer CHUNK     = 4,  // bits of a chunk, 1 or more; the highest chunk may be shorter
    parameter integer TOP_FIRST = 0   // 1: the highest chunk is at place 0; 0: the lowest
) (
    input  wire                     clk,
    input  wire [$clog2(WORDS)-1:0] select,  // number of the selected word, below WORDS
    input  wire [WORDS*WIDTH-1:0]   words,   // word 0 lowest
    output wire [WIDTH-1:0]         word     // the selected word
);

    localparam integer BITS   = $clog2(WORDS);
    localparam integer CHUNKS = (WIDTH + CHUNK - 1) / CHUNK;

    wire [CHUNKS*BITS-1:0] selects;  // by place
    hc_chunk_control #(
        .BITS(BITS),
        .PLACES(CHUNKS)
    ) select_control (
        .clk(clk),
        .control(select),
        .controls(selects)
    );

    genvar k, i;
    generate
        if (CHUNK < 1) begin : illegal_chunk
            hc_chunk_mux_CHUNK_must_be_1_or_more illegal ();
        end
        for (k = 0; k < CHUNKS; k = k + 1) begin : chunk
            localparam integer PLACE = TOP_FIRST != 0 ? CHUNKS - 1 - k : k;
            localparam integer LOW   = k * CHUNK;
            localparam integer SIZE  = WIDTH - LOW < CHUNK ? WIDTH - LOW : CHUNK;
            wire [WORDS*SIZE-1:0] parts;  // of the words
            for (i = 0; i < WORDS; i = i + 1) begin : part
                assign parts[i*SIZE+:SIZE] = words[i*WIDTH+LOW+:SIZE];
            end
            hc_mux #(
                .WORDS(WORDS),
                .WIDTH(SIZE)
            ) mux (
                .select(selects[PLACE*BITS+:BITS]),
                .words(parts),
                .word(word[LOW+:SIZE])
            );
        end
    endgenerate

endmodule

`default_nettype wire
