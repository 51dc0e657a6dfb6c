// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_programmable_entry: computes on which link a message with a distance x enters a dimension, and
// its weight there, for a dimension that is known only at run time.
//
// The weight is h = ceil(x / rho). All links after the first have distance rho, so the distance of
// the first link is x - (h - 1) rho. See docs/addressed-messages.md, "Groups".
//
// Latency: none.

`default_nettype none

module hc_programmable_entry #(
    parameter integer X_BITS = 3  // bits of x, of rho and of a weight, 1 or more
) (
    input  wire [X_BITS:0]   m,                 // m of the dimension
    input  wire [X_BITS-1:0] rho,               // rho of the dimension, 1 or more
    input  wire [X_BITS:0]   field,             // {flag, x}, with x of 1 or more
    output reg  [X_BITS-1:0] first,             // distance of the first link
    output wire              counterclockwise,  // direction of the first link; 0 if the link serves both
    output reg  [X_BITS-1:0] weight
);

    localparam [X_BITS-1:0] ONE = {{X_BITS - 1{1'b0}}, 1'b1};

    // A table: a division would be larger.
    wire [31:0] x = {{32 - X_BITS{1'b0}}, field[X_BITS-1:0]};
    integer     r, h, d;
    always @* begin
        weight = ONE;
        first  = ONE;
        for (r = 1; r < 1 << X_BITS; r = r + 1)
            for (h = 1; (h - 1) * r < (1 << X_BITS) - 1; h = h + 1)
                for (d = 1; d <= r; d = d + 1)
                    if (rho == r[X_BITS-1:0] && x == (h - 1) * r + d) begin
                        weight = h[X_BITS-1:0];
                        first  = d[X_BITS-1:0];
                    end
    end

    assign counterclockwise = field[X_BITS] & !(m == {rho, 1'b0} && first == rho);

endmodule

`default_nettype wire
