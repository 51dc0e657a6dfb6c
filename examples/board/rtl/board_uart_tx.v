// SPDX-License-Identifier: Apache-2.0
//
// board_uart_tx: sends bytes of 8 data bits, no parity, one stop bit.
//
// Backpressure: ready after the stop bit of the previous byte.

`default_nettype none

module board_uart_tx #(
    parameter integer PERIOD = 104  // clock cycles of a bit, 4 to 65535
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       s_axis_tvalid,
    output wire       s_axis_tready,
    input  wire [7:0] s_axis_tdata,
    output wire       tx  // high when idle
);

    localparam [31:0] BIT = PERIOD;

    reg [8:0]  shift_q;  // the bit on the line is the lowest
    reg [3:0]  left_q;   // bits left, the one on the line included
    reg [15:0] timer_q;

    assign s_axis_tready = left_q == 4'd0;
    assign tx = shift_q[0];

    always @(posedge clk) begin
        timer_q <= timer_q - 16'd1;
        if (s_axis_tready) begin
            timer_q <= BIT[15:0] - 16'd1;
            if (s_axis_tvalid) begin
                shift_q <= {s_axis_tdata, 1'b0};
                left_q <= 4'd10;
            end
        end else if (timer_q == 16'd0) begin
            timer_q <= BIT[15:0] - 16'd1;
            shift_q <= {1'b1, shift_q[8:1]};
            left_q <= left_q - 4'd1;
        end

        if (rst) begin
            shift_q <= 9'h1ff;
            left_q <= 4'd0;
        end
    end

endmodule

`default_nettype wire
