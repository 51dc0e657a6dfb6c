// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chip_end: an end of a cable, at the level of the contents of frames.
//
// This is the protocol of docs/chips.md: what is sent next, and what a frame that arrives does. Frames
// may be lost on the way; the others stay in order.
//
// Latency: what a frame says holds from two cycles after frame_valid on. content is that of the cycle
// with take. Throughput: a frame in two cycles.
//
// Backpressure: frame_ready is 1 in the second cycle of a frame. take must not come in two cycles in a
// row.
//
// Freedom from deadlock: words wait for nothing but their own link.

`default_nettype none

module hc_chip_end #(
    parameter integer LINKS        = 1,    // links of the cable, 1 or more
    parameter integer LINK_BITS    = 8,    // bits of a word, 1 or more
    parameter integer PACE_BITS    = 2,    // bits of a pace, 1 or more
    parameter integer BARRIER      = 0,    // 1: links have barrier paces
    parameter integer NUMBER_BITS  = 2,    // bits of the number of a word, 2 or more
    parameter integer FREED_BITS   = 2,    // bits of the count of freed places, 2 or more
    parameter integer SILENCE      = 256,  // cycles without a frame after which the cable is silent, 2 or more
    parameter integer CHIP_BITS    = 1,    // bits of the digits of a chip, 1 or more
    parameter integer PORT         = 0,    // this port, 0 to 15
    parameter integer FAR_PORT     = 1,    // the opposite port, 0 to 15
    parameter [31:0]  HASH         = 0,    // of the machine
    parameter integer CONTENT_BITS = 48    // those of the longer kind of frame
) (
    input  wire                       clk,
    input  wire                       rst,                // of the chip
    input  wire                       session_rst,        // of the session, also 1 after rst
    input  wire [7:0]                 session,
    output wire                       newer,              // a hello has a newer session
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
    input  wire                       take,               // a frame begins with this content
    output wire [CONTENT_BITS-1:0]    content,
    input  wire                       frame_valid,        // a frame has arrived
    output wire                       frame_ready,
    input  wire [CONTENT_BITS-1:0]    frame,              // its content
    input  wire                       pattern,            // the cable sends a pattern
    output wire [2:0]                 state,
    output wire [CHIP_BITS+3:0]       far_end,            // {port, chip} of the last hello
    output wire                       good,               // a frame has arrived and is not ignored
    output wire                       silences,           // the cable becomes silent
    output wire                       returns,            // the sender goes back
    output wire                       leaves,             // a message leaves
    output wire                       arrives             // a message arrives
);

    localparam integer LINK_NUMBER = LINKS > 1 ? $clog2(LINKS) : 1;
    localparam integer TURN_BITS   = LINKS > 1 ? LINK_NUMBER : 0;
    localparam integer ACK_AT      = 4 + NUMBER_BITS;
    localparam integer TURN_AT     = ACK_AT + NUMBER_BITS;
    localparam integer FREED_AT    = TURN_AT + TURN_BITS;
    localparam integer PACE_AT     = FREED_AT + FREED_BITS;
    localparam integer FIELDS_BITS = FREED_BITS + PACE_BITS + 2 * BARRIER;
    localparam integer LINK_AT     = FREED_AT + FIELDS_BITS;
    localparam integer WORD_AT     = LINK_AT + TURN_BITS;
    localparam integer DATA_BITS   = WORD_AT + LINK_BITS;
    localparam integer HELLO_BITS  = 47 + CHIP_BITS;
    localparam integer LEAST       = DATA_BITS < HELLO_BITS ? DATA_BITS : HELLO_BITS;

    generate
        if (CONTENT_BITS != (DATA_BITS > HELLO_BITS ? DATA_BITS : HELLO_BITS)) begin : illegal_content
            hc_chip_end_CONTENT_BITS_must_be_those_of_the_longer_kind illegal ();
        end
    endgenerate

    wire                  up;
    wire                  data;
    wire [HELLO_BITS-1:0] hello_content;

    hc_chip_hello #(
        .SILENCE  (SILENCE),
        .CHIP_BITS(CHIP_BITS),
        .PORT     (PORT),
        .FAR_PORT (FAR_PORT),
        .HASH     (HASH)
    ) greeting (
        .clk          (clk),
        .rst          (rst),
        .session_rst  (session_rst),
        .session      (session),
        .newer        (newer),
        .newer_session(newer_session),
        .chip         (chip),
        .neighbor     (neighbor),
        .frame_valid  (frame_valid),
        .frame_ready  (frame_ready),
        .frame        (frame[HELLO_BITS-1:0]),
        .content      (hello_content),
        .up           (up),
        .data         (data),
        .pattern      (pattern),
        .state        (state),
        .far_end      (far_end),
        .good         (good),
        .silences     (silences)
    );

    // Words that arrive.
    wire                        works = data & up;
    wire [LINK_NUMBER-1:0]      frame_turn;
    wire [LINK_NUMBER-1:0]      frame_link;
    wire                        want;
    wire [NUMBER_BITS-1:0]      expected;
    wire [LINKS*FREED_BITS-1:0] freed;

    hc_chip_places #(
        .LINKS      (LINKS),
        .LINK_BITS  (LINK_BITS),
        .LINK_NUMBER(LINK_NUMBER),
        .NUMBER_BITS(NUMBER_BITS),
        .FREED_BITS (FREED_BITS)
    ) places (
        .clk          (clk),
        .rst          (session_rst),
        .heard        (works),
        .colour       (frame[1]),
        .valid        (frame[3]),
        .number       (frame[4+:NUMBER_BITS]),
        .link         (frame_link),
        .word         (frame[WORD_AT+:LINK_BITS]),
        .want         (want),
        .expected     (expected),
        .arrives      (arrives),
        .m_axis_tvalid(m_axis_tvalid),
        .m_axis_tready(m_axis_tready),
        .m_axis_tdata (m_axis_tdata),
        .freed        (freed)
    );

    // Words that leave.
    wire                   colour;
    wire                   valid;
    wire [NUMBER_BITS-1:0] number;
    wire [LINK_NUMBER-1:0] link;
    wire [LINK_BITS-1:0]   word;

    hc_chip_window #(
        .LINKS      (LINKS),
        .LINK_BITS  (LINK_BITS),
        .LINK_NUMBER(LINK_NUMBER),
        .NUMBER_BITS(NUMBER_BITS),
        .FREED_BITS (FREED_BITS)
    ) window (
        .clk          (clk),
        .rst          (session_rst),
        .up           (up),
        .s_axis_tvalid(s_axis_tvalid),
        .s_axis_tready(s_axis_tready),
        .s_axis_tdata (s_axis_tdata),
        .heard        (works),
        .want         (frame[2]),
        .ack          (frame[ACK_AT+:NUMBER_BITS]),
        .turn         (frame_turn),
        .freed        (frame[FREED_AT+:FREED_BITS]),
        .take         (take & up),
        .colour       (colour),
        .valid        (valid),
        .number       (number),
        .link         (link),
        .word         (word),
        .leaves       (leaves),
        .returns      (returns)
    );

    // What is said of the links.
    wire [LINK_NUMBER-1:0] turn;
    wire [FIELDS_BITS-1:0] fields;

    hc_chip_paces #(
        .LINKS      (LINKS),
        .LINK_NUMBER(LINK_NUMBER),
        .PACE_BITS  (PACE_BITS),
        .BARRIER    (BARRIER),
        .FREED_BITS (FREED_BITS)
    ) paces (
        .clk              (clk),
        .rst              (session_rst),
        .freed            (freed),
        .pace             (pace),
        .barrier_pace     (barrier_pace),
        .take             (take & up),
        .turn             (turn),
        .fields           (fields),
        .heard            (works),
        .far_turn         (frame_turn),
        .far_fields       (frame[PACE_AT+:FIELDS_BITS-FREED_BITS]),
        .link_pace        (link_pace),
        .link_barrier_pace(link_barrier_pace)
    );

    // The contents of both kinds. Fields of no bits are left out.
    wire [DATA_BITS-1:0] data_content;

    assign data_content[ACK_AT-1:0]           = {number, valid, want, colour, 1'b1};
    assign data_content[ACK_AT+:NUMBER_BITS]  = expected;
    assign data_content[FREED_AT+:FIELDS_BITS] = fields;
    assign data_content[WORD_AT+:LINK_BITS]   = word;
    assign content[LEAST-1:0]                 = up ? data_content[LEAST-1:0] : hello_content[LEAST-1:0];

    generate
        if (LINKS > 1) begin : links
            assign data_content[TURN_AT+:LINK_NUMBER] = turn;
            assign data_content[LINK_AT+:LINK_NUMBER] = link;
            assign frame_turn                         = frame[TURN_AT+:LINK_NUMBER];
            assign frame_link                         = frame[LINK_AT+:LINK_NUMBER];
        end else begin : link_alone
            wire unused = &{1'b0, turn, link};
            assign frame_turn = 1'b0;
            assign frame_link = 1'b0;
        end
        if (DATA_BITS > HELLO_BITS) begin : long_data
            assign content[CONTENT_BITS-1:LEAST] = {DATA_BITS - LEAST{up}} & data_content[DATA_BITS-1:LEAST];
        end else if (HELLO_BITS > DATA_BITS) begin : long_hello
            assign content[CONTENT_BITS-1:LEAST] = {HELLO_BITS - LEAST{!up}} & hello_content[HELLO_BITS-1:LEAST];
        end
    endgenerate

endmodule

`default_nettype wire
