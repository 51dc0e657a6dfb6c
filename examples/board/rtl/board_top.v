// SPDX-License-Identifier: Apache-2.0
//
// board_top: a ring of 8 nodes that one can talk to over a serial line.
//
// A byte from the serial line is broadcast by one node: its lowest three bits say which,
// so that the key 5 (0x35) lets node 5 speak. Each of the other seven nodes receives it,
// toggles its light, and answers with a line of text; see board_reporter.
//
// One line of text takes as long as eight bytes, so what comes in can be faster, by 56
// times, than what can be told of it. Then the answers wait in the network, the network
// stops taking messages, and the bytes wait in the queue before it. Only when that is full
// are bytes lost, and then the answers say so.

`default_nettype none

module board_top #(
    parameter integer CLOCK_HZ   = 12000000,
    parameter integer BAUD       = 115200,  // CLOCK_HZ / 4 at most
    parameter integer QUEUE_BITS = 9        // the queue has room for 2^QUEUE_BITS bytes
) (
    input  wire       clk,
    input  wire       reset_n,  // asynchronous: a button, or a pull-up
    input  wire       uart_rx,
    output wire       uart_tx,
    output wire [7:0] leds
);

    localparam integer PERIOD = (CLOCK_HZ + BAUD / 2) / BAUD;  // clock cycles of a bit

    generate
        if (PERIOD < 4 || PERIOD > 65535) begin : illegal_baud
            board_top_CLOCK_HZ_by_BAUD_must_be_4_to_65535 illegal ();
        end
    endgenerate

    wire rst;

    board_reset reset (
        .clk(clk),
        .request_n(reset_n),
        .rst(rst)
    );

    // From the serial line to the queue.
    wire       rx_valid;
    wire [7:0] rx_data;
    wire       rx_broken;
    wire       rx_room;

    board_uart_rx #(
        .PERIOD(PERIOD)
    ) receiver (
        .clk(clk),
        .rst(rst),
        .rx(uart_rx),
        .valid(rx_valid),
        .data(rx_data),
        .broken(rx_broken)
    );

    wire       byte_valid;
    wire       byte_ready;
    wire [7:0] byte_data;

    board_fifo #(
        .WIDTH(8),
        .ADDRESS_BITS(QUEUE_BITS)
    ) queue (
        .clk(clk),
        .rst(rst),
        .s_axis_tvalid(rx_valid),
        .s_axis_tready(rx_room),
        .s_axis_tdata(rx_data),
        .m_axis_tvalid(byte_valid),
        .m_axis_tready(byte_ready),
        .m_axis_tdata(byte_data)
    );

    // From the queue to the node that shall speak. All nodes see the byte, one sees it
    // valid; the byte leaves the queue when that node takes it.
    wire [7:0]  speaker = 8'd1 << byte_data[2:0];
    wire [7:0]  in_tready;
    wire [7:0]  out_tvalid;
    wire [7:0]  out_tready;
    wire [63:0] out_tdata;
    wire [23:0] out_tid;
    wire        header_error;

    assign byte_ready = in_tready[byte_data[2:0]];

    ring8_network network (
        .clk(clk),
        .rst(rst),
        .s_axis_tvalid(speaker & {8{byte_valid}}),
        .s_axis_tready(in_tready),
        .s_axis_tdata({8{byte_data}}),
        .m_axis_tvalid(out_tvalid),
        .m_axis_tready(out_tready),
        .m_axis_tdata(out_tdata),
        .m_axis_tid(out_tid),
        .header_error(header_error)
    );

    // From the nodes to the serial line.
    wire       text_valid;
    wire       text_ready;
    wire [7:0] text_data;

    board_reporter reporter (
        .clk(clk),
        .rst(rst),
        .lost(rx_broken | (rx_valid & !rx_room)),
        .s_axis_tvalid(out_tvalid),
        .s_axis_tready(out_tready),
        .s_axis_tdata(out_tdata),
        .s_axis_tid(out_tid),
        .m_axis_tvalid(text_valid),
        .m_axis_tready(text_ready),
        .m_axis_tdata(text_data)
    );

    board_uart_tx #(
        .PERIOD(PERIOD)
    ) sender (
        .clk(clk),
        .rst(rst),
        .s_axis_tvalid(text_valid),
        .s_axis_tready(text_ready),
        .s_axis_tdata(text_data),
        .tx(uart_tx)
    );

    // A light per node toggles with every message that its node receives. No router makes
    // a malformed header; if one saw one, all lights would stay on.
    reg [7:0] leds_q;
    reg       error_q;

    assign leds = leds_q | {8{error_q}};

    always @(posedge clk) begin
        leds_q <= leds_q ^ (out_tvalid & out_tready);
        error_q <= error_q | header_error;

        if (rst) begin
            leds_q <= 8'd0;
            error_q <= 1'b0;
        end
    end

endmodule

`default_nettype wire
