// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chip_transmit: sends frames as words, with their CRC.
//
// A frame is a content and its CRC-32C, lowest word first. The CRC of a data frame, whose lowest bit is 1,
// starts from data_start, that of others from all ones. Frames follow each other without a pause; a
// word stays until tx_ready. With pattern, the words of a frame are those of hc_chip_pattern.
//
// Latency: the first word of a frame is there two cycles after take, if tx_ready is 1. Throughput: a word
// in each cycle with tx_ready, a content for each FRAME_WORDS words.

`default_nettype none

module hc_chip_transmit #(
    parameter integer WORD_BITS   = 32,  // bits of a word: 8, 16, 32 or 64
    parameter integer FRAME_WORDS = 3    // words of a frame, more than fit into 64 bits
) (
    input  wire                                clk,
    input  wire                                rst,
    input  wire                                pattern,
    input  wire [31:0]                         data_start,
    output wire                                take,     // the content is taken at the end of this cycle
    input  wire [FRAME_WORDS*WORD_BITS-32-1:0] content,
    output wire [WORD_BITS-1:0]                tx_word,
    output wire                                tx_first,
    input  wire                                tx_ready
);

    generate
        if (WORD_BITS != 8 && WORD_BITS != 16 && WORD_BITS != 32 && WORD_BITS != 64) begin : illegal_word_bits
            hc_chip_transmit_WORD_BITS_must_be_8_16_32_or_64 illegal ();
        end else if (FRAME_WORDS * WORD_BITS <= 64) begin : illegal_frame_words
            hc_chip_transmit_FRAME_WORDS_must_be_more_than_fit_into_64_bits illegal ();
        end
    endgenerate

    localparam integer             CONTENT_BITS  = FRAME_WORDS * WORD_BITS - 32;
    localparam integer             POSITION_BITS = $clog2(FRAME_WORDS);
    localparam integer             MOST          = FRAME_WORDS - 1;
    localparam integer             CONTENT_WORDS = CONTENT_BITS / WORD_BITS;  // those without a bit of the CRC
    localparam integer             BEFORE        = CONTENT_WORDS - 1;
    localparam [POSITION_BITS-1:0] LAST          = MOST[POSITION_BITS-1:0];
    localparam [POSITION_BITS-1:0] LAST_CONTENT  = BEFORE[POSITION_BITS-1:0];

    reg  [CONTENT_BITS-1:0]  content_q;   // what is left of the content, the next word lowest
    reg  [POSITION_BITS-1:0] position_q;  // of the next word in its frame
    reg                      check_q;     // the next word has bits of the CRC
    reg  [31:0]              crc_q;
    reg  [30:0]              sequence_q;  // the latest bits of the pattern
    reg                      pattern_q;   // this frame is one of the pattern
    reg  [WORD_BITS-1:0]     word_q;
    reg                      begins_q;
    wire                     last = position_q == LAST;
    wire [31:0]              crc;
    wire [WORD_BITS-1:0]     word;
    wire [WORD_BITS-1:0]     pattern_word;
    wire [30:0]              sequence_next;

    generate
        if (WORD_BITS <= 32) begin : narrow
            // Behind the content, the CRC is shifted out of the state: the sum of the state and itself is 0.
            // A CRC of one word needs no shift.
            hc_chip_crc #(
                .BITS(WORD_BITS)
            ) whole (
                .crc (crc_q),
                .data(check_q && WORD_BITS < 32 ? crc_q[WORD_BITS-1:0] : content_q[WORD_BITS-1:0]),
                .next(crc)
            );
            assign word = check_q ? ~crc_q[WORD_BITS-1:0] : content_q[WORD_BITS-1:0];
        end else begin : wide
            wire [31:0] half;
            hc_chip_crc #(
                .BITS(32)
            ) lower (
                .crc (crc_q),
                .data(content_q[31:0]),
                .next(half)
            );
            hc_chip_crc #(
                .BITS(32)
            ) upper (
                .crc (half),
                .data(content_q[63:32]),
                .next(crc)
            );
            assign word = {check_q ? ~half : content_q[63:32], content_q[31:0]};
        end
    endgenerate

    generate
        if (WORD_BITS < 31) begin : some_bits
            assign sequence_next = {pattern_word, sequence_q[30:WORD_BITS]};
        end else begin : all_bits
            assign sequence_next = pattern_word[WORD_BITS-1-:31];
        end
    endgenerate

    hc_chip_pattern #(
        .WORD_BITS(WORD_BITS)
    ) next_word (
        .history(sequence_q),
        .word   (pattern_word)
    );

    always @(posedge clk) begin
        if (tx_ready) begin
            content_q  <= last ? content : {{WORD_BITS{1'b0}}, content_q[CONTENT_BITS-1:WORD_BITS]};
            crc_q      <= last ? data_start | {32{!content[0]}} : crc;
            check_q    <= (check_q | position_q == LAST_CONTENT) & !last;
            position_q <= last ? {POSITION_BITS{1'b0}} : position_q + 1'b1;
            begins_q    <= position_q == {POSITION_BITS{1'b0}} & !pattern_q;
            word_q     <= pattern_q ? pattern_word : word;
            if (last) pattern_q <= pattern;
            if (pattern_q) sequence_q <= sequence_next;
        end
        if (rst) begin
            position_q <= LAST;
            check_q    <= 1'b0;
            pattern_q  <= 1'b0;
            begins_q    <= 1'b0;
            word_q     <= {WORD_BITS{1'b0}};
            sequence_q <= {31{1'b1}};
        end
    end

    assign take     = tx_ready & last & !pattern;
    assign tx_word  = word_q;
    assign tx_first = begins_q;

endmodule

`default_nettype wire
