// SPDX-License-Identifier: Apache-2.0
//
// ulx3s_top: board_top on a ULX3S.
//
// Switches 1 and 2 are the digits of the board. FIRE1 resets the board alone, FIRE2 restarts the machine. Light 0 is on while both
// cables are up, and light 1 after a wrong message. Lights 2 to 7 show the highest bits of rounds while both cables are up. Otherwise 2 to 4
// show the state of cable up, and 5 to 7 that of cable down.

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

    localparam [2:0] UP = 3'd2;

    wire [2:0]  up_state, down_state;
    wire [19:0] rounds;
    wire        ok     = (up_state == UP) & (down_state == UP);
    wire        unused = &{1'b0, rounds[13:0]};
    wire        unused_reset;

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
        .up_state   (up_state),
        .down_state (down_state),
        .wrong      (led[1]),
        .rounds     (rounds),
        .reset      (unused_reset)
    );

    assign led[0]   = ok;
    assign led[7:2] = ok ? rounds[19:14] : {down_state, up_state};

endmodule

`default_nettype wire
