// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_entry: computes on which ports a message enters a dimension, and with which weight, from its
// field.
//
// A message for all nodes of the ring enters on the ports of broadcasts, with their weights. A
// message that travels a distance x enters on one port, with weight ceil(x / RHO): it continues
// from there on links of distance RHO. See docs/addressed-messages.md, "Groups".
//
// Latency: none.

`default_nettype none

module hc_entry #(
    parameter integer             RHO     = 1,  // largest distance of a link of the dimension, 1 or more
    parameter integer             LARGEST = 1,  // largest weight: D of the dimension, 1 or more
    parameter integer             X_BITS  = 1,  // bits of x in the field: the number that floor(m / 2) needs
    parameter integer             PORTS   = 2,  // ports of the dimension: 2 RHO, or 2 RHO - 1 if m = 2 RHO
    parameter integer             WC_BITS = 1,  // bits of a weight, 1 or more
    // Entering weight of broadcasts, by port. 0: they do not enter on the port.
    parameter [PORTS*WC_BITS-1:0] WEIGHTS = {PORTS * WC_BITS{1'b1}}
) (
    input  wire [X_BITS:0]          field,    // {flag, x}, never `stay`
    output wire [PORTS-1:0]         ports,    // the message enters on these ports
    output wire [PORTS*WC_BITS-1:0] weights,  // weight of the message on each port; arbitrary where it does not enter
    output wire                     spread    // the message is for all nodes of the ring
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
            if (LARGEST == 1) begin : one_step
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
            wire                     side;  // the port leads in the direction of the message
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
