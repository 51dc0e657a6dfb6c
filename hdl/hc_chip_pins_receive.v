// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chip_pins_receive: the other end of hc_chip_pins_send.
//
// Everything runs on the clock that comes with the pins, which is also the rx_clk of the cable. A word is
// there once in WORD_BITS / LANES cycles. Where words begin is not known. rx_slip moves the boundary by
// LANES bits: the next word is a cycle late. The clock may stop and go on at any time.
//
// Latency: a word is there in the cycle after its last bits. No reset: any beat is a right one.

`default_nettype none

module hc_chip_pins_receive #(
    parameter integer WORD_BITS = 8,  // bits of a word
    parameter integer LANES     = 1   // data pins, a divisor of WORD_BITS
) (
    input  wire                 rx_clk,
    input  wire [LANES-1:0]     pins,
    input  wire                 rx_slip,
    output wire                 rx_valid,
    output wire [WORD_BITS-1:0] rx_word
);

    generate
        if (LANES < 1 || WORD_BITS < 1 || WORD_BITS % LANES != 0) begin : illegal_lanes
            hc_chip_pins_receive_LANES_must_divide_WORD_BITS illegal ();
        end
    endgenerate

    localparam integer BEATS = WORD_BITS / LANES;

    reg [WORD_BITS-1:0] word_q;

    generate
        if (BEATS == 1) begin : at_once
            wire unused = &{1'b0, rx_slip};
            always @(posedge rx_clk) word_q <= pins;
            assign rx_valid = 1'b1;
        end else begin : beats
            localparam integer    BITS = $clog2(BEATS);
            localparam integer    MOST = BEATS - 1;
            localparam [BITS-1:0] LAST = MOST[BITS-1:0];

            reg [BITS-1:0] beat_q = {BITS{1'b0}};  // simulation needs a value
            reg            valid_q;

            always @(posedge rx_clk) begin
                word_q <= {pins, word_q[WORD_BITS-1:LANES]};
                if (!rx_slip) beat_q <= beat_q >= LAST ? {BITS{1'b0}} : beat_q + 1'b1;
                valid_q <= beat_q == LAST & !rx_slip;
            end
            assign rx_valid = valid_q;
        end
    endgenerate

    assign rx_word = word_q;

endmodule

`default_nettype wire
