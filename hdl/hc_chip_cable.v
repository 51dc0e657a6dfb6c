// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chip_cable: an end of a cable to another chip, with all links of a port.
//
// Contents of frames come from and go to hc_chip_end, which has the protocol. hc_chip_transmit sends them
// as words in clk. hc_chip_receive finds them in the words of the other chip, which arrive in rx_clk, and a
// queue brings them to clk. A content that finds no place in the queue is lost like a frame with errors.
//
// Latency: a frame takes a word three cycles after its handshake or later. The word is there FRAME_WORDS + 10
// cycles after the frame began, and what is said of a link FRAME_WORDS + 8 cycles, beside the time on the
// cable. Throughput: a word of a link in each frame.
//
// Backpressure: s_axis_tready and m_axis_tvalid are registers. A link that is blocked does not delay the
// others.
//
// Reset: rst is that of the chip, session_rst that of hc_chip_session. rx_clk need not run: the cable
// stays silent until it does.

`default_nettype none

module hc_chip_cable #(
    parameter integer LINKS       = 1,    // links of the cable, 1 or more
    parameter integer LINK_BITS   = 8,    // bits of a word of a link, 1 or more
    parameter integer PACE_BITS   = 2,    // bits of a pace, 1 or more
    parameter integer BARRIER     = 0,    // 1: links have barrier paces
    parameter integer WORD_BITS   = 32,   // bits of a word of the cable: 8, 16, 32 or 64
    parameter integer FRAME_WORDS = 3,    // words of a frame, as few as hold the longer kind and the CRC
    parameter integer NUMBER_BITS = 2,    // bits of the number of a word, 2 or more
    parameter integer FREED_BITS  = 2,    // bits of the count of freed places, 2 or more
    parameter integer SILENCE     = 256,  // cycles without a frame after which the cable is silent, 2 or more
    parameter integer CHIP_BITS   = 1,    // bits of the digits of a chip, 1 or more
    parameter integer PORT        = 0,    // this port, 0 to 15
    parameter integer FAR_PORT    = 1,    // the opposite port, 0 to 15
    parameter [31:0]  HASH        = 0     // of the machine
) (
    input  wire                       clk,
    input  wire                       rst,                // of the chip
    input  wire                       session_rst,        // of the session, also 1 after rst
    input  wire [7:0]                 session,
    output wire                       newer,              // a hello has a newer session, a pulse
    output wire [7:0]                 newer_session,
    input  wire [CHIP_BITS-1:0]       chip,
    input  wire [CHIP_BITS-1:0]       neighbor,           // the chip that should be at the other end
    input  wire [LINKS-1:0]           s_axis_tvalid,
    output wire [LINKS-1:0]           s_axis_tready,
    input  wire [LINKS*LINK_BITS-1:0] s_axis_tdata,
    output wire [LINKS-1:0]           m_axis_tvalid,
    input  wire [LINKS-1:0]           m_axis_tready,
    output wire [LINKS*LINK_BITS-1:0] m_axis_tdata,
    input  wire [LINKS*PACE_BITS-1:0] pace,
    output wire [LINKS*PACE_BITS-1:0] link_pace,
    input  wire [LINKS*2-1:0]         barrier_pace,
    output wire [LINKS*2-1:0]         link_barrier_pace,
    output wire [WORD_BITS-1:0]       tx_word,
    output wire                       tx_first,
    input  wire                       tx_ready,
    input  wire                       rx_clk,
    input  wire                       rx_valid,
    input  wire                       rx_first,
    input  wire [WORD_BITS-1:0]       rx_word,
    output wire                       rx_slip,
    input  wire                       pattern,
    output wire [2:0]                 state,
    output wire [CHIP_BITS+3:0]       far_end,            // {port, chip} of the last hello
    output wire [31:0]                good,
    output wire [31:0]                bad,
    output wire [31:0]                repetitions,
    output wire [31:0]                silences,
    output wire [31:0]                sent,
    output wire [31:0]                received
);

    localparam integer TURN_BITS    = LINKS > 1 ? $clog2(LINKS) : 0;
    localparam integer DATA_BITS    = 4 + 2 * NUMBER_BITS + 2 * TURN_BITS + FREED_BITS + PACE_BITS + 2 * BARRIER + LINK_BITS;
    localparam integer HELLO_BITS   = 47 + CHIP_BITS;
    localparam integer USED_BITS    = DATA_BITS > HELLO_BITS ? DATA_BITS : HELLO_BITS;  // of a content
    localparam integer CONTENT_BITS = FRAME_WORDS * WORD_BITS - 32;

    generate
        if (CONTENT_BITS < USED_BITS || CONTENT_BITS >= USED_BITS + WORD_BITS) begin : illegal_frame_words
            hc_chip_cable_FRAME_WORDS_must_be_the_least_that_hold_a_frame illegal ();
        end
    endgenerate

    wire                    take;
    wire [CONTENT_BITS-1:0] content;
    wire                    frame_valid;
    wire                    frame_ready;
    wire [USED_BITS-1:0]    frame;
    wire [3:0]              bad_seen;
    wire                    bad_rst;
    wire                    is_good, becomes_silent, returns, leaves, arrives;

    hc_chip_transmit #(
        .WORD_BITS  (WORD_BITS),
        .FRAME_WORDS(FRAME_WORDS)
    ) transmit (
        .clk       (clk),
        .rst       (rst),
        .pattern   (pattern),
        .data_start(~(HASH ^ {{28 - CHIP_BITS{1'b0}}, chip, PORT[3:0]})),
        .take      (take),
        .content   (content),
        .tx_word   (tx_word),
        .tx_first  (tx_first),
        .tx_ready  (tx_ready)
    );

    hc_chip_inbound #(
        .WORD_BITS  (WORD_BITS),
        .FRAME_WORDS(FRAME_WORDS),
        .USED_BITS  (USED_BITS)
    ) inbound (
        .clk        (clk),
        .rst        (rst),
        .pattern    (pattern),
        .data_start (~(HASH ^ {{28 - CHIP_BITS{1'b0}}, neighbor, FAR_PORT[3:0]})),
        .rx_clk     (rx_clk),
        .rx_valid   (rx_valid),
        .rx_first   (rx_first),
        .rx_word    (rx_word),
        .rx_slip    (rx_slip),
        .frame_valid(frame_valid),
        .frame_ready(frame_ready),
        .frame      (frame),
        .bad        (bad_seen),
        .bad_rst    (bad_rst)
    );

    hc_chip_end #(
        .LINKS       (LINKS),
        .LINK_BITS   (LINK_BITS),
        .PACE_BITS   (PACE_BITS),
        .BARRIER     (BARRIER),
        .NUMBER_BITS (NUMBER_BITS),
        .FREED_BITS  (FREED_BITS),
        .SILENCE     (SILENCE),
        .CHIP_BITS   (CHIP_BITS),
        .PORT        (PORT),
        .FAR_PORT    (FAR_PORT),
        .HASH        (HASH),
        .CONTENT_BITS(USED_BITS)
    ) the_end (
        .clk              (clk),
        .rst              (rst),
        .session_rst      (session_rst),
        .session          (session),
        .newer            (newer),
        .newer_session    (newer_session),
        .chip             (chip),
        .neighbor         (neighbor),
        .s_axis_tvalid    (s_axis_tvalid),
        .s_axis_tready    (s_axis_tready),
        .s_axis_tdata     (s_axis_tdata),
        .m_axis_tvalid    (m_axis_tvalid),
        .m_axis_tready    (m_axis_tready),
        .m_axis_tdata     (m_axis_tdata),
        .pace             (pace),
        .link_pace        (link_pace),
        .barrier_pace     (barrier_pace),
        .link_barrier_pace(link_barrier_pace),
        .take             (take),
        .content          (content[USED_BITS-1:0]),
        .frame_valid      (frame_valid),
        .frame_ready      (frame_ready),
        .frame            (frame),
        .pattern          (pattern),
        .state            (state),
        .far_end          (far_end),
        .good             (is_good),
        .silences         (becomes_silent),
        .returns          (returns),
        .leaves           (leaves),
        .arrives          (arrives)
    );

    generate
        if (CONTENT_BITS > USED_BITS) begin : rest
            assign content[CONTENT_BITS-1:USED_BITS] = {CONTENT_BITS - USED_BITS{1'b0}};
        end
    endgenerate

    hc_chip_counts counts (
        .clk           (clk),
        .rst           (rst),
        .is_good       (is_good),
        .bad_seen      (bad_seen),
        .bad_rst       (bad_rst),
        .returns       (returns),
        .becomes_silent(becomes_silent),
        .leaves        (leaves),
        .arrives       (arrives),
        .good          (good),
        .bad           (bad),
        .repetitions   (repetitions),
        .silences      (silences),
        .sent          (sent),
        .received      (received)
    );

endmodule

`default_nettype wire
