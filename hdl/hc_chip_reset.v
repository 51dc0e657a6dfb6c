// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chip_reset: the reset of a chip for the receiver of a cable, whose clock may stand still.
//
// A request goes to rx_clk and an acknowledgement comes back. clk begins only when no acknowledgement of
// an earlier reset is left. A request stays until it is acknowledged, also over rst; else its
// acknowledgement could come late and pass for that of the next request. rx_rst is 1 at least while the
// acknowledgement is, so that it can be seen only of a receiver that is in reset. reset stays 1 until the
// acknowledgement has come and gone. The queue from rx_clk to clk is therefore in reset on both sides
// together, and what is read from it was received after rst.
//
// Latency: without rx_clk, reset stays 1. With it, reset ends about 6 cycles of clk and 12 of rx_clk
// after rst.

`default_nettype none

module hc_chip_reset (
    input  wire clk,
    input  wire rst,     // of the chip, 1 for at least 4 cycles
    output wire reset,   // of what reads from the receiver, synchronous to clk
    input  wire rx_clk,
    output wire rx_rst   // of the receiver, synchronous to rx_clk
);

    // clk
    reg  settle_q;   // waits until no acknowledgement is left
    reg  request_q;
    wire acknowledged;

    always @(posedge clk) begin
        if (acknowledged) begin
            request_q <= 1'b0;
        end else if (settle_q) begin
            settle_q  <= 1'b0;
            request_q <= 1'b1;
        end
        if (rst) settle_q <= 1'b1;
    end

    // rx_clk
    reg  [3:1] requests_q;  // the request of earlier cycles
    reg        rst_q;
    reg        acknowledge_q;
    wire       requested;

    always @(posedge rx_clk) begin
        requests_q    <= {requests_q[2:1], requested};
        rst_q         <= |requests_q;
        acknowledge_q <= &requests_q;
    end

    hc_chip_flag request_flag (
        .from_flag(request_q),
        .to_clk   (rx_clk),
        .to_flag  (requested)
    );

    hc_chip_flag acknowledge_flag (
        .from_flag(acknowledge_q),
        .to_clk   (clk),
        .to_flag  (acknowledged)
    );

    assign reset  = settle_q | request_q | acknowledged;
    assign rx_rst = rst_q;

endmodule

`default_nettype wire
