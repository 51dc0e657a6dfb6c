// SPDX-License-Identifier: Apache-2.0
//
// ulx3s_top: board_top on a ULX3S.
//
// Switches 1 and 2 are the digits of the board. FIRE1 resets the board alone, FIRE2 restarts the machine. The lights are, from the
// lowest: both cables up, a cable lost, a wrong message, and five bits of the number of rounds.

`default_nettype none

module ulx3s_top (
    input  wire       clk_25mhz,
    input  wire       fire1,
    input  wire       fire2,
    input  wire [1:0] sw,
    output wire [3:0] up_tx,
    output wire       up_tx_clk,
    input  wire [3:0] up_rx,
    input  wire       up_rx_clk,
    output wire [3:0] down_tx,
    output wire       down_tx_clk,
    input  wire [3:0] down_rx,
    input  wire       down_rx_clk,
    output wire [7:0] led
);

    // The reset begins with the configuration, after which all registers are 0, and lasts 128 cycles after the button is released.
    reg  [1:0] button_q = 2'b11;
    reg  [7:0] count_q  = 8'd0;
    wire       rst      = !count_q[7];

    always @(posedge clk_25mhz) begin
        button_q <= {button_q[0], fire1};
        if (button_q[1]) count_q <= 8'd0;
        else if (rst) count_q <= count_q + 8'd1;
    end

    wire [7:0] rounds;
    wire       unused = &{1'b0, rounds[2:0]};
    wire       unused_reset;

    board_top board (
        .clk        (clk_25mhz),
        .rst        (rst),
        .digits     (sw),
        .restart    (fire2),
        .up_tx      (up_tx),
        .up_tx_clk  (up_tx_clk),
        .up_rx      (up_rx),
        .up_rx_clk  (up_rx_clk),
        .down_tx    (down_tx),
        .down_tx_clk(down_tx_clk),
        .down_rx    (down_rx),
        .down_rx_clk(down_rx_clk),
        .ok         (led[0]),
        .lost       (led[1]),
        .wrong      (led[2]),
        .rounds     (rounds),
        .reset      (unused_reset)
    );

    assign led[7:3] = rounds[7:3];

endmodule

`default_nettype wire
