// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_programmable_crossbar: puts the messages of all inputs of a programmable router on
// its link outputs: the way into each dimension, the rings and the output ports.
//
// Which ports a dimension has, which of them are entered with which weight, and which
// are ring ports, is told by `ports` as hc_weight_engine makes it.
//
// Latency: one cycle. Freedom from deadlock: order of dimensions and bubble rule.

`default_nettype none

module hc_programmable_crossbar #(
    parameter integer DIMENSIONS = 4,   // most dimensions, 1 to 4
    parameter integer DEGREE     = 16,  // ports, 1 to 16
    parameter integer LONGEST    = 6,   // largest rho with D of 2 or more, 1 or more
    parameter integer WD_BITS    = 3,   // bits of wd
    parameter integer WC_BITS    = 3,   // bits of wc
    parameter integer BODY_BITS  = 8    // bits of source id and payload
) (
    input  wire                                          clk,
    input  wire                                          rst,
    input  wire [DEGREE*(3*WC_BITS+3+WD_BITS)-1:0]       ports,
    input  wire [DIMENSIONS-1:0]                         local_ask,
    output wire [DIMENSIONS-1:0]                         local_made,
    input  wire [BODY_BITS-1:0]                          local_body,
    input  wire [DEGREE-1:0]                             accept,     // the header on the link is well formed
    input  wire [DIMENSIONS*DEGREE-1:0]                  group_ask,  // the link asks for a dimension, 1 lowest
    output wire [DIMENSIONS*DEGREE-1:0]                  group_made,
    input  wire [DEGREE-1:0]                             continue_ask,
    output wire [DEGREE-1:0]                             continue_made,
    input  wire [DEGREE*(WC_BITS+BODY_BITS)-1:0]         words,      // of a continuation: {wc, source id and payload}
    output wire [DEGREE-1:0]                             m_axis_tvalid,
    input  wire [DEGREE-1:0]                             m_axis_tready,
    output wire [DEGREE*(WD_BITS+WC_BITS+BODY_BITS)-1:0] m_axis_tdata
);

    localparam LINK_BITS = WD_BITS + WC_BITS + BODY_BITS;
    localparam WORD_BITS = WC_BITS + BODY_BITS;
    localparam PORT_BITS = 3 * WC_BITS + 3 + WD_BITS;
    localparam SPAN      = LONGEST > 2 ? LONGEST - 2 : 0;  // between links that transfer onto one ring port

    localparam [WC_BITS-1:0] ONE = {{WC_BITS - 1{1'b0}}, 1'b1};

    // What the machine makes of the ports.
    wire [DEGREE-1:0]            first;    // distance 1
    wire [DEGREE-1:0]            behind;   // counterclockwise
    wire [DEGREE-1:0]            far;      // distance rho
    wire [DEGREE-1:0]            ring;     // a ring port
    wire [DEGREE-1:0]            entered;  // on entering the weight is not 0
    wire [DEGREE*WC_BITS-1:0]    rho;
    wire [DEGREE*DIMENSIONS-1:0] member;   // of this dimension, 1 lowest

    // Groups, and what the one of a port's dimension offers.
    wire [DIMENSIONS*DEGREE-1:0]    offers;
    wire [DIMENSIONS-1:0]           offer_accepts;
    wire [DIMENSIONS*BODY_BITS-1:0] offer_bodies;
    wire [DEGREE-1:0]               offer;
    wire [DEGREE-1:0]               offer_accept;
    wire [DEGREE*BODY_BITS-1:0]     offer_body;
    wire [DEGREE-1:0]               group_asks = offer & entered;
    wire [DEGREE-1:0]               group_room;
    wire [DEGREE*BODY_BITS-1:0]     bodies;
    wire                            unused = &{1'b0, bodies};  // with one dimension nobody enters from a link

    genvar p, j;
    generate
        for (j = 0; j < DIMENSIONS; j = j + 1) begin : dimension
            // Ports of higher dimensions come after one of each lower one at least.
            localparam integer LINKS = j + 1 < DIMENSIONS && j + 1 < DEGREE ? DEGREE - j - 1 : 0;
            wire [DEGREE-1:0] own;
            wire [DEGREE-1:0] room = group_room | ~(own & entered);
            wire [DEGREE-1:0] unused_ask = group_ask[j*DEGREE+:DEGREE];
            for (p = 0; p < DEGREE; p = p + 1) begin : at
                assign own[p] = member[p*DIMENSIONS+j];
            end
            if (LINKS > 0) begin : from_links
                wire [DEGREE-1:0] made;
                assign group_made[j*DEGREE+:DEGREE] = made;
                assign made[j:0] = {j + 1{1'b0}};
                hc_group #(
                    .SOURCES(LINKS + 1),
                    .PORTS  (DEGREE),
                    .WIDTH  (BODY_BITS)
                ) group (
                    .clk         (clk),
                    .rst         (rst),
                    .ask         ({group_ask[j*DEGREE+j+1+:LINKS], local_ask[j]}),
                    .accept      ({accept[j+1+:LINKS], 1'b1}),
                    .bodies      ({bodies[(j+1)*BODY_BITS+:LINKS*BODY_BITS], local_body}),
                    .made        ({made[j+1+:LINKS], local_made[j]}),
                    .offer       (offers[j*DEGREE+:DEGREE]),
                    .offer_accept(offer_accepts[j]),
                    .offer_body  (offer_bodies[j*BODY_BITS+:BODY_BITS]),
                    .room        (room)
                );
            end else begin : from_node
                assign group_made[j*DEGREE+:DEGREE] = {DEGREE{1'b0}};
                hc_group #(
                    .SOURCES(1),
                    .PORTS  (DEGREE),
                    .WIDTH  (BODY_BITS)
                ) group (
                    .clk         (clk),
                    .rst         (rst),
                    .ask         (local_ask[j]),
                    .accept      (1'b1),
                    .bodies      (local_body),
                    .made        (local_made[j]),
                    .offer       (offers[j*DEGREE+:DEGREE]),
                    .offer_accept(offer_accepts[j]),
                    .offer_body  (offer_bodies[j*BODY_BITS+:BODY_BITS]),
                    .room        (room)
                );
            end
        end
    endgenerate

    // Rings. A message of distance rho continues, the others transfer; at_ring_* is what
    // holds at the ring port on which a link's message goes on.
    wire [DEGREE-1:0] continues = continue_ask & far;
    wire [DEGREE-1:0] transfers = continue_ask & ~far;
    wire [DEGREE-1:0] room_one;
    wire [DEGREE-1:0] room_two;
    wire [DEGREE-1:0] at_ring_one;
    wire [DEGREE-1:0] at_ring_two;
    wire [DEGREE-1:0] at_ring_group;
    wire [DEGREE-1:0] at_ring_continues;
    wire [DEGREE-1:0] enter_room = at_ring_two & ~at_ring_continues;
    wire [DEGREE-1:0] transfer_select;
    wire [DEGREE-1:0] ahead;          // a transfer that asks and stands ahead of the group
    wire [DEGREE-1:0] here_continues;
    wire [DEGREE-1:0] here_ahead;
    wire [DEGREE-1:0] goes = continues | transfer_select & ~at_ring_continues;
    wire [DEGREE-1:0] here_accept;
    wire [DEGREE*WORD_BITS-1:0] going;
    wire [DEGREE*WORD_BITS-1:0] here_word;
    wire [DEGREE-1:0] unused_ahead;
    wire [DEGREE-1:0] unused_accept;
    wire [DEGREE*WORD_BITS-1:0] unused_word;

    hc_ring_scatter #(.PORTS(DEGREE), .LONGEST(LONGEST), .RHO_BITS(WC_BITS), .WIDTH(1)) scatter_one (
        .first(first), .behind(behind), .rho(rho), .words(room_one & ring), .scattered(at_ring_one)
    );
    hc_ring_scatter #(.PORTS(DEGREE), .LONGEST(LONGEST), .RHO_BITS(WC_BITS), .WIDTH(1)) scatter_two (
        .first(first), .behind(behind), .rho(rho), .words(room_two & ring), .scattered(at_ring_two)
    );
    hc_ring_scatter #(.PORTS(DEGREE), .LONGEST(LONGEST), .RHO_BITS(WC_BITS), .WIDTH(1)) scatter_group (
        .first(first), .behind(behind), .rho(rho), .words(group_asks & ring), .scattered(at_ring_group)
    );
    hc_ring_gather #(.PORTS(DEGREE), .LONGEST(LONGEST), .RHO_BITS(WC_BITS), .WIDTH(1)) gather_continues (
        .first(first), .behind(behind), .ring(ring), .rho(rho), .words(continues),
        .collected(at_ring_continues), .gathered(here_continues)
    );
    hc_ring_gather #(.PORTS(DEGREE), .LONGEST(LONGEST), .RHO_BITS(WC_BITS), .WIDTH(1)) gather_ahead (
        .first(first), .behind(behind), .ring(ring), .rho(rho), .words(ahead),
        .collected(unused_ahead), .gathered(here_ahead)
    );
    hc_ring_gather #(.PORTS(DEGREE), .LONGEST(LONGEST), .RHO_BITS(WC_BITS), .WIDTH(1)) gather_accept (
        .first(first), .behind(behind), .ring(ring), .rho(rho), .words(goes & accept),
        .collected(unused_accept), .gathered(here_accept)
    );
    hc_ring_gather #(.PORTS(DEGREE), .LONGEST(LONGEST), .RHO_BITS(WC_BITS), .WIDTH(WORD_BITS)) gather_word (
        .first(first), .behind(behind), .ring(ring), .rho(rho), .words(going),
        .collected(unused_word), .gathered(here_word)
    );

    hc_ring_arbiter #(
        .PORTS(DEGREE),
        .SPAN (SPAN)
    ) arbiter (
        .clk            (clk),
        .rst            (rst),
        .first          (first),
        .request        (transfers),
        .completed      (enter_room & accept),
        .group_request  (at_ring_group),
        .group_completed(enter_room & offer_accept),
        .select         (transfer_select),
        .group_beaten_by(ahead)
    );

    assign continue_made = continues & at_ring_one | transfer_select & enter_room;
    assign group_room    = room_two & ~here_continues & ~here_ahead;

    // Ports.
    generate
        for (p = 0; p < DEGREE; p = p + 1) begin : port
            wire [WD_BITS-1:0] wd      = ports[p*PORT_BITS+:WD_BITS];
            wire [WC_BITS-1:0] weight  = ports[p*PORT_BITS+WD_BITS+3+:WC_BITS];
            wire [WC_BITS-1:0] largest = ports[p*PORT_BITS+WD_BITS+3+WC_BITS+:WC_BITS];

            assign behind[p]  = ports[p*PORT_BITS+WD_BITS];
            assign first[p]   = ports[p*PORT_BITS+WD_BITS+1];
            assign far[p]     = ports[p*PORT_BITS+WD_BITS+2];
            assign ring[p]    = far[p] & largest != ONE;
            assign entered[p] = |weight;
            assign rho[p*WC_BITS+:WC_BITS]      = ports[p*PORT_BITS+WD_BITS+3+2*WC_BITS+:WC_BITS];
            assign bodies[p*BODY_BITS+:BODY_BITS] = words[p*WORD_BITS+:BODY_BITS];
            assign going[p*WORD_BITS+:WORD_BITS] = words[p*WORD_BITS+:WORD_BITS] & {WORD_BITS{goes[p]}};

            // What the group of the dimension offers, by number less 1.
            wire [4*(BODY_BITS+2)-1:0] offered;
            wire [2:0]                 number = {{3 - WD_BITS{1'b0}}, wd} - 3'd1;
            wire                       unused_number = &{1'b0, number[2]};
            wire [2*(BODY_BITS+2)-1:0] pair   = number[1] ? offered[2*(BODY_BITS+2)+:2*(BODY_BITS+2)]
                                                          : offered[0+:2*(BODY_BITS+2)];
            for (j = 0; j < 4; j = j + 1) begin : of
                if (j < DIMENSIONS) begin : some
                    localparam [WD_BITS-1:0] NUMBER = j + 1;
                    assign member[p*DIMENSIONS+j] = wd == NUMBER;
                    assign offered[j*(BODY_BITS+2)+:BODY_BITS+2] =
                        {offers[j*DEGREE+p], offer_accepts[j], offer_bodies[j*BODY_BITS+:BODY_BITS]};
                end else begin : none
                    assign offered[j*(BODY_BITS+2)+:BODY_BITS+2] = {BODY_BITS + 2{1'b0}};
                end
            end
            assign {offer[p], offer_accept[p], offer_body[p*BODY_BITS+:BODY_BITS]} =
                number[0] ? pair[BODY_BITS+2+:BODY_BITS+2] : pair[0+:BODY_BITS+2];

            assign m_axis_tdata[p*LINK_BITS+WORD_BITS+:WD_BITS] = wd;
            hc_programmable_port #(
                .WIDTH(WORD_BITS)
            ) out (
                .clk          (clk),
                .rst          (rst),
                .continues    (here_continues[p]),
                .ring_accept  (here_accept[p]),
                .ring_word    (here_word[p*WORD_BITS+:WORD_BITS]),
                .group_select (group_asks[p] & !here_ahead[p]),
                .group_accept (offer_accept[p]),
                .group_word   ({weight, offer_body[p*BODY_BITS+:BODY_BITS]}),
                .room_one     (room_one[p]),
                .room_two     (room_two[p]),
                .m_axis_tvalid(m_axis_tvalid[p]),
                .m_axis_tready(m_axis_tready[p]),
                .m_axis_tdata (m_axis_tdata[p*LINK_BITS+:WORD_BITS])
            );
        end
    endgenerate

endmodule

`default_nettype wire
