// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chip_digit: a digit of the neighbour of a chip.
//
// Latency: none.

`default_nettype none

module hc_chip_digit #(
    parameter integer M    = 2,  // values of the digit, 2 or more
    parameter integer STEP = 1,  // from the chip to the neighbour, 1 to M - 1
    parameter integer BITS = 1   // of the digit, those of M - 1
) (
    input  wire [BITS-1:0] digit,
    output wire [BITS-1:0] neighbor  // digit + STEP modulo M
);

    generate
        if (M < 2) begin : illegal_m
            hc_chip_digit_M_must_be_2_or_more illegal ();
        end else if (STEP < 1 || STEP >= M) begin : illegal_step
            hc_chip_digit_STEP_must_be_1_to_M_minus_1 illegal ();
        end else if (BITS != $clog2(M)) begin : illegal_bits
            hc_chip_digit_BITS_must_be_those_of_M_minus_1 illegal ();
        end
    endgenerate

    localparam integer    BACK  = M - STEP;  // a digit from here on passes 0
    localparam [BITS-1:0] FIRST = BACK[BITS-1:0];

    assign neighbor = digit - FIRST + (digit < FIRST ? M[BITS-1:0] : {BITS{1'b0}});

endmodule

`default_nettype wire
