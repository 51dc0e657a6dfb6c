// SPDX-License-Identifier: Apache-2.0
//
// manycore_ulx3s: 16 nodes on a ULX3S with an LFE5U-85F. The ports have the names of the board's constraints.

`default_nettype none

module manycore_ulx3s #(
    parameter integer PERIOD = 217  // clock cycles of a bit: 115,200 baud at 25 MHz
) (
    input  wire       clk_25mhz,
    input  wire       fire1,     // asynchronous, high while the button is pressed: reset
    input  wire       ftdi_txd,
    output wire       ftdi_rxd,
    output wire [7:0] led
);

    manycore_board #(
        .NODES(16),
        .BUS_BITS(19),
        .PERIOD(PERIOD)
    ) board (
        .clk(clk_25mhz),
        .reset_n(!fire1),
        .uart_rx(ftdi_txd),
        .uart_tx(ftdi_rxd),
        .leds(led)
    );

endmodule

`default_nettype wire
