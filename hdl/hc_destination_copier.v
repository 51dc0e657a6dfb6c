// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_destination_copier: copies each message of the node to the groups of dimensions that its
// destination selects, and drops messages with an illegal destination.
//
// A group (hc_destination_group) is the entry into a dimension. Each copy is made when its group
// takes it. Backpressure: tready is high in the cycle of the last copy. A message with an illegal
// destination is taken in the cycle in which it is offered, and destination_error is high in the
// next cycle. `open` must stay high until the message is taken.
//
// Latency: none. While tvalid is low, only `single` depends on the destination.

`default_nettype none

module hc_destination_copier #(
    parameter integer               DIMENSIONS  = 1,  // number of dimensions, 1 or more
    parameter [16*DIMENSIONS-1:0]   FARTHEST    = 1,  // largest distance in each dimension, format of hc_spread
    parameter integer               FIELDS_BITS = 2   // bits of all fields: 1 + bits of FARTHEST per dimension
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   s_axis_tvalid,
    output wire                   s_axis_tready,
    input  wire [FIELDS_BITS-1:0] fields,            // {flag, x} of each dimension, dimension 1 lowest
    input  wire [DIMENSIONS-1:0]  legal,             // the digit of each dimension is below m
    input  wire [DIMENSIONS-1:0]  elsewhere,         // the destination includes a node other than this one
    input  wire                   open,              // the pace lets the message request groups, see hc_pace
    output wire                   valid,             // a message with a legal destination is valid
    output wire                   single,            // the message is for a single node
    output wire                   inject,            // the message completes a handshake
    output wire [DIMENSIONS-1:0]  request,           // bit i: group of dimension i + 1
    input  wire [DIMENSIONS-1:0]  grant,             // the group takes this copy in this cycle; high only if requested
    output reg                    destination_error  // high in the cycle after an illegal message was dropped
);

    wire [DIMENSIONS-1:0] targets;
    wire [DIMENSIONS-1:0] all;
    wire [DIMENSIONS-1:0] copies;  // copies left to make if every group were a target
    wire                  ready;
    wire                  unused_delivery;
    wire                  unused_legal;
    wire                  sound = &legal & |elsewhere;

    hc_spread #(
        .DIMENSIONS (DIMENSIONS),
        .FARTHEST   (FARTHEST),
        .FIELDS_BITS(FIELDS_BITS)
    ) spread (
        .fields (fields),
        .targets({targets, unused_delivery}),
        .all    (all),
        .legal  (unused_legal)
    );

    // A copy to a group that is not a target counts as made in the first cycle.
    hc_local_input #(
        .DIMENSIONS(DIMENSIONS)
    ) local_input (
        .clk          (clk),
        .rst          (rst),
        .s_axis_tvalid(valid),
        .s_axis_tready(ready),
        .open         (open),
        .request      (copies),
        .grant        (grant | (copies & ~targets))
    );

    assign valid         = s_axis_tvalid & sound;
    assign single        = ~|all;
    assign request       = copies & targets;
    assign s_axis_tready = s_axis_tvalid & (!sound | ready);
    assign inject        = valid & ready;

    always @(posedge clk) begin
        destination_error <= s_axis_tvalid & !sound;
        if (rst) destination_error <= 1'b0;
    end

endmodule

`default_nettype wire
