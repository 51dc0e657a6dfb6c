// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_programmable_local: hc_destination_input for a machine that is known only at run time.
//
// A message does not travel in dimensions that the machine does not have. Latency and backpressure:
// as in hc_destination_input.

`default_nettype none

module hc_programmable_local #(
    parameter integer DIMENSIONS = 4,  // largest number of dimensions of a machine, 1 or more
    parameter integer DIGIT_BITS = 4,  // bits of a digit, 1 or more
    parameter integer X_BITS     = 3   // bits of x in a field, and of rho
) (
    input  wire                                 clk,
    input  wire                                 rst,
    input  wire [DIMENSIONS*(2*X_BITS+1)-1:0]   rings,             // {rho, m} of each dimension, 0 if it is absent
    input  wire                                 s_axis_tvalid,
    output wire                                 s_axis_tready,
    input  wire [DIMENSIONS*(DIGIT_BITS+1)-1:0] s_axis_tdest,      // {all, digit} of each dimension, dimension 1 lowest
    input  wire [DIMENSIONS*DIGIT_BITS-1:0]     node_digits,       // address of this node
    input  wire                                 open,              // the pace allows group requests, see hc_pace
    output wire [DIMENSIONS*(X_BITS+1)-1:0]     fields,            // {flag, x} of each dimension, dimension 1 lowest
    output wire                                 valid,             // a message with a legal destination is valid
    output wire                                 single,            // the message is for a single node
    output wire                                 inject,            // the message completes a handshake
    output wire [DIMENSIONS-1:0]                request,           // bit i: group of dimension i + 1
    input  wire [DIMENSIONS-1:0]                grant,             // the group takes this copy in this cycle
    output wire                                 destination_error  // high the cycle after an illegal message is dropped
);

    localparam integer RING_BITS = 2 * X_BITS + 1;
    localparam integer MOST      = 2 ** X_BITS - 1;

    wire [DIMENSIONS-1:0] legal;
    wire [DIMENSIONS-1:0] elsewhere;

    genvar i;
    generate
        for (i = 0; i < DIMENSIONS; i = i + 1) begin : dimension
            hc_programmable_field #(
                .DIGIT_BITS(DIGIT_BITS),
                .X_BITS    (X_BITS)
            ) direction (
                .m        (rings[i*RING_BITS+:X_BITS+1]),
                .rho      (rings[i*RING_BITS+X_BITS+1+:X_BITS]),
                .all      (s_axis_tdest[i*(DIGIT_BITS+1)+DIGIT_BITS]),
                .digit    (s_axis_tdest[i*(DIGIT_BITS+1)+:DIGIT_BITS]),
                .own      (node_digits[i*DIGIT_BITS+:DIGIT_BITS]),
                .field    (fields[i*(X_BITS+1)+:X_BITS+1]),
                .legal    (legal[i]),
                .elsewhere(elsewhere[i])
            );
        end
    endgenerate

    hc_destination_copier #(
        .DIMENSIONS (DIMENSIONS),
        .FARTHEST   ({DIMENSIONS{MOST[15:0]}}),
        .FIELDS_BITS(DIMENSIONS * (X_BITS + 1))
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

endmodule

`default_nettype wire
