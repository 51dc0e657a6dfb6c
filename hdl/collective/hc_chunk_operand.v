// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chunk_operand: an operand of a sum that is not valid in every step, of words whose chunks follow one another.
//
// Latency: none. The flag valid belongs to the chunk at place 0, and j cycles later to the chunk at place j. If a chunk of the
// operand is not valid, the result is that of the identity of the operator.

`default_nettype none

module hc_chunk_operand #(
    parameter integer WIDTH         = 8,  // bits of a word, 1 or more
    parameter integer CHUNK         = 4,  // bits of a chunk, 1 or more; the highest chunk may be shorter
    parameter integer TOP_FIRST     = 0,  // 1: the highest chunk is at place 0; 0: the lowest
    parameter         IDENTITY_SIGN = 0,  // highest bit of the identity of the operator, 0 or 1
    parameter         IDENTITY_BITS = 0   // value of each other bit of the identity, 0 or 1
) (
    input  wire             clk,
    input  wire             valid,   // the operand is valid
    input  wire [WIDTH-1:0] word,    // the word of the operand
    output wire [WIDTH-1:0] operand  // the word, or the identity
);

    localparam integer CHUNKS = (WIDTH + CHUNK - 1) / CHUNK;

    wire [CHUNKS-1:0] valids;  // by place
    hc_chunk_control #(
        .BITS(1),
        .PLACES(CHUNKS)
    ) valid_control (
        .clk(clk),
        .control(valid),
        .controls(valids)
    );

    genvar k;
    generate
        if (CHUNK < 1) begin : illegal_chunk
            hc_chunk_operand_CHUNK_must_be_1_or_more illegal ();
        end
        for (k = 0; k < CHUNKS; k = k + 1) begin : chunk
            localparam integer PLACE = TOP_FIRST != 0 ? CHUNKS - 1 - k : k;
            localparam integer LOW   = k * CHUNK;
            localparam integer SIZE  = WIDTH - LOW < CHUNK ? WIDTH - LOW : CHUNK;
            hc_operand #(
                .WIDTH(SIZE),
                .IDENTITY_SIGN(k == CHUNKS - 1 ? IDENTITY_SIGN : IDENTITY_BITS),
                .IDENTITY_BITS(IDENTITY_BITS)
            ) mask (
                .valid(valids[PLACE]),
                .word(word[LOW+:SIZE]),
                .operand(operand[LOW+:SIZE])
            );
        end
    endgenerate

endmodule

`default_nettype wire
