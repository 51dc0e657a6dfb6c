// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_weight: the weight of a message that enters on a port, from the results of one division.
//
// Each side of a ring has two constants (q, k): messages enter with weight q + 1 on its nearest k
// links, and with weight q on the others. One side has (D, 0), or (Q, K) if the sides are balanced,
// with floor(m/2) = Q rho + K; then D is Q, or Q + 1 if K is not 0. The other side has the last
// quotient and remainder. If 2 rho = m, D is 1 and messages enter on every link.
//
// Latency: none.

`default_nettype none

module hc_weight #(
    parameter integer WC_BITS = 3  // bits of a weight, 1 or more
) (
    input  wire [1:0]           preference,        // 0 clockwise, 1 counterclockwise, 2 balanced
    input  wire                 antipodal,         // 2 rho = m
    input  wire [WC_BITS-1:0]   largest,           // D
    input  wire [WC_BITS-1:0]   half_rest,         // floor(m/2) mod rho
    input  wire [WC_BITS-1:0]   quotient,          // a, or if balanced floor((m-1)/2) / rho
    input  wire [WC_BITS-1:0]   rest,              // k, or if balanced floor((m-1)/2) mod rho
    input  wire                 counterclockwise,  // the port is counterclockwise
    input  wire [WC_BITS-1:0]   distance,          // distance of the port, 1 to rho
    output wire [4*WC_BITS-1:0] sides,             // {k, q} counterclockwise, {k, q} clockwise
    output wire [WC_BITS-1:0]   weight             // entering weight of the port
);

    localparam [WC_BITS-1:0] ONE = {{WC_BITS - 1{1'b0}}, 1'b1};

    wire                 swapped  = preference[0];
    wire                 balanced = preference[1];
    wire [WC_BITS-1:0]   near_k   = half_rest & {WC_BITS{balanced}};
    wire [WC_BITS-1:0]   near_q   = largest - {{WC_BITS - 1{1'b0}}, |near_k};
    wire                 other    = counterclockwise ^ swapped;
    wire [WC_BITS-1:0]   q        = other ? quotient : near_q;
    wire [WC_BITS-1:0]   k        = other ? rest : near_k;
    wire [WC_BITS-1:0]   more     = {{WC_BITS - 1{1'b0}}, distance <= k};

    assign sides  = swapped ? {near_k, near_q, rest, quotient} : {rest, quotient, near_k, near_q};
    assign weight = antipodal ? ONE : q + more;

endmodule

`default_nettype wire
