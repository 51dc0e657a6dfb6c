// SPDX-License-Identifier: Apache-2.0
//
// board_uart_rx: receives bytes of 8 data bits, no parity, one stop bit.
//
// A byte is valid for one cycle, in the middle of its stop bit. There is no ready, because the
// sender cannot wait. A byte without a stop bit is not delivered: `broken` is high for one cycle,
// and the receiver waits until the line is high again.

`default_nettype none

module board_uart_rx #(
    parameter integer PERIOD = 104  // clock cycles of a bit, 4 to 65535
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       rx,  // asynchronous, high when idle
    output wire       valid,
    output wire [7:0] data,
    output wire       broken
);

    localparam [31:0] BIT = PERIOD;

    reg  [1:0]  line_q;  // line_q[1] belongs to this clock
    reg         busy_q;
    reg         wait_q;   // for a high line
    reg  [15:0] timer_q;  // cycles until the middle of the next bit
    reg  [3:0]  left_q;   // bits left, the start and the stop bit included
    reg  [7:0]  data_q;

    wire sample = busy_q & (timer_q == 16'd0);
    wire last = sample & (left_q == 4'd1);

    assign valid = last & line_q[1];
    assign broken = last & !line_q[1];
    assign data = data_q;

    always @(posedge clk) begin
        line_q <= {line_q[0], rx};
        timer_q <= timer_q - 16'd1;

        if (!busy_q) begin
            // The first sample is half a bit after the edge, in the start bit.
            timer_q <= BIT[16:1];
            left_q <= 4'd10;
            wait_q <= wait_q & !line_q[1];
            busy_q <= !wait_q & !line_q[1];
        end else if (sample) begin
            timer_q <= BIT[15:0] - 16'd1;
            left_q <= left_q - 4'd1;
            if (!last) data_q <= {line_q[1], data_q[7:1]};  // without the stop bit
            // If the line is high again by then, it was no start bit.
            busy_q <= !last & !(left_q == 4'd10 & line_q[1]);
            wait_q <= broken;
        end

        if (rst) begin
            line_q <= 2'b11;
            busy_q <= 1'b0;
            wait_q <= 1'b1;
        end
    end

endmodule

`default_nettype wire
