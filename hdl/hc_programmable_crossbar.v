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
    input  wire [DEGREE*(2*WC_BITS+3+WD_BITS)-1:0]       ports,
    input  wire [DIMENSIONS-1:0]                         local_ask,
    output wire [DIMENSIONS-1:0]                         local_made,
    input  wire [BODY_BITS-1:0]                          local_body,
    input  wire [DEGREE-1:0]                             accept,     // the header on the link is well formed
    input  wire [DIMENSIONS*DEGREE-1:0]                  group_ask,  // the link asks for a dimension, 1 lowest
    output wire [DIMENSIONS*DEGREE-1:0]                  group_made,
    input  wire [DEGREE-1:0]                             transfer_ask, // to go on, of a shorter distance
    output wire [DEGREE-1:0]                             transfer_made,
    input  wire [DEGREE-1:0]                             continue_ask, // of distance rho
    output wire [DEGREE-1:0]                             continue_made,
    input  wire [DEGREE*(WC_BITS+BODY_BITS)-1:0]         words,      // of a continuation: {wc, source id and payload}
    output wire [DEGREE-1:0]                             m_axis_tvalid,
    input  wire [DEGREE-1:0]                             m_axis_tready,
    output wire [DEGREE*(WD_BITS+WC_BITS+BODY_BITS)-1:0] m_axis_tdata,
    output wire                                          empty
);

    localparam LINK_BITS = WD_BITS + WC_BITS + BODY_BITS;
    localparam WORD_BITS = WC_BITS + BODY_BITS;
    localparam PORT_BITS = 2 * WC_BITS + 3 + WD_BITS;
    localparam STEPS     = LONGEST > 1 ? $clog2(LONGEST) : 1;
    localparam SPAN      = LONGEST > 2 ? LONGEST - 2 : 0;  // between links that transfer onto one ring port

    // What the machine makes of the ports.
    wire [DEGREE-1:0]             first;   // distance 1
    wire [DEGREE-1:0]             behind;  // counterclockwise
    wire [DEGREE-1:0]             far;     // distance rho
    wire [STEPS*DEGREE-1:0]       joined;
    wire [DEGREE*DEGREE-1:0]      onward;
    wire [2*DEGREE-1:0]           number;  // of the dimension, modulo 4
    reg  [DEGREE-1:0]             entered_q; // with some weight

    // Groups, and what the one of a port's dimension offers: its low bits of wd tell it.
    wire [4*(BODY_BITS+3)-1:0]   offers;
    wire [DEGREE-1:0]            group_asks;
    wire [DEGREE-1:0]            group_accept;
    wire [DEGREE*BODY_BITS-1:0]  group_body;
    reg  [DEGREE-1:0]            group_open_q; // the port is entered and has not taken the message
    wire [DEGREE-1:0]            group_waits;  // nor takes it in this cycle, or the port that the link goes on at does not
    wire [DEGREE*BODY_BITS-1:0]  bodies;

    hc_ring_masks #(.PORTS(DEGREE), .LONGEST(LONGEST), .STEPS(STEPS)) masks (
        .clk(clk), .first(first), .behind(behind), .farthest(far), .number(number), .joined(joined),
        .onward(onward)
    );

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
                assign offers[j*(BODY_BITS+3)+:BODY_BITS+3] = {asks, accepts, completed, body};
            end else begin : none
                assign offers[j*(BODY_BITS+3)+:BODY_BITS+3] = {BODY_BITS + 3{1'b0}};
            end
        end
    endgenerate

    // Rings. A message of distance rho continues, the others transfer; at_ring_* is what
    // holds at the ring port on which a link's message goes on, here_* at a ring port.
    wire [DEGREE-1:0] transfers = transfer_ask & ({DEGREE{1'b1}} >> 1);  // the last port has distance rho
    wire [DEGREE-1:0] continue_full;
    wire [DEGREE-1:0] enter_full;
    wire [DEGREE-1:0] at_ring_continue_full;
    wire [DEGREE-1:0] at_ring_enter_full;
    wire [DEGREE-1:0] at_ring_open;
    wire [DEGREE-1:0] at_ring_continues;
    wire [DEGREE-1:0] transfer_winner;
    wire [DEGREE-1:0] transfer_select;
    wire [DEGREE-1:0] ahead;          // a transfer that asks and stands ahead of the group
    wire [DEGREE-1:0] here_continues;
    wire [DEGREE-1:0] here_ahead;
    wire [DEGREE-1:0] here_continue_accept;
    wire [DEGREE-1:0] here_transfer_accept;
    wire [DEGREE*WORD_BITS-1:0] going;
    wire [DEGREE*WORD_BITS-1:0] here_word;

    hc_ring_scatter #(.PORTS(DEGREE)) scatter_continue_full (
        .joined(joined[DEGREE-1:0]), .onward(onward), .values(continue_full), .scattered(at_ring_continue_full)
    );
    hc_ring_scatter #(.PORTS(DEGREE)) scatter_enter_full (
        .joined(joined[DEGREE-1:0]), .onward(onward), .values(enter_full), .scattered(at_ring_enter_full)
    );
    hc_ring_scatter #(.PORTS(DEGREE)) scatter_open (
        .joined(joined[DEGREE-1:0]), .onward(onward), .values(group_open_q), .scattered(at_ring_open)
    );
    hc_ring_collect #(.PORTS(DEGREE), .LONGEST(LONGEST), .STEPS(STEPS)) collect_continues (
        .joined(joined), .values(continue_ask), .collected(at_ring_continues)
    );
    hc_ring_gather #(.PORTS(DEGREE), .LONGEST(LONGEST), .WIDTH(1)) gather_continues (
        .joined(joined[DEGREE-1:0]), .onward(onward), .words(continue_ask), .gathered(here_continues)
    );
    hc_ring_gather #(.PORTS(DEGREE), .LONGEST(LONGEST), .WIDTH(1)) gather_ahead (
        .joined(joined[DEGREE-1:0]), .onward(onward), .words(ahead), .gathered(here_ahead)
    );
    hc_ring_gather #(.PORTS(DEGREE), .LONGEST(LONGEST), .WIDTH(1)) gather_continue_accept (
        .joined(joined[DEGREE-1:0]), .onward(onward), .words(continue_ask & accept),
        .gathered(here_continue_accept)
    );
    hc_ring_gather #(.PORTS(DEGREE), .LONGEST(LONGEST), .WIDTH(1)) gather_transfer_accept (
        .joined(joined[DEGREE-1:0]), .onward(onward), .words(transfer_winner & accept),
        .gathered(here_transfer_accept)
    );
    hc_ring_gather #(.PORTS(DEGREE), .LONGEST(LONGEST), .WIDTH(WORD_BITS)) gather_word (
        .joined(joined[DEGREE-1:0]), .onward(onward), .words(going), .gathered(here_word)
    );

    hc_ring_arbiter #(.PORTS(DEGREE), .SPAN(SPAN), .STEPS(STEPS)) arbiter (
        .clk(clk), .rst(rst), .joined(joined), .request(transfers),
        .completed(~at_ring_enter_full & accept), .group_request(at_ring_open & group_asks),
        .group_completed(~at_ring_enter_full & group_accept), .winner(transfer_winner),
        .select(transfer_select), .group_beaten_by(ahead)
    );

    // Ports. What enters may wait while the output slot is free, behind a malformed message.
    assign empty           = ~|m_axis_tvalid & ~|enter_full;
    generate
        for (p = 0; p < DEGREE; p = p + 1) begin : port
            wire [WD_BITS-1:0] wd      = ports[p*PORT_BITS+:WD_BITS];
            wire [WC_BITS-1:0] weight  = ports[p*PORT_BITS+WD_BITS+3+:WC_BITS];

            assign behind[p]                    = ports[p*PORT_BITS+WD_BITS];
            assign first[p]                     = ports[p*PORT_BITS+WD_BITS+1];
            assign far[p]                       = ports[p*PORT_BITS+WD_BITS+2];
            always @(posedge clk) entered_q[p] <= |weight;
            assign bodies[p*BODY_BITS+:BODY_BITS] = words[p*WORD_BITS+:BODY_BITS];
            if (WD_BITS > 1) begin : many
                // The first port is of dimension 1, the second of 1 or 2, if they are there.
                assign number[2*p+:2] = p == 0 ? 2'd1 : p == 1 ? {!wd[0], wd[0]} : wd[1:0];
            end else begin : one
                assign number[2*p+:2] = {1'b0, wd};
            end

            // What the group of the dimension offers. The port takes it once.
            // The low bit of the number goes through the first of two LUTs to the second.
            wire [BODY_BITS+2:0] low   = number[2*p+1] ? {BODY_BITS + 3{number[2*p]}}
                                       : number[2*p] ? offers[BODY_BITS+3+:BODY_BITS+3] : offers[0+:BODY_BITS+3];
            wire [BODY_BITS+2:0] offer = !number[2*p+1] ? low : low & offers[3*(BODY_BITS+3)+:BODY_BITS+3] |
                                                                ~low & offers[2*(BODY_BITS+3)+:BODY_BITS+3];
            wire group_completed;
            wire group_room = !enter_full[p] & !here_ahead[p];
            assign {group_asks[p], group_accept[p], group_completed, group_body[p*BODY_BITS+:BODY_BITS]} = offer;
            // A transfer ahead of the group is looked at where it comes from: it need not be
            // brought to its ring port to hold the group back.
            assign group_waits[p] = (group_open_q[p] & enter_full[p]) | (at_ring_open[p] & ahead[p]);
            always @(posedge clk)
                group_open_q[p] <= entered_q[p] & (rst | group_completed | group_open_q[p] & !(group_room & group_accept[p]));

            hc_ring_slot #(.WIDTH(WORD_BITS)) slot (
                .clk(clk), .farthest(far[p]), .continues(continue_ask[p]), .winner(transfer_winner[p]),
                .select(transfer_select[p]), .word(words[p*WORD_BITS+:WORD_BITS]),
                .first(at_ring_continue_full[p] | at_ring_continues[p]),
                .continue_full(at_ring_continue_full[p]), .enter_full(at_ring_enter_full[p]),
                .transfer_made(transfer_made[p]), .continue_made(continue_made[p]),
                .going(going[p*WORD_BITS+:WORD_BITS])
            );

            assign m_axis_tdata[p*LINK_BITS+WORD_BITS+:WD_BITS] = wd;
            hc_programmable_port #(
                .WC_BITS  (WC_BITS),
                .BODY_BITS(BODY_BITS)
            ) out (
                .clk             (clk),
                .rst             (rst),
                .continue_ask    (here_continues[p]),
                .continue_accept (here_continue_accept[p]),
                .transfer_accept (here_transfer_accept[p]),
                .ring_word       (here_word[p*WORD_BITS+:WORD_BITS]),
                .group_select    (group_asks[p] & group_open_q[p] & !here_ahead[p]),
                .group_accept    (group_accept[p]),
                .group_weight    (weight),
                .group_body      (group_body[p*BODY_BITS+:BODY_BITS]),
                .continue_full_q (continue_full[p]),
                .enter_full_q    (enter_full[p]),
                .m_axis_tvalid   (m_axis_tvalid[p]),
                .m_axis_tready   (m_axis_tready[p]),
                .m_axis_tdata    (m_axis_tdata[p*LINK_BITS+:WORD_BITS])
            );
        end
    endgenerate

endmodule

`default_nettype wire
