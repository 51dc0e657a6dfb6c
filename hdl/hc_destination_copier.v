// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_destination_copier: has a message of the node copied to the groups that its fields make
// targets, and drops one whose destination is illegal.
//
// Each copy is made whenever its group has room. Backpressure: tready is high in the cycle
// of the last copy. An illegal message is taken in the cycle in which it is offered;
// destination_error is high in the next cycle. `open` stays high until the message is taken.
//
// Without tvalid no output but single depends on the destination.

`default_nettype none

module hc_destination_copier #(
    parameter integer               DIMENSIONS  = 1,  // 1 or more
    parameter [16*DIMENSIONS-1:0]   FARTHEST    = 1,  // largest distance in each, as of hc_spread
    parameter integer               FIELDS_BITS = 2   // the sum of 1 + the bits of the largest distances
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   s_axis_tvalid,
    output wire                   s_axis_tready,
    input  wire [FIELDS_BITS-1:0] fields,     // {flag, x} of each dimension, dimension 1 lowest
    input  wire [DIMENSIONS-1:0]  legal,      // the digit of each dimension is below m
    input  wire [DIMENSIONS-1:0]  elsewhere,  // it is not that of this node alone
    input  wire                   open,       // the message may ask, see hc_pace
    output wire                   offered,    // a message with a legal destination is there
    output wire                   single,     // it is for one node
    output wire                   injected,   // it completes a handshake
    output wire [DIMENSIONS-1:0]  ask,        // bit i: group of dimension i + 1
    input  wire [DIMENSIONS-1:0]  made,       // this copy, which is asked for, is made in this cycle
    output reg                    destination_error
);

    wire [DIMENSIONS-1:0] targets;
    wire [DIMENSIONS-1:0] all;
    wire [DIMENSIONS-1:0] copies;  // those still to be made if every group were a target
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

    // A copy for a group that is no target counts as made in the first cycle.
    hc_local_input #(
        .GROUPS(DIMENSIONS)
    ) local_input (
        .clk          (clk),
        .rst          (rst),
        .s_axis_tvalid(offered),
        .s_axis_tready(ready),
        .open         (open),
        .ask          (copies),
        .made         (made | (copies & ~targets))
    );

    assign offered       = s_axis_tvalid & sound;
    assign single        = ~|all;
    assign ask           = copies & targets;
    assign s_axis_tready = s_axis_tvalid & (!sound | ready);
    assign injected      = offered & ready;

    always @(posedge clk) begin
        destination_error <= s_axis_tvalid & !sound;
        if (rst) destination_error <= 1'b0;
    end

endmodule

`default_nettype wire
