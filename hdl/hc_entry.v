// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_entry: how a message enters a dimension: by which ports and with which weights, from its
// field.
//
// All: the ports and weights of broadcasts. A distance of x: one port, from which links of distance
// RHO lead on, with ceil(x / RHO) steps to go. See docs/addressed-messages.md, "Groups".
//
// Latency: none.

`default_nettype none

module hc_entry #(
    parameter integer             RHO     = 1,  // of the dimension, 1 or more
    parameter integer             LARGEST = 1,  // largest weight, D of the dimension
    parameter integer             X_BITS  = 1,  // bits of x: those of floor(m / 2)
    parameter integer             PORTS   = 2,  // of the dimension: 2 RHO, or 2 RHO - 1 if m = 2 RHO
    parameter integer             WC_BITS = 1,  // bits of a weight
    parameter [PORTS*WC_BITS-1:0] WEIGHTS = {PORTS * WC_BITS{1'b1}}  // of broadcasts, by port; 0: they do not enter it
) (
    input  wire [X_BITS:0]          field,    // {flag, x}, not stay
    output wire [PORTS-1:0]         ports,    // it enters these
    output wire [PORTS*WC_BITS-1:0] weights,  // by port; any where it does not enter
    output wire                     spread    // it is all
);

    generate
        if (PORTS != 2 * RHO && PORTS != 2 * RHO - 1) begin : illegal_ports
            hc_entry_PORTS_must_be_2_RHO_or_2_RHO_minus_1 illegal ();
        end
    endgenerate

    wire [X_BITS-1:0]  x = field[X_BITS-1:0];
    wire               counterclockwise = field[X_BITS];
    wire [WC_BITS-1:0] steps;
    wire [RHO-1:0]     first;  // bit n: the first link has distance n + 1

    assign spread = ~|x;

    generate
        if (RHO == 1) begin : neighbours
            assign first = !spread;
            if (LARGEST == 1) begin : one
                assign steps = {{WC_BITS - 1{1'b0}}, 1'b1};
            end else if (WC_BITS > X_BITS) begin : wider
                assign steps = {{WC_BITS - X_BITS{1'b0}}, x};
            end else begin : as_wide
                assign steps = x[WC_BITS-1:0];
            end
        end else begin : several
            reg [RHO-1:0]     found;
            reg [WC_BITS-1:0] number;
            integer           n;
            always @* begin
                found  = {RHO{1'b0}};
                number = {{WC_BITS - 1{1'b0}}, 1'b1};
                for (n = 1; n < 1 << X_BITS; n = n + 1)
                    if (x == n[X_BITS-1:0]) found[(n-1)%RHO] = 1'b1;
                for (n = 1; n < LARGEST; n = n + 1)
                    if ({{32 - X_BITS{1'b0}}, x} > n * RHO) number = n[WC_BITS-1:0] + 1'b1;
            end
            assign first = found;
            assign steps = number;
        end
    endgenerate

    genvar p;
    generate
        for (p = 0; p < PORTS; p = p + 1) begin : port
            localparam [WC_BITS-1:0] WEIGHT = WEIGHTS[p*WC_BITS+:WC_BITS];
            wire                     side;  // it leads that way round
            if (PORTS != 2 * RHO && p == RHO - 1) begin : both
                wire unused = counterclockwise;
                assign side = 1'b1;
            end else begin : either
                assign side = counterclockwise == (p >= RHO);
            end
            if (|WEIGHT) begin : broadcast
                assign ports[p]                     = spread | (first[p%RHO] & side);
                assign weights[p*WC_BITS+:WC_BITS] = spread ? WEIGHT : steps;
            end else begin : addressed
                assign ports[p]                     = first[p%RHO] & side;
                assign weights[p*WC_BITS+:WC_BITS] = steps;
            end
        end
    endgenerate

endmodule

`default_nettype wire
