// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_prove_destination: computes the destination of a message of the node, by the sections
// "Destinations" and "Links" of docs/addressed-messages.md in hcgen.
//
// Assumed: node_digits is the address of a node. Proved: a message with an illegal destination is
// taken in the cycle in which it is offered, and flagged once. hc_prove_output proves that it is
// never copied.

`default_nettype none

module hc_prove_destination #(
    parameter integer             DIMENSIONS  = 1,
    parameter [16*DIMENSIONS-1:0] NODES       = 4,  // m of each dimension, dimension 1 lowest
    parameter [16*DIMENSIONS-1:0] RHOS        = 1,  // rho of each dimension, dimension 1 lowest
    parameter [16*DIMENSIONS-1:0] DIGIT_BITS  = 2,  // bits of a digit of each dimension, dimension 1 lowest
    parameter [16*DIMENSIONS-1:0] X_BITS      = 2,  // bits of a distance in each dimension, dimension 1 lowest
    parameter integer             DIGITS_BITS = 2,
    parameter integer             FIELDS_BITS = 3
) (
    input  wire                              clk,
    input  wire                              rst,
    input  wire                              live,
    input  wire                              tvalid,
    input  wire                              tready,
    input  wire [DIGITS_BITS+DIMENSIONS-1:0] tdest,
    input  wire [DIGITS_BITS-1:0]            node_digits,
    input  wire                              destination_error,
    output reg                               legal,
    output reg                               single,  // the message is for a single node
    output reg  [FIELDS_BITS-1:0]            fields   // {flag, x} of each dimension, dimension 1 lowest
);

    integer    j, bits, x_bits, digits_low, fields_low, field;
    reg [15:0] digit, own, m, clockwise, counterclockwise;
    reg        all, flag, elsewhere, is_node;
    always @* begin
        legal      = 1'b1;
        single     = 1'b1;
        elsewhere  = 1'b0;
        is_node    = 1'b1;
        fields     = 0;
        digits_low = 0;
        fields_low = 0;
        for (j = 0; j < DIMENSIONS; j = j + 1) begin
            m      = NODES[16*j+:16];
            bits   = DIGIT_BITS[16*j+:16];
            x_bits = X_BITS[16*j+:16];
            own    = (node_digits >> digits_low) & ((1 << bits) - 1);
            digit  = (tdest >> (digits_low + j)) & ((1 << bits) - 1);
            all    = tdest >> (digits_low + j + bits);

            // Distance to the digit in each direction.
            clockwise        = digit >= own ? digit - own : digit + m - own;
            counterclockwise = clockwise == 0 ? 0 : m - clockwise;
            if (clockwise == counterclockwise) flag = own[0] && 2 * RHOS[16*j+:16] != m && clockwise != 0;
            else flag = counterclockwise < clockwise;
            field  = all ? 1 << x_bits : flag << x_bits | (flag ? counterclockwise : clockwise);
            fields = fields | field << fields_low;

            if (own >= m) is_node = 1'b0;
            if (!all && digit >= m) legal = 1'b0;
            if (all) single = 1'b0;
            if (all || digit != own) elsewhere = 1'b1;
            digits_low = digits_low + bits;
            fields_low = fields_low + x_bits + 1;
        end
        if (!elsewhere) legal = 1'b0;
    end

    always @* assume (is_node);

    reg dropped_q;
    always @(posedge clk) dropped_q <= tvalid && !legal && !rst;

    always @* if (live) begin
        if (tvalid && !legal) assert (tready);
        assert (destination_error == dropped_q);
    end

    always @* cover (live && destination_error);

endmodule

`default_nettype wire
