// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_destination_link: receives the messages of one link, which have destinations, and copies each
// message to its targets.
//
// It is an hc_link_input whose messages may need only some of the targets: a copy to any other
// target counts as made in the first cycle. A message spreads, that is, continues in lower
// dimensions and is delivered, if its header bit `spread` is set or this is its last node in the
// dimension. The fields of lower dimensions then select the groups, and whether the message is
// delivered here.
//
// Latency, backpressure and freedom from deadlock: as in hc_link_input. A message with a
// distance above FARTHEST is malformed, too.

`default_nettype none

module hc_destination_link #(
    parameter integer               WD_BITS      = 1,  // bits of wd, the dimension in a header, 1 or more
    parameter integer               WC_BITS      = 1,  // bits of wc, the weight in a header, 1 or more
    parameter         [WD_BITS-1:0] DIMENSION    = 1,  // dimension of the link, 1 or more
    parameter         [WC_BITS-1:0] LARGEST      = 1,  // largest legal wc: D of the dimension, 1 or more
    parameter integer               CONTINUES    = 0,  // 1 if messages can continue (D >= 2), else 0
    parameter integer               TARGETS      = 1,  // number of targets: 1 + number of lower dimensions + CONTINUES
    parameter integer               ROUTE_BITS   = 0,  // bits of the fields of all lower dimensions
    parameter     [16*TARGETS-1:0]  FARTHEST     = 0,  // floor(m / 2) of each lower dimension, format of hc_spread
    parameter integer               CARRIED_BITS = 8,  // bits of spread, route, source id and payload
    parameter integer               SLOTS        = 1,  // messages in the FIFO, 1 or more
    parameter integer               BYPASS       = 1   // 1 if messages pass an empty FIFO, else 0
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire                    s_axis_tvalid,
    output wire                    s_axis_tready,
    input  wire [WD_BITS-1:0]      wd,            // dimension of the message on the link
    input  wire [WC_BITS-1:0]      wc,            // weight of the message on the link
    input  wire [CARRIED_BITS-1:0] body,          // rest of the message on the link; begins with spread and route
    output wire [WC_BITS-1:0]      head_next_wc,  // weight of the continuation of the head
    output wire [CARRIED_BITS-1:0] head_body,     // body of the head
    output wire                    valid,         // the head is well formed
    output wire [TARGETS-1:0]      request,       // bit 0: delivery; i: group of dimension i; last: continuation
    input  wire [TARGETS-1:0]      grant,         // the target takes this copy in this cycle, if it is requested
    output wire                    header_error   // high in the cycle after a malformed message was dropped
);

    localparam integer SPREADS = TARGETS - CONTINUES;  // delivery and groups
    // Every message is the head for at least one cycle while it is on the link.
    localparam integer EARLY   = SLOTS == 1 && BYPASS != 0 ? 1 : 0;

    wire                    routable;     // no distance on the link is above FARTHEST
    wire [TARGETS-1:0]      wanted;       // the head has this target
    wire [TARGETS-1:0]      copies;       // copies left to make if every target were wanted
    wire [CARRIED_BITS-1:0] decoded = EARLY != 0 ? body : head_body;
    wire                    head_at_end;  // the head is at its last node in this dimension, or its wc is 0
    wire                    link_at_end;  // the same for the message on the link
    wire                    spreads = decoded[CARRIED_BITS-1] | head_at_end;

    hc_link_input #(
        .WD_BITS  (WD_BITS),
        .WC_BITS  (WC_BITS),
        .DIMENSION(DIMENSION),
        .LARGEST  (LARGEST),
        .CONTINUES(CONTINUES),
        .TARGETS  (TARGETS),
        .BODY_BITS(CARRIED_BITS),
        .SLOTS    (SLOTS),
        .BYPASS   (BYPASS)
    ) queue (
        .clk          (clk),
        .rst          (rst),
        .s_axis_tvalid(s_axis_tvalid),
        .s_axis_tready(s_axis_tready),
        .wd           (wd & {WD_BITS{routable}}),
        .wc           (wc),
        .body         (body),
        .head_next_wc (head_next_wc),
        .head_body    (head_body),
        .valid        (valid),
        .request      (copies),
        .grant        (grant | ~wanted),
        .header_error (header_error)
    );

    assign request = copies & wanted;

    wire [SPREADS-1:0] targets;  // targets of a message that spreads
    wire [SPREADS-1:0] goes = targets & {SPREADS{spreads}};

    generate
        if (WC_BITS == 1) begin : one_step
            assign link_at_end = 1'b1;
        end else begin : steps
            assign link_at_end = ~|wc[WC_BITS-1:1];
        end

        if (SPREADS == 1) begin : lowest
            assign targets  = 1'b1;
            assign routable = 1'b1;
        end else begin : higher
            wire [SPREADS-1:1] unused_all;
            wire               legal;

            hc_spread #(
                .DIMENSIONS (SPREADS - 1),
                .FARTHEST   (FARTHEST[16*(SPREADS-1)-1:0]),
                .FIELDS_BITS(ROUTE_BITS)
            ) spread (
                .fields (decoded[CARRIED_BITS-2-:ROUTE_BITS]),
                .targets(targets),
                .all    (unused_all),
                .legal  (legal)
            );
            if (EARLY != 0) begin : same
                assign routable = legal;
            end else begin : link
                wire               unused_head = legal;
                wire [SPREADS-1:0] unused_targets;
                wire [SPREADS-1:1] unused_link_all;
                hc_spread #(
                    .DIMENSIONS (SPREADS - 1),
                    .FARTHEST   (FARTHEST[16*(SPREADS-1)-1:0]),
                    .FIELDS_BITS(ROUTE_BITS)
                ) check (
                    .fields (body[CARRIED_BITS-2-:ROUTE_BITS]),
                    .targets(unused_targets),
                    .all    (unused_link_all),
                    .legal  (routable)
                );
            end
        end

        if (EARLY != 0) begin : of_link
            // A waiting message has dropped its unwanted copies in its first cycle.
            wire waits = !s_axis_tready;
            assign head_at_end = link_at_end;
            if (CONTINUES != 0) begin : continues
                assign wanted = {1'b1, goes | {SPREADS{waits}}};
            end else begin : stops
                assign wanted = goes | {SPREADS{waits}};
            end
        end else if (CONTINUES != 0) begin : of_head
            wire unused_end = link_at_end;
            assign head_at_end = ~|head_next_wc | &head_next_wc;
            assign wanted      = {1'b1, goes};
        end else begin : of_last
            // Only a malformed message, which is on the link, can have a wc other than 1.
            assign head_at_end = valid | link_at_end;
            assign wanted      = goes;
        end
    endgenerate

endmodule

`default_nettype wire
