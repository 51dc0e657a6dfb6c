// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_destination_group: the way into a dimension of messages with destinations. Selects one of
// the messages that enter it and offers it to the ports that its field selects.
//
// An hc_group that has all ports of the dimension: one that the message does not enter
// counts as one with room. Latency, backpressure and freedom from deadlock: those of hc_group.

`default_nettype none

module hc_destination_group #(
    parameter integer             SOURCES = 1,  // messages that may enter, the local one first, 1 or more
    parameter integer             LOWEST  = 0,  // the port of the first link among them
    parameter integer             RHO     = 1,  // of the dimension, 1 or more
    parameter integer             PORTS   = 2,  // of the dimension: 2 RHO, or 2 RHO - 1 if m = 2 RHO
    parameter integer             LARGEST = 1,  // largest weight, D of the dimension
    parameter integer             WC_BITS = 1,  // bits of a weight
    parameter [PORTS*WC_BITS-1:0] WEIGHTS = {PORTS * WC_BITS{1'b1}},  // of broadcasts, by port; 0: they do not enter it
    parameter integer             X_BITS  = 1,  // bits of x in the field: those of floor(m / 2)
    parameter integer             WIDTH   = 8   // bits of a body without the field: the fields of lower dimensions and the rest
) (
    input  wire                              clk,
    input  wire                              rst,
    input  wire [SOURCES-1:0]                ask,
    input  wire [SOURCES-1:0]                accept,  // the header of the source is well formed
    input  wire [SOURCES*(X_BITS+1+WIDTH)-1:0] bodies,  // each begins with the field
    output wire [SOURCES-1:0]                made,    // the message of this source has entered
    output wire [PORTS-1:0]                  offer,   // the port is asked to take the message
    output wire                              offer_accept,
    output wire [PORTS*WC_BITS-1:0]          offer_weights,  // by port
    output wire                              offer_spread,
    output wire [WIDTH-1:0]                  offer_body,
    input  wire [PORTS-1:0]                  room     // the port takes what it is offered in this cycle
);

    wire [X_BITS:0]  field;
    wire [PORTS-1:0] ports;   // that the message enters
    wire [PORTS-1:0] offers;  // if it entered all

    hc_group #(
        .SOURCES(SOURCES),
        .LOWEST (LOWEST),
        .PORTS  (PORTS),
        .WIDTH  (X_BITS + 1 + WIDTH)
    ) group (
        .clk         (clk),
        .rst         (rst),
        .ask         (ask),
        .accept      (accept),
        .bodies      (bodies),
        .made        (made),
        .offer       (offers),
        .offer_accept(offer_accept),
        .offer_body  ({field, offer_body}),
        .room        (room | ~ports)
    );

    hc_entry #(
        .RHO    (RHO),
        .LARGEST(LARGEST),
        .X_BITS (X_BITS),
        .PORTS  (PORTS),
        .WC_BITS(WC_BITS),
        .WEIGHTS(WEIGHTS)
    ) entry (
        .field  (field),
        .ports  (ports),
        .weights(offer_weights),
        .spread (offer_spread)
    );

    assign offer = offers & ports;

endmodule

`default_nettype wire
