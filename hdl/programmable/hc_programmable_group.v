// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_programmable_group: hc_group for a dimension whose ports are known only at run time.
//
// A port belongs to one dimension. So the bit that records that it has taken the message is at the
// port, and serves all groups. The group only sees whether a port still waits.
//
// Latency: none. Backpressure and freedom from deadlock: as in hc_group.

`default_nettype none

module hc_programmable_group #(
    parameter integer DEGREE    = 16,  // number of ports of the router, 1 or more
    parameter integer LINKS     = 15,  // link inputs whose messages may enter: the highest numbers; less than DEGREE
    parameter integer BODY_BITS = 8    // bits of source id and payload
) (
    input  wire                        clk,
    input  wire                        rst,
    input  wire                        local_ask,        // the message of the node requests to enter
    output wire                        local_made,       // the last port takes that message in this cycle
    input  wire [BODY_BITS-1:0]        local_body,
    input  wire [DEGREE-1:0]           link_ask,         // the message of the link input requests to enter
    input  wire [DEGREE-1:0]           link_accept,      // that message is well formed
    output wire [DEGREE-1:0]           link_made,        // the last port takes that message now, if it is well formed
    input  wire [DEGREE*BODY_BITS-1:0] link_bodies,
    output wire                        offer,            // a message is offered to the ports
    output wire                        offer_accept,     // the offered message is well formed
    output wire                        offer_completed,  // that message is well formed, and the last port takes it now
    output wire [BODY_BITS-1:0]        offer_body,
    input  wire [DEGREE-1:0]           waits             // a port of this dimension has not taken it after this cycle
);

    // The local input and the links, lowest first.
    wire [DEGREE:0]                 asks    = {link_ask >> (DEGREE - LINKS), local_ask};
    wire [DEGREE:0]                 accepts = {link_accept >> (DEGREE - LINKS), 1'b1};
    wire [(DEGREE+1)*BODY_BITS-1:0] bodies  = {link_bodies >> (DEGREE - LINKS) * BODY_BITS, local_body};
    // accept travels with its word through the arbiter, which is faster than selecting it afterwards.
    wire [(LINKS+1)*(BODY_BITS+1)-1:0] words;
    wire                               accepted;
    // Not gated with accept: see hc_group.
    wire [LINKS:0]                  select;
    wire                            room    = ~|waits;
    wire [DEGREE:0]                 made    = {{DEGREE - LINKS{1'b0}}, select & {LINKS + 1{room}}};
    wire                            unused  = &{1'b0, asks, accepts, bodies};  // inputs of links that may not enter

    assign local_made      = made[0];
    assign link_made       = made[DEGREE:1] << (DEGREE - LINKS);
    assign offer           = |asks[LINKS:0];
    assign offer_accept    = offer & accepted;
    assign offer_completed = offer_accept & room;

    genvar i;
    generate
        for (i = 0; i <= LINKS; i = i + 1) begin : entrant
            assign words[i*(BODY_BITS+1)+:BODY_BITS+1] = {accepts[i], bodies[i*BODY_BITS+:BODY_BITS]};
        end
    endgenerate

    hc_tree_arbiter #(
        .REQUESTERS(LINKS + 1),
        .ALONE     (1),
        .LOWEST    (DEGREE - LINKS),
        .WIDTH     (BODY_BITS + 1)
    ) arbiter (
        .clk      (clk),
        .rst      (rst),
        .request  (asks[LINKS:0]),
        .completed(offer_completed),
        .words    (words),
        .select   (select),
        .word     ({accepted, offer_body})
    );

endmodule

`default_nettype wire
