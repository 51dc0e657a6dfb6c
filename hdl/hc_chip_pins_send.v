// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chip_pins_send: the physical layer of a cable that is pins and a clock.
//
// A word goes over the pins in WORD_BITS / LANES cycles, the lowest bits first. Pins change with the
// rising edge of clk. pin_clk is clk inverted, so that its rising edge is in the middle of a bit; where
// the device has output registers for both edges, drive the pin from one of them instead.
//
// Latency: a word that is taken begins on the pins in the next cycle. Throughput: tx_ready is a register,
// 1 once in WORD_BITS / LANES cycles.

`default_nettype none

module hc_chip_pins_send #(
    parameter integer WORD_BITS = 8,  // bits of a word
    parameter integer LANES     = 1   // data pins, a divisor of WORD_BITS
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire [WORD_BITS-1:0] tx_word,
    output wire                 tx_ready,
    output wire [LANES-1:0]     pins,
    output wire                 pin_clk
);

    generate
        if (LANES < 1 || WORD_BITS < 1 || WORD_BITS % LANES != 0) begin : illegal_lanes
            hc_chip_pins_send_LANES_must_divide_WORD_BITS illegal ();
        end
    endgenerate

    localparam integer BEATS = WORD_BITS / LANES;

    reg  [WORD_BITS-1:0] word_q;  // what is on the pins is lowest
    wire                 ready;

    always @(posedge clk) begin
        word_q <= ready ? tx_word : word_q >> LANES;
        if (rst) word_q <= {WORD_BITS{1'b0}};
    end

    generate
        if (BEATS == 1) begin : at_once
            assign ready = 1'b1;
        end else begin : beats
            localparam integer    BITS = $clog2(BEATS);
            localparam integer    MOST = BEATS - 1;
            localparam [BITS-1:0] LAST = MOST[BITS-1:0];

            reg [BITS-1:0] beat_q;
            reg            ready_q;

            always @(posedge clk) begin
                beat_q  <= ready_q ? {BITS{1'b0}} : beat_q + 1'b1;
                ready_q <= beat_q == LAST - 1'b1 & !ready_q;
                if (rst) begin
                    beat_q  <= {BITS{1'b0}};
                    ready_q <= 1'b0;
                end
            end
            assign ready = ready_q;
        end
    endgenerate

    assign tx_ready = ready;
    assign pins     = word_q[LANES-1:0];
    assign pin_clk  = ~clk;

endmodule

`default_nettype wire
