// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hop: the least that a router of one cycle per hop does in a cycle, between registers: an
// arbiter among SOURCES messages, the choice of its word, and the slots of a ring port. With
// HEADERS a source asks if the header of its message, two bits of wd and two of wc, says so; without,
// a register tells it. No gate, no delivery, no second copy of a message.
//
// The registers before it are one shift register from in, those behind it are loaded or shifted
// to out, so that Yosys keeps all and few pins do.

`default_nettype none

module hop #(
    parameter integer SOURCES = 3,
    parameter integer HEADERS = 1,
    parameter integer WIDTH   = 34  // bits of payload and wc
) (
    input  wire clk,
    input  wire in,
    output reg  out
);

    localparam integer RESULTS = WIDTH + SOURCES + 2;

    reg                      rst_q;
    reg  [SOURCES-1:0]       valid_q;
    reg  [4*SOURCES-1:0]     headers_q;
    reg  [SOURCES*WIDTH-1:0] words_q;
    reg                      continue_q;
    reg  [WIDTH-1:0]         continue_word_q;
    reg                      ready_q;
    reg                      load_q;
    reg  [RESULTS-1:0]       results_q;
    reg  [RESULTS-1:0]       shift_q;

    wire [SOURCES-1:0] ask;
    wire [SOURCES-1:0] select;
    wire [SOURCES-1:0] turn;
    wire [WIDTH-1:0]   word;
    wire               made;
    wire               continue_made;
    wire               valid;
    wire [WIDTH-1:0]   data;

    genvar i;
    generate
        for (i = 0; i < SOURCES; i = i + 1) begin : source
            wire [1:0] wd = headers_q[4*i+:2];
            wire [1:0] wc = headers_q[4*i+2+:2];

            assign ask[i] = valid_q[i] & (HEADERS == 0 | wd == 2'd1 & wc != 2'd0 & wc != 2'd3);
        end
    endgenerate

    hc_arbiter #(
        .REQUESTERS(SOURCES)
    ) arbiter (
        .clk      (clk),
        .rst      (rst_q),
        .request  (ask),
        .completed(made),
        .select   (select),
        .turn     (turn)
    );

    hc_choice #(
        .WORDS(SOURCES),
        .WIDTH(WIDTH)
    ) choice (
        .request(ask),
        .turn   (turn),
        .select (select),
        .words  (words_q),
        .word   (word)
    );

    hc_ring_port #(
        .ENTRANTS  (1),
        .FROM_GROUP(1),
        .WIDTH     (WIDTH)
    ) port (
        .clk            (clk),
        .rst            (rst_q),
        .continue_ask   (continue_q),
        .continue_accept(continue_q),
        .continue_word  (continue_word_q),
        .continue_made  (continue_made),
        .enter_ask      (|ask),
        .enter_accept   (1'b1),
        .enter_words    (word),
        .enter_made     (made),
        .m_axis_tvalid  (valid),
        .m_axis_tready  (ready_q),
        .m_axis_tdata   (data)
    );

    always @(posedge clk) begin
        {rst_q, valid_q, headers_q, words_q, continue_q, continue_word_q, ready_q} <=
            {valid_q, headers_q, words_q, continue_q, continue_word_q, ready_q, in};
        load_q    <= in;
        results_q <= {select & {SOURCES{made}}, continue_made, valid, data};
        shift_q   <= load_q ? results_q : {shift_q[RESULTS-2:0], in};
        out       <= shift_q[RESULTS-1];
    end

endmodule

`default_nettype wire
