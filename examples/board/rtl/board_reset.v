// SPDX-License-Identifier: Apache-2.0
//
// board_reset: the synchronous reset of the whole design, from power-on and a button.
//
// An iCE40 starts with all its flip-flops at 0, so the reset begins at power-on. It lasts 128
// cycles after the button is released, and ends with a clock edge.

`default_nettype none

module board_reset (
    input  wire clk,
    input  wire request_n,  // asynchronous, active low
    output wire rst         // synchronous, active high
);

    // Two flip-flops: the button is asynchronous.
    reg [1:0] button_n_q = 2'b00;
    reg [7:0] count_q = 8'd0;

    assign rst = !count_q[7];

    always @(posedge clk) begin
        button_n_q <= {button_n_q[0], request_n};
        if (!button_n_q[1]) count_q <= 8'd0;
        else if (rst) count_q <= count_q + 8'd1;
    end

endmodule

`default_nettype wire
