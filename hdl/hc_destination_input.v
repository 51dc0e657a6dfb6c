// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_destination_input: accepts the messages of the node while the pace permits it, and copies each
// message to the groups of dimensions that its destination selects.
//
// Each copy is made when its group takes it. Latency: none. Backpressure: tready is high in the
// cycle of the last copy. A destination is illegal if it has a digit of m or more, or if it names
// only this node. A message with an illegal destination is taken in the cycle in which it is
// offered, and dropped; destination_error is high in the next cycle. `open` must stay high until
// the message is taken.

`default_nettype none

module hc_destination_input #(
    parameter integer           DIMENSIONS  = 1,  // number of dimensions, 1 or more
    parameter [32*DIMENSIONS-1:0] NODES     = 4,  // m of each dimension, dimension 1 lowest, 32 bits each
    parameter [32*DIMENSIONS-1:0] RHOS      = 1,  // rho of each dimension, dimension 1 lowest, 32 bits each
    parameter integer           DIGITS_BITS = 2,  // bits of an address: the sum of ceil(log2 m)
    parameter integer           FIELDS_BITS = 3   // bits of all fields: for each dimension 1 + the bits of floor(m / 2)
) (
    input  wire                              clk,
    input  wire                              rst,
    input  wire                              s_axis_tvalid,
    output wire                              s_axis_tready,
    input  wire [DIGITS_BITS+DIMENSIONS-1:0] s_axis_tdest,      // {all, digit} of each dimension, dimension 1 lowest
    input  wire [DIGITS_BITS-1:0]            node_digits,       // address of this node
    input  wire                              open,              // the pace permits group requests, see hc_pace
    output wire [FIELDS_BITS-1:0]            fields,            // {flag, x} of each dimension, dimension 1 lowest
    output wire                              valid,             // a message with a legal destination is valid
    output wire                              single,            // the message is for a single node
    output wire                              inject,            // the message completes a handshake
    output wire [DIMENSIONS-1:0]             request,           // bit i: group of dimension i + 1
    input  wire [DIMENSIONS-1:0]             grant,             // the group takes this copy now; high only if requested
    output wire                              destination_error  // high in the cycle after an illegal message is dropped
);

    wire [DIMENSIONS-1:0] legal;
    wire [DIMENSIONS-1:0] elsewhere;

    genvar i;
    generate
        for (i = 0; i < DIMENSIONS; i = i + 1) begin : dimension
            localparam integer BITS   = $clog2(NODES[32*i+:32]);
            localparam integer X_BITS = $clog2(NODES[32*i+:32] / 2 + 1);

            hc_destination_field #(
                .M         (NODES[32*i+:32]),
                .RHO       (RHOS[32*i+:32]),
                .DIGIT_BITS(BITS),
                .X_BITS    (X_BITS)
            ) direction (
                .all      (s_axis_tdest[digits(i)+i+BITS]),
                .digit    (s_axis_tdest[digits(i)+i+:BITS]),
                .own      (node_digits[digits(i)+:BITS]),
                .field    (fields[low(i)+:X_BITS+1]),
                .legal    (legal[i]),
                .elsewhere(elsewhere[i])
            );
        end
    endgenerate

    hc_destination_copier #(
        .DIMENSIONS (DIMENSIONS),
        .FARTHEST   (farthest(DIMENSIONS)),
        .FIELDS_BITS(FIELDS_BITS)
    ) copier (
        .clk              (clk),
        .rst              (rst),
        .s_axis_tvalid    (s_axis_tvalid),
        .s_axis_tready    (s_axis_tready),
        .fields           (fields),
        .legal            (legal),
        .elsewhere        (elsewhere),
        .open             (open),
        .valid            (valid),
        .single           (single),
        .inject           (inject),
        .request          (request),
        .grant            (grant),
        .destination_error(destination_error)
    );

    // The number of bits that the digits of the lowest dimensions take.
    function integer digits(input integer dimensions);
        integer n;
        begin
            digits = 0;
            for (n = 0; n < dimensions; n = n + 1) digits = digits + $clog2(NODES[32*n+:32]);
        end
    endfunction

    // The number of bits that the fields of the lowest dimensions take.
    function integer low(input integer dimensions);
        integer n;
        begin
            low = 0;
            for (n = 0; n < dimensions; n = n + 1) low = low + $clog2(NODES[32*n+:32] / 2 + 1) + 1;
        end
    endfunction

    // The largest distances, in the format of hc_spread.
    function [16*DIMENSIONS-1:0] farthest(input integer dimensions);
        integer n;
        begin
            farthest = {16 * DIMENSIONS{1'b0}};
            for (n = 0; n < dimensions; n = n + 1) farthest[16*n+:16] = NODES[32*n+1+:16];
        end
    endfunction

endmodule

`default_nettype wire
