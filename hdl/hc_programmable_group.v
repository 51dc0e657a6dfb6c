// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_programmable_group: hc_group for a dimension whose ports are known only at run time.
//
// A port belongs to one dimension, so the bit that says that it has taken the message
// stands at the port, once for all groups; to the group all its ports are one, which
// takes the message when the last of them does.
//
// Latency: none. Backpressure and freedom from deadlock: those of hc_group.

`default_nettype none

module hc_programmable_group #(
    parameter integer DEGREE    = 16,  // ports of the router, 1 or more
    parameter integer LINKS     = 15,  // the last so many links may enter, less than DEGREE
    parameter integer BODY_BITS = 8    // bits of source id and payload
) (
    input  wire                        clk,
    input  wire                        rst,
    input  wire                        local_ask,
    output wire                        local_made,
    input  wire [BODY_BITS-1:0]        local_body,
    input  wire [DEGREE-1:0]           link_ask,
    input  wire [DEGREE-1:0]           link_accept,
    output wire [DEGREE-1:0]           link_made,
    input  wire [DEGREE*BODY_BITS-1:0] link_bodies,
    output wire                        offer,
    output wire                        offer_accept,
    output wire                        offer_completed,  // it is accepted, and the last port takes it in this cycle
    output wire [BODY_BITS-1:0]        offer_body,
    input  wire [DEGREE-1:0]           waits  // the port is of this dimension and has not taken the message, nor takes it now
);

    // The local input and the links, lowest first.
    wire [DEGREE:0]                 asks    = {link_ask >> (DEGREE - LINKS), local_ask};
    wire [DEGREE:0]                 accepts = {link_accept >> (DEGREE - LINKS), 1'b1};
    wire [(DEGREE+1)*BODY_BITS-1:0] bodies  = {link_bodies >> (DEGREE - LINKS) * BODY_BITS, local_body};
    wire [LINKS:0]                  source_made;
    wire [DEGREE:0]                   made    = {{DEGREE - LINKS{1'b0}}, source_made};
    wire                            room    = ~|waits;
    wire                            unused  = &{1'b0, asks, accepts, bodies};  // those of links that may not enter

    assign local_made      = made[0];
    assign link_made       = made[DEGREE:1] << (DEGREE - LINKS);
    assign offer_completed = offer_accept & room;

    hc_group #(
        .SOURCES(LINKS + 1),
        .PORTS  (1),
        .WIDTH  (BODY_BITS)
    ) group (
        .clk         (clk),
        .rst         (rst),
        .ask         (asks[LINKS:0]),
        .accept      (accepts[LINKS:0]),
        .bodies      (bodies[(LINKS+1)*BODY_BITS-1:0]),
        .made        (source_made),
        .offer       (offer),
        .offer_accept(offer_accept),
        .offer_body  (offer_body),
        .room        (room)
    );

endmodule

`default_nettype wire
