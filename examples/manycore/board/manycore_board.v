// SPDX-License-Identifier: Apache-2.0
//
// manycore_board: the machine behind a serial port. Programs come through it, and text leaves through it. With its default parameters
// it is the top of the iCE40HX-8K Breakout Board, with four nodes.
//
// Light 0: a program runs. Light 1: a byte of the serial line was lost, because a program was running or the byte had no stop bit.
// Light 2: the network for sums has not found a word of a node. A reset turns them off.

`default_nettype none

module manycore_board #(
    parameter integer NODES    = 4,
    parameter integer BUS_BITS = 17,  // of a byte address at the bus of a node
    parameter integer PERIOD   = 104  // clock cycles of a bit: 115,200 baud at 12 MHz
) (
    input  wire       clk,
    input  wire       reset_n,  // asynchronous, active low
    input  wire       uart_rx,
    output wire       uart_tx,
    output wire [7:0] leds
);

    wire       rst;
    wire       rx_valid, rx_broken, load_ready;
    wire [7:0] rx_data;
    wire       text_valid, text_ready;
    wire [7:0] text;
    wire       running, late;
    reg        lost_q;
    reg        late_q;

    assign leds = {5'd0, late_q, lost_q, running};

    always @(posedge clk) begin
        lost_q <= lost_q | rx_broken | (rx_valid & !load_ready);
        late_q <= late_q | late;
        if (rst) begin
            lost_q <= 1'b0;
            late_q <= 1'b0;
        end
    end

    board_reset reset (
        .clk(clk),
        .request_n(reset_n),
        .rst(rst)
    );

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

    // A word is written long before the next byte has come.
    manycore_top #(
        .NODES(NODES),
        .ADDRESS_BITS(11),
        .BUS_BITS(BUS_BITS)
    ) machine (
        .clk(clk),
        .rst(rst),
        .s_axis_load_tvalid(rx_valid),
        .s_axis_load_tready(load_ready),
        .s_axis_load_tdata(rx_data),
        .m_axis_text_tvalid(text_valid),
        .m_axis_text_tready(text_ready),
        .m_axis_text_tdata(text),
        .running(running),
        .late(late)
    );

    board_uart_tx #(
        .PERIOD(PERIOD)
    ) sender (
        .clk(clk),
        .rst(rst),
        .s_axis_tvalid(text_valid),
        .s_axis_tready(text_ready),
        .s_axis_tdata(text),
        .tx(uart_tx)
    );

endmodule

`default_nettype wire
