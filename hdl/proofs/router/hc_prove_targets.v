// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_prove_targets: computes the targets of messages with destinations, by the section "Targets" of
// docs/addressed-messages.md in hcgen.
//
// A message is {wd, wc, spread, fields, body}, with a field {flag, x} of every dimension, dimension
// 1 lowest. The fields of the dimension of its link and of higher dimensions are 0. At the local
// input, which has no delivery, wd, wc and spread are 0.

`default_nettype none

module hc_prove_targets #(
    parameter integer              MESSAGES     = 1,
    parameter integer              MESSAGE_BITS = 8,
    parameter integer              WD_BITS      = 1,
    parameter integer              WC_BITS      = 1,
    parameter integer              DIMENSIONS   = 1,
    parameter [16*DIMENSIONS-1:0]  X_BITS       = 1,  // bits of x in each dimension, dimension 1 lowest
    parameter [16*DIMENSIONS-1:0]  FARTHEST     = 1   // floor(m / 2) of each dimension, dimension 1 lowest
) (
    input  wire [MESSAGES*MESSAGE_BITS-1:0]   messages,
    output reg  [MESSAGES*(DIMENSIONS+1)-1:0] targets,  // 0 delivery, i group of dimension i
    output reg  [MESSAGES-1:0]                routable  // no x is too large
);

    localparam integer LOW_BITS = MESSAGE_BITS - WD_BITS - WC_BITS;  // below wc

    integer                n, j, low, bits;
    reg [MESSAGE_BITS-1:0] message;
    reg [WC_BITS-1:0]      wc;
    reg [DIMENSIONS:0]     found;
    reg [15:0]             x;
    reg                    walks, flag;
    always @* begin
        for (n = 0; n < MESSAGES; n = n + 1) begin
            message     = messages[n*MESSAGE_BITS+:MESSAGE_BITS];
            wc          = message[LOW_BITS+:WC_BITS];
            walks       = message[LOW_BITS-1] || wc <= 1;
            routable[n] = 1'b1;
            found       = 0;
            low         = LOW_BITS - 1;
            for (j = DIMENSIONS; j >= 1; j = j - 1) begin
                bits = X_BITS[16*(j-1)+:16];
                low  = low - bits - 1;
                x    = (message >> low) & ((1 << bits) - 1);
                flag = message >> (low + bits);
                if (walks && (x != 0 || flag)) found[j] = 1'b1;
                if (x != 0) walks = 1'b0;
                if (x > FARTHEST[16*(j-1)+:16]) routable[n] = 1'b0;
            end
            found[0] = walks;
            targets[n*(DIMENSIONS+1)+:DIMENSIONS+1] = found;
        end
    end

endmodule

`default_nettype wire
