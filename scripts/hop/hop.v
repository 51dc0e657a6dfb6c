// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hop: the least that a router of one cycle per hop does in a cycle, between registers: an arbiter
// among SOURCES messages with the choice of its word, and the slots that it is written to. These
// are the modules of the routers: a group and the slots of one of its ports, or the delivery.
//
// As in the routers a source asks if two registers say so: there is a message, and this copy of it
// is not made. Whether its header is well formed, two bits of wd and two of wc, goes with its word; of
// the local input, source 0 of a group, it always is. No gate and no second copy of a message.
//
// The registers before it are one shift register from in, those behind it are folded into another
// one to out, so that Yosys keeps all and few pins do.

`default_nettype none

module hop #(
    parameter integer TARGET   = 2,  // 0 delivery, 1 a port that messages only enter, 2 a ring port
    parameter integer SOURCES  = 3,  // messages, for a group the local one first
    parameter integer LOWEST   = 1,  // for a group the port of the first link among them
    parameter integer ENTRANTS = 1,  // of a ring port, the group among them
    parameter integer WIDTH    = 32  // bits of payload
) (
    input  wire clk,
    input  wire in,
    output reg  out
);

    localparam integer WORD    = WIDTH + 2;  // with wc
    localparam integer OTHERS  = ENTRANTS > 1 ? ENTRANTS - 1 : 1;
    localparam integer RESULTS = WORD + SOURCES + ENTRANTS + 2;

    reg                      rst_q;
    reg  [SOURCES-1:0]       valid_q;
    reg  [SOURCES-1:0]       needed_q;
    reg  [4*SOURCES-1:0]     headers_q;
    reg  [SOURCES*WIDTH-1:0] bodies_q;
    reg                      continue_q;
    reg  [WORD-1:0]          continue_word_q;
    reg  [OTHERS-1:0]        others_q;
    reg  [OTHERS*WORD-1:0]   other_words_q;
    reg                      ready_q;
    reg  [RESULTS-1:0]       results_q;
    reg  [RESULTS-1:0]       shift_q;

    wire [SOURCES-1:0]  ask = valid_q & needed_q;
    wire [SOURCES-1:0]  accept;
    wire [SOURCES-1:0]  made;
    wire                offer;
    wire                offer_accept;
    wire [WIDTH-1:0]    offer_body;
    wire                room;
    wire                continue_made;
    wire [ENTRANTS-1:0] enter_made;
    wire                valid;
    wire [WORD-1:0]     data;

    genvar i;
    generate
        for (i = 0; i < SOURCES; i = i + 1) begin : source
            wire [1:0] wd = headers_q[4*i+:2];
            wire [1:0] wc = headers_q[4*i+2+:2];

            assign accept[i] = (TARGET != 0 && i == 0) | (wd == 2'd1 & wc != 2'd0 & wc != 2'd3);
        end

        if (TARGET == 0) begin : to_node
            hc_delivery #(
                .SOURCES(SOURCES),
                .WIDTH  (WIDTH)
            ) delivery (
                .clk          (clk),
                .rst          (rst_q),
                .ask          (ask),
                .accept       (accept),
                .bodies       (bodies_q),
                .made         (made),
                .m_axis_tvalid(valid),
                .m_axis_tready(ready_q),
                .m_axis_tdata (data[WIDTH-1:0])
            );
        end else begin : to_links
            hc_group #(
                .SOURCES(SOURCES),
                .LOWEST (LOWEST),
                .PORTS  (1),
                .WIDTH  (WIDTH)
            ) group (
                .clk         (clk),
                .rst         (rst_q),
                .ask         (ask),
                .accept      (accept),
                .bodies      (bodies_q),
                .made        (made),
                .offer       (offer),
                .offer_accept(offer_accept),
                .offer_body  (offer_body),
                .room        (room)
            );
        end

        if (TARGET == 1) begin : enters_only
            hc_entry_port #(
                .WIDTH(WIDTH)
            ) port (
                .clk          (clk),
                .rst          (rst_q),
                .offer        (offer),
                .offer_accept (offer_accept),
                .offer_body   (offer_body),
                .room         (room),
                .m_axis_tvalid(valid),
                .m_axis_tready(ready_q),
                .m_axis_tdata (data[WIDTH-1:0])
            );
        end else if (TARGET == 2) begin : ring
            // The group is entrant 0, its wc a constant.
            wire [(OTHERS+1)*WORD-1:0] words   = {other_words_q, 2'd2, offer_body};
            wire [OTHERS:0]            asks    = {others_q, offer};
            wire [OTHERS:0]            accepts = {others_q, offer_accept};

            hc_ring_port #(
                .ENTRANTS  (ENTRANTS),
                .FROM_GROUP(1),
                .WIDTH     (WORD)
            ) port (
                .clk            (clk),
                .rst            (rst_q),
                .continue_ask   (continue_q),
                .continue_accept(continue_q),
                .continue_word  (continue_word_q),
                .continue_made  (continue_made),
                .enter_ask      (asks[ENTRANTS-1:0]),
                .enter_accept   (accepts[ENTRANTS-1:0]),
                .enter_words    (words[ENTRANTS*WORD-1:0]),
                .enter_made     (enter_made),
                .m_axis_tvalid  (valid),
                .m_axis_tready  (ready_q),
                .m_axis_tdata   (data)
            );
            assign room = enter_made[0];
        end
        if (TARGET != 2) begin : no_ring
            assign data[WORD-1:WIDTH] = 2'd0;
            assign continue_made      = 1'b0;
            assign enter_made         = {ENTRANTS{1'b0}};
        end
    endgenerate

    always @(posedge clk) begin
        {rst_q, valid_q, needed_q, headers_q, bodies_q, continue_q, continue_word_q, others_q, other_words_q, ready_q} <=
            {valid_q, needed_q, headers_q, bodies_q, continue_q, continue_word_q, others_q, other_words_q, ready_q, in};
        results_q <= {made, continue_made, enter_made >> 1, valid, data};
        shift_q   <= {shift_q[RESULTS-2:0], in} ^ results_q;
        out       <= shift_q[RESULTS-1];
    end

endmodule

`default_nettype wire
