// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chip_inbound: the words of the other chip of a cable, as contents of frames in the clock of this chip.
//
// Words arrive in rx_clk, which need not run. Contents of good frames cross to clk in a queue. A content
// that finds no place there is lost like a frame with errors: the next one has a number.
//
// Latency: a content is offered four edges of clk after the edge of rx_clk behind the last word of its
// frame, or five. Throughput: a content per cycle of the slower clock.

`default_nettype none

module hc_chip_inbound #(
    parameter integer WORD_BITS   = 32,  // bits of a word: 8, 16, 32 or 64
    parameter integer FRAME_WORDS = 3,   // words of a frame, more than fit into 64 bits
    parameter integer USED_BITS   = 64   // bits of a content that are used, the lowest
) (
    input  wire                 clk,
    input  wire                 rst,          // of the chip, 1 for at least 4 cycles
    input  wire                 pattern,      // compare with the pattern
    input  wire [31:0]          data_start,   // of the CRC of data frames; stands still
    input  wire                 rx_clk,
    input  wire                 rx_valid,
    input  wire                 rx_first,
    input  wire [WORD_BITS-1:0] rx_word,
    output wire                 rx_slip,
    output wire                 frame_valid,
    input  wire                 frame_ready,
    output wire [USED_BITS-1:0] frame,
    output wire [3:0]           bad,          // bad frames modulo 16
    output wire                 bad_rst       // bad does not count
);

    localparam integer CONTENT_BITS = FRAME_WORDS * WORD_BITS - 32;

    generate
        if (USED_BITS < 1 || USED_BITS > CONTENT_BITS) begin : illegal_used_bits
            hc_chip_inbound_USED_BITS_must_be_1_to_those_of_a_content illegal ();
        end
    endgenerate

    reg                     pattern_q;
    reg  [3:0]              bad_q;
    wire                    rx_pattern;
    wire                    rx_rst;
    wire                    rx_good;
    wire                    rx_bad;
    wire [CONTENT_BITS-1:0] content;
    wire [3:0]              bads = bad_q + {3'd0, rx_bad};
    wire                    ready;
    wire                    unused = &{1'b0, ready, content[CONTENT_BITS-1]};

    always @(posedge clk) pattern_q <= pattern;

    always @(posedge rx_clk) bad_q <= rx_rst ? 4'd0 : bads;

    hc_chip_flag pattern_flag (
        .from_flag(pattern_q),
        .to_clk   (rx_clk),
        .to_flag  (rx_pattern)
    );

    hc_chip_reset handshake (
        .clk   (clk),
        .rst   (rst),
        .reset (bad_rst),
        .rx_clk(rx_clk),
        .rx_rst(rx_rst)
    );

    hc_chip_receive #(
        .WORD_BITS  (WORD_BITS),
        .FRAME_WORDS(FRAME_WORDS)
    ) receive (
        .rx_clk    (rx_clk),
        .rx_rst    (rx_rst),
        .pattern   (rx_pattern),
        .data_start(data_start),
        .rx_valid  (rx_valid),
        .rx_first  (rx_first),
        .rx_word   (rx_word),
        .rx_slip   (rx_slip),
        .good      (rx_good),
        .content   (content),
        .bad       (rx_bad)
    );

    hc_link_clocks #(
        .WIDTH      (USED_BITS),
        .PLACES_BITS(3)
    ) queue (
        .s_clk        (rx_clk),
        .s_rst        (rx_rst),
        .s_axis_tvalid(rx_good),
        .s_axis_tready(ready),
        .s_axis_tdata (content[USED_BITS-1:0]),
        .m_clk        (clk),
        .m_rst        (bad_rst),
        .m_axis_tvalid(frame_valid),
        .m_axis_tready(frame_ready),
        .m_axis_tdata (frame)
    );

    hc_clock_crossing #(
        .WIDTH(4)
    ) bad_crossing (
        .from_clk  (rx_clk),
        .from_rst  (rx_rst),
        .from_count(bads),
        .to_clk    (clk),
        .to_count  (bad)
    );

endmodule

`default_nettype wire
