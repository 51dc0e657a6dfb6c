// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_prove_entry: computes which messages with destinations enter a dimension on one port, and with
// which header, by the section "Groups" of docs/addressed-messages.md in hcgen.

`default_nettype none

module hc_prove_entry #(
    parameter integer               MARKS     = 2,
    parameter integer               RHO       = 1,
    parameter integer               FARTHEST  = 2,  // floor(m / 2)
    parameter integer               X_BITS    = 2,
    parameter integer               WC_BITS   = 2,
    parameter integer               DISTANCE  = 1,  // distance of the port
    parameter integer               CLOCKWISE = 1,  // 1 if the port leads clockwise, else 0
    parameter integer               BOTH      = 0,  // 1 if the port serves both directions
    parameter         [WC_BITS-1:0] FIRST     = 1   // weight of messages to all, 0 if they do not enter here
) (
    input  wire [MARKS-1:0]             target,  // the group of the dimension is a target of the message
    input  wire [MARKS*(X_BITS+1)-1:0]  fields,  // {flag, x} of the message
    output reg  [MARKS-1:0]             enters,
    output reg  [MARKS*(WC_BITS+1)-1:0] heads    // entering {wc, spread}
);

    integer          m, h;
    reg [X_BITS-1:0] x;
    reg              flag;
    reg [15:0]       hops;  // ceil(x / rho)
    always @* begin
        for (m = 0; m < MARKS; m = m + 1) begin
            {flag, x} = fields[m*(X_BITS+1)+:X_BITS+1];
            hops = 0;
            for (h = 1; h <= FARTHEST; h = h + 1) if (x > (h - 1) * RHO) hops = h;
            if (x == 0) begin
                enters[m] = target[m] && flag && FIRST != 0;
                heads[m*(WC_BITS+1)+:WC_BITS+1] = {FIRST, 1'b1};
            end else begin
                enters[m] = target[m] && x - (hops - 1) * RHO == DISTANCE && (BOTH != 0 || flag == (CLOCKWISE == 0));
                heads[m*(WC_BITS+1)+:WC_BITS+1] = {hops[WC_BITS-1:0], 1'b0};
            end
        end
    end

endmodule

`default_nettype wire
