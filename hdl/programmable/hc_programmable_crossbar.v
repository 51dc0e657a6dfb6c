// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_programmable_crossbar: puts the messages of all inputs of a programmable router on
// its link outputs.
//
//   local input --+
//                 +--> group 1..r --------------------------------+ offer to the ports
//   lower         |    (tree arbiter)                             | of the dimension
//   dimensions    |                                               v
//   link input ---+--> ring arbiter --> gather --------------> output port --> link
//     continue, transfer    ^    (link to its ring port)          |
//                           |                                     |
//                           +-------------- scatter <-------------+
//                                  (ring port to its links: free, group still open)
//
// `ports`, as hc_weight_engine makes it, tells which ports a dimension has, which of them are
// entered with which weight, and which are ring ports. hc_ring_masks makes of it which links
// belong to which ring port.
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
    input  wire [DEGREE*(2*WC_BITS+3+WD_BITS)-1:0]       ports,
    input  wire [DIMENSIONS-1:0]                         local_ask,
    output wire [DIMENSIONS-1:0]                         local_made,
    input  wire [BODY_BITS-1:0]                          local_body,
    input  wire [DEGREE-1:0]                             accept,     // the message of the link input is well formed
    input  wire [DIMENSIONS*DEGREE-1:0]                  group_ask,  // it asks for a dimension, 1 lowest
    output wire [DIMENSIONS*DEGREE-1:0]                  group_made,
    input  wire [DEGREE-1:0]                             transfer_ask, // to go on, of a shorter distance
    output wire [DEGREE-1:0]                             transfer_made,
    input  wire [DEGREE-1:0]                             continue_ask, // of distance rho
    output wire [DEGREE-1:0]                             continue_made,
    input  wire [DEGREE*(WC_BITS+BODY_BITS)-1:0]         words,      // of a continuation: {wc, source id and payload}
    output wire [DEGREE-1:0]                             m_axis_tvalid,
    input  wire [DEGREE-1:0]                             m_axis_tready,
    output wire [DEGREE*(WD_BITS+WC_BITS+BODY_BITS)-1:0] m_axis_tdata
);

    localparam LINK_BITS  = WD_BITS + WC_BITS + BODY_BITS;
    localparam WORD_BITS  = WC_BITS + BODY_BITS;
    localparam GOING_BITS = WORD_BITS + 1;  // {accept, word}
    localparam PORT_BITS  = 2 * WC_BITS + 3 + WD_BITS;
    localparam OFFER_BITS = BODY_BITS + 3;  // {ask, accept, completed, body}
    localparam STEPS      = LONGEST > 1 ? $clog2(LONGEST) : 1;

    // What the machine makes of the ports.
    wire [DEGREE-1:0]        first;   // distance 1
    wire [DEGREE-1:0]        behind;  // counterclockwise
    wire [DEGREE-1:0]        far;     // distance rho
    wire [2*DEGREE-1:0]      number;  // of the dimension, modulo 4
    wire [STEPS*DEGREE-1:0]  joined;
    wire [DEGREE*DEGREE-1:0] onward;

    hc_ring_masks #(.PORTS(DEGREE), .LONGEST(LONGEST), .STEPS(STEPS)) masks (
        .clk(clk), .first(first), .behind(behind), .farthest(far), .number(number), .joined(joined),
        .onward(onward)
    );

    // Groups.
    wire [4*OFFER_BITS-1:0]     offers;       // of each dimension, modulo 4
    wire [DEGREE-1:0]           group_asks;   // of the dimension of the port
    wire [DEGREE-1:0]           group_accept;
    wire [DEGREE-1:0]           group_open;   // the port has not taken the message of its group
    wire [DEGREE-1:0]           group_waits;  // it, or the ring port of the link, does not in this cycle
    wire [DEGREE*BODY_BITS-1:0] bodies;

    genvar p, j;
    generate
        for (j = 0; j < 4; j = j + 1) begin : dimension
            localparam integer NUMBER = (j + 3) % 4;  // less 1
            if (NUMBER < DIMENSIONS) begin : there
                wire [DEGREE-1:0]    own;
                wire                 asks;
                wire                 accepts;
                wire                 completed;
                wire [BODY_BITS-1:0] body;
                for (p = 0; p < DEGREE; p = p + 1) begin : at
                    assign own[p] = number[p*2+:2] == j[1:0];
                end
                // Ports of higher dimensions come after one of each lower one at least.
                hc_programmable_group #(
                    .DEGREE   (DEGREE),
                    .LINKS    (NUMBER + 1 < DIMENSIONS && NUMBER + 1 < DEGREE ? DEGREE - NUMBER - 1 : 0),
                    .BODY_BITS(BODY_BITS)
                ) group (
                    .clk            (clk),
                    .rst            (rst),
                    .local_ask      (local_ask[NUMBER]),
                    .local_made     (local_made[NUMBER]),
                    .local_body     (local_body),
                    .link_ask       (group_ask[NUMBER*DEGREE+:DEGREE]),
                    .link_accept    (accept),
                    .link_made      (group_made[NUMBER*DEGREE+:DEGREE]),
                    .link_bodies    (bodies),
                    .offer          (asks),
                    .offer_accept   (accepts),
                    .offer_completed(completed),
                    .offer_body     (body),
                    .waits          (group_waits & own)
                );
                assign offers[j*OFFER_BITS+:OFFER_BITS] = {asks, accepts, completed, body};
            end else begin : none
                assign offers[j*OFFER_BITS+:OFFER_BITS] = {OFFER_BITS{1'b0}};
            end
        end
    endgenerate

    // Rings. at_ring_* is what holds at the ring port of a link, here_* at a ring port.
    wire [DEGREE-1:0]            free;
    wire [DEGREE-1:0]            at_ring_free;
    wire [DEGREE-1:0]            at_ring_open;
    wire [DEGREE-1:0]            going;
    wire [DEGREE*GOING_BITS-1:0] going_words;  // of those going, else 0
    wire [DEGREE*GOING_BITS-1:0] here_words;
    wire [DEGREE-1:0]            blocks;
    wire [DEGREE-1:0]            here_blocked;

    assign continue_made = at_ring_free;

    hc_ring_scatter #(.PORTS(DEGREE)) scatter_free (
        .joined(joined[DEGREE-1:0]), .onward(onward), .values(free), .scattered(at_ring_free)
    );
    hc_ring_scatter #(.PORTS(DEGREE)) scatter_open (
        .joined(joined[DEGREE-1:0]), .onward(onward), .values(group_open), .scattered(at_ring_open)
    );
    hc_ring_arbiter #(.PORTS(DEGREE), .LONGEST(LONGEST), .STEPS(STEPS)) arbiter (
        .clk         (clk),
        .rst         (rst),
        .joined      (joined),
        .continues   (continue_ask),
        .transfers   (transfer_ask & ({DEGREE{1'b1}} >> 1)),  // the last port has distance rho
        .accept      (accept),
        .free        (at_ring_free),
        .group_ask   (at_ring_open & group_asks),
        .group_accept(group_accept),
        .going       (going),
        .blocks      (blocks),
        .made        (transfer_made)
    );
    hc_ring_gather #(.PORTS(DEGREE), .LONGEST(LONGEST), .WIDTH(1)) gather_blocked (
        .joined(joined[DEGREE-1:0]), .onward(onward), .words(blocks), .gathered(here_blocked)
    );
    hc_ring_gather #(.PORTS(DEGREE), .LONGEST(LONGEST), .WIDTH(GOING_BITS)) gather_words (
        .joined(joined[DEGREE-1:0]), .onward(onward), .words(going_words), .gathered(here_words)
    );

    // Ports.
    generate
        for (p = 0; p < DEGREE; p = p + 1) begin : port
            wire [WD_BITS-1:0] wd     = ports[p*PORT_BITS+:WD_BITS];
            wire [WC_BITS-1:0] weight = ports[p*PORT_BITS+WD_BITS+3+:WC_BITS];
            reg                entered_q;

            always @(posedge clk) entered_q <= |weight;
            assign behind[p] = ports[p*PORT_BITS+WD_BITS];
            assign first[p]  = ports[p*PORT_BITS+WD_BITS+1];
            assign far[p]    = ports[p*PORT_BITS+WD_BITS+2];
            if (WD_BITS > 1) begin : many
                // The first port is of dimension 1, the second of 1 or 2, if they are there.
                assign number[2*p+:2] = p == 0 ? 2'd1 : p == 1 ? {!wd[0], wd[0]} : wd[1:0];
            end else begin : one
                assign number[2*p+:2] = {1'b0, wd};
            end

            // What the group of the dimension offers.
            wire [OFFER_BITS-1:0] offer = offers[number[2*p+:2]*OFFER_BITS+:OFFER_BITS];
            wire                  group_completed;
            wire [BODY_BITS-1:0]  group_body;
            assign {group_asks[p], group_accept[p], group_completed, group_body} = offer;

            // A link whose message comes before the group holds the group back at once, not by way
            // of its ring port.
            assign group_waits[p] = (group_open[p] & !free[p]) | (at_ring_open[p] & blocks[p]);
            assign bodies[p*BODY_BITS+:BODY_BITS] = words[p*WORD_BITS+:BODY_BITS];
            assign going_words[p*GOING_BITS+:GOING_BITS] =
                {accept[p], words[p*WORD_BITS+:WORD_BITS]} & {GOING_BITS{going[p]}};

            assign m_axis_tdata[p*LINK_BITS+WORD_BITS+:WD_BITS] = wd;
            hc_programmable_port #(
                .WC_BITS  (WC_BITS),
                .BODY_BITS(BODY_BITS)
            ) out (
                .clk            (clk),
                .rst            (rst),
                .entered        (entered_q),
                .group_ask      (group_asks[p]),
                .group_accept   (group_accept[p]),
                .group_completed(group_completed),
                .group_weight   (weight),
                .group_body     (group_body),
                .blocked        (here_blocked[p]),
                .link_accept    (here_words[p*GOING_BITS+WORD_BITS]),
                .link_word      (here_words[p*GOING_BITS+:WORD_BITS]),
                .group_open_q   (group_open[p]),
                .free           (free[p]),
                .m_axis_tvalid  (m_axis_tvalid[p]),
                .m_axis_tready  (m_axis_tready[p]),
                .m_axis_tdata   (m_axis_tdata[p*LINK_BITS+:WORD_BITS])
            );
        end
    endgenerate

endmodule

`default_nettype wire
