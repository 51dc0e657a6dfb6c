// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chip_pattern: the next word of the sequence of x^31 + x^28 + 1 (PRBS31).
//
// Latency: none. Bits are in the order in which they are sent, the first lowest. Each bit is the sum of
// those 31 and 28 bits before it.

`default_nettype none

module hc_chip_pattern #(
    parameter integer WORD_BITS = 8  // bits of a word, 1 or more
) (
    input  wire [30:0]          history, // the bits before the word
    output wire [WORD_BITS-1:0] word
);

    generate
        if (WORD_BITS < 1) begin : illegal_word_bits
            hc_chip_pattern_WORD_BITS_must_be_1_or_more illegal ();
        end
    endgenerate

    reg     [WORD_BITS+30:0] bits;
    integer                  i;

    always @* begin
        bits[30:0] = history;
        for (i = 0; i < WORD_BITS; i = i + 1) bits[i+31] = bits[i] ^ bits[i+3];
    end

    assign word = bits[31+:WORD_BITS];

endmodule

`default_nettype wire
