// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_ring_port: an output port of distance rho in a dimension with D >= 2. The links of such ports
// form rings, on which messages continue.
//
// The entrants of the port are the messages that request to enter its ring. A message that
// continues has priority over them.
//
// Latency: one cycle. Backpressure: a message is accepted if the output register is empty or its
// message leaves in this cycle.
//
// Freedom from deadlock: the bubble rule. A message enters only in a cycle in which no message
// requests to continue, so every ring keeps a free place for the messages that continue on it.
//
// A port whose only entrants are messages of its own node needs no mark (hc_ring_mark). While such
// a message waits, the clock of the router ticks at most twice: then the credit of the node is at
// its maximum, so the router is not done with its tick (hc_pace).

`default_nettype none

module hc_ring_port #(
    parameter integer ENTRANTS   = 1,  // number of requesters whose messages may enter the ring, 1 or more
    parameter integer FROM_GROUP = 1,  // 1 if requester 0 is the group of the dimension, else 0
    parameter integer MARKED     = 1,  // 1 if messages of links are among the entrants, else 0
    parameter integer WORD_BITS  = 8   // bits of wc, source id and payload, 1 or more
) (
    input  wire                          clk,
    input  wire                          rst,
    input  wire                          continue_request,  // a message requests to continue
    input  wire                          continue_valid,    // that message is well formed
    input  wire [WORD_BITS-1:0]          continue_word,     // wc after this step, source id and payload of that message
    output wire                          continue_grant,    // the register can take it; independent of its request
    input  wire [ENTRANTS-1:0]           enter_request,     // the entrant requests to enter
    input  wire [ENTRANTS-1:0]           enter_valid,       // the entrant is well formed
    input  wire [ENTRANTS*WORD_BITS-1:0] enter_words,       // wc, source id and payload of each entrant
    output wire [ENTRANTS-1:0]           enter_grant,       // the entrant is taken, if it is well formed
    input  wire                          tick,              // the clock of the router ticks
    output wire                          hold,              // the clock must not tick, see hc_ring_mark
    output wire                          m_axis_tvalid,
    input  wire                          m_axis_tready,
    output wire [WORD_BITS-1:0]          m_axis_tdata
);

    generate
        if (ENTRANTS < 1) begin : illegal_entrants
            hc_ring_port_ENTRANTS_must_be_1_or_more illegal ();
        end
    endgenerate

    wire                 ready;
    wire [ENTRANTS-1:0]  enter_select;
    wire [WORD_BITS-1:0] enter_word;
    wire                 entrant_valid = |(enter_select & enter_valid);
    wire                 enter_ready   = ready & !continue_request;

    hc_arbiter #(
        .REQUESTERS(ENTRANTS)
    ) arbiter (
        .clk     (clk),
        .rst     (rst),
        .request (enter_request),
        .complete(entrant_valid & enter_ready),
        .select  (enter_select)
    );

    hc_select #(
        .WORDS    (ENTRANTS),
        .WORD_BITS(WORD_BITS)
    ) word_select (
        .select(enter_select),
        .words (enter_words),
        .word  (enter_word)
    );

    assign continue_grant = ready;
    // A group that is the only entrant uses enter_made only while it requests, so enter_made does
    // not depend on the request. That keeps the request off the longest path.
    generate
        if (ENTRANTS == 1 && FROM_GROUP != 0) begin : lone_group
            assign enter_grant = enter_ready;
        end else begin : selected
            assign enter_grant = {ENTRANTS{enter_ready}} & enter_select;
        end
    endgenerate

    generate
        if (MARKED != 0) begin : marked
            hc_ring_mark mark (
                .clk    (clk),
                .rst    (rst),
                .waiting((|(enter_request & enter_valid)) & !(entrant_valid & enter_ready)),
                .passes (continue_request & continue_valid & ready),
                .tick   (tick),
                .hold   (hold)
            );
        end else begin : unmarked
            wire unused = tick;
            assign hold = 1'b0;
        end
    endgenerate

    hc_output #(
        .WORD_BITS(WORD_BITS)
    ) register (
        .clk          (clk),
        .rst          (rst),
        .ready        (ready),
        .valid        (continue_request ? continue_valid : entrant_valid),
        .data         (continue_request ? continue_word : enter_word),
        .m_axis_tvalid(m_axis_tvalid),
        .m_axis_tready(m_axis_tready),
        .m_axis_tdata (m_axis_tdata)
    );

endmodule

`default_nettype wire
