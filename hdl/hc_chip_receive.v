// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chip_receive: finds frames in the words that arrive, and checks them.
//
// It follows the alignment of docs/chips.md. The CRC starts as in hc_chip_transmit, and goes on over the
// field of the CRC. Before its last word, the sum of the state and this word is a constant if the frame is
// right, so that the word need not go through the CRC to be checked. With pattern, each word is compared
// with what the 31 bits before it predict, and the lock ends. 31 bits 0 are no part of the sequence, so a
// word after them is wrong.
//
// Latency: good and content are there in the cycle after the last word of a frame, for one cycle.
// Throughput: a word per cycle. There is no backpressure.

`default_nettype none

module hc_chip_receive #(
    parameter integer WORD_BITS   = 32,  // bits of a word: 8, 16, 32 or 64
    parameter integer FRAME_WORDS = 3    // words of a frame, more than fit into 64 bits
) (
    input  wire                                rx_clk,
    input  wire                                rx_rst,
    input  wire                                pattern,     // synchronous to rx_clk
    input  wire [31:0]                         data_start,  // of the CRC of data frames; stands still
    input  wire                                rx_valid,
    input  wire                                rx_first,
    input  wire [WORD_BITS-1:0]                rx_word,
    output wire                                rx_slip,
    output wire                                good,        // a good frame is there
    output wire [FRAME_WORDS*WORD_BITS-32-1:0] content,     // of this frame
    output wire                                bad          // a bad frame, or a wrong word of the pattern
);

    generate
        if (WORD_BITS != 8 && WORD_BITS != 16 && WORD_BITS != 32 && WORD_BITS != 64) begin : illegal_word_bits
            hc_chip_receive_WORD_BITS_must_be_8_16_32_or_64 illegal ();
        end else if (FRAME_WORDS * WORD_BITS <= 64) begin : illegal_frame_words
            hc_chip_receive_FRAME_WORDS_must_be_more_than_fit_into_64_bits illegal ();
        end
    endgenerate

    localparam integer             FRAME_BITS    = FRAME_WORDS * WORD_BITS;
    localparam integer             POSITION_BITS = $clog2(FRAME_WORDS);
    localparam integer             ROW_BITS      = POSITION_BITS > 6 ? POSITION_BITS : 6;
    localparam integer             MOST          = FRAME_WORDS - 1;
    localparam integer             ERRORS        = 63;  // one less than those that end the lock
    localparam [POSITION_BITS-1:0] LAST          = MOST[POSITION_BITS-1:0];
    localparam [ROW_BITS-1:0]      LAST_MOVE     = MOST[ROW_BITS-1:0];
    localparam [ROW_BITS-1:0]      LAST_ERROR    = ERRORS[ROW_BITS-1:0];
    localparam [31:0]              RIGHT         =  // the sum of the state and the last bits of a right frame
        WORD_BITS == 8 ? 32'h9f9b5c85 : WORD_BITS == 16 ? 32'h0e9e882d : 32'hffffffff;

    reg  [FRAME_BITS-1:0]    words_q;     // the latest words, the oldest lowest
    reg  [31:0]              crc_q;
    reg  [POSITION_BITS-1:0] position_q;  // words of this frame
    reg                      begins_q;    // the next word begins a frame
    reg                      ended_q;     // the last cycle had the last word of a frame
    reg                      locked_q;
    reg                      right_q;     // this frame is right
    reg                      before_q;    // the frame before was right
    reg  [ROW_BITS-1:0]      row_q;       // with the lock, bad frames in a row; without, moves in a row
    reg  [5:0]               ignore_q;    // words to ignore
    reg                      slip_q;
    reg                      wrong_q;     // a wrong word of the pattern
    wire [31:0]              crc;
    wire [WORD_BITS-1:0]     predicted;
    wire                     right;       // so is the frame that ends with rx_word
    wire                     wrong  = ended_q & !right_q;
    wire                     move   = wrong & !locked_q;
    wire                     full   = row_q == (locked_q ? LAST_ERROR : LAST_MOVE);
    wire [5:0]               ignore = !move ? ignore_q : full ? 6'd32 : 6'd1;
    wire                     taken  = rx_valid & (rx_first | (!move & ignore_q == 6'd0));
    wire                     begins = rx_first | begins_q;
    wire [31:0]              start  = begins ? data_start | {32{!rx_word[0]}} : crc_q;
    wire                     last   = position_q == LAST & !rx_first;
    wire [30:0]              history = words_q[FRAME_BITS-1-:31];

    generate
        if (WORD_BITS <= 32) begin : narrow
            hc_chip_crc #(
                .BITS(WORD_BITS)
            ) whole (
                .crc (start),
                .data(rx_word),
                .next(crc)
            );
            assign right = (crc_q[WORD_BITS-1:0] ^ rx_word) == RIGHT[WORD_BITS-1:0] & crc_q >> WORD_BITS == RIGHT >> WORD_BITS;
        end else begin : wide
            wire [31:0] half;
            hc_chip_crc #(
                .BITS(32)
            ) lower (
                .crc (start),
                .data(rx_word[31:0]),
                .next(half)
            );
            hc_chip_crc #(
                .BITS(32)
            ) upper (
                .crc (half),
                .data(rx_word[63:32]),
                .next(crc)
            );
            assign right = (half ^ rx_word[63:32]) == RIGHT;
        end
    endgenerate

    hc_chip_pattern #(
        .WORD_BITS(WORD_BITS)
    ) next_word (
        .history(history),
        .word   (predicted)
    );

    always @(posedge rx_clk) begin
        if (rx_valid) begin
            words_q <= {rx_word, words_q[FRAME_BITS-1:WORD_BITS]};
            crc_q   <= crc;
        end
        if (taken) begin
            position_q <= rx_first ? {{POSITION_BITS - 1{1'b0}}, 1'b1} : last ? {POSITION_BITS{1'b0}} : position_q + 1'b1;
            begins_q   <= last;
        end
        ignore_q <= taken ? 6'd0 : ignore - {5'd0, rx_valid & ignore != 6'd0};
        ended_q  <= taken & last;
        slip_q   <= move & full;
        wrong_q  <= pattern & rx_valid & (rx_word != predicted | ~|history);
        right_q  <= right;
        if (ended_q) begin
            before_q <= right_q;
            row_q    <= right_q | full ? {ROW_BITS{1'b0}} : row_q + 1'b1;
            if (right_q ? before_q : full) locked_q <= right_q;
        end
        if (rx_rst | pattern) begin
            position_q <= {POSITION_BITS{1'b0}};
            begins_q   <= 1'b1;
            ignore_q   <= 6'd0;
            ended_q    <= 1'b0;
            locked_q   <= 1'b0;
            before_q   <= 1'b0;
            row_q      <= {ROW_BITS{1'b0}};
            slip_q     <= 1'b0;
        end
        if (rx_rst) wrong_q <= 1'b0;
    end

    assign rx_slip = slip_q;
    assign good    = ended_q & right_q & (locked_q | before_q);
    assign content = words_q[FRAME_BITS-32-1:0];
    assign bad     = wrong | wrong_q;

endmodule

`default_nettype wire
