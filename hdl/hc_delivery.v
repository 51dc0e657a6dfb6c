// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_delivery: delivers the messages of all link inputs to the node, one message per cycle.
//
// Latency: one cycle. Backpressure: a tree arbiter selects a link input. Its message is taken if
// the output register is empty or its message leaves in this cycle.
//
// Freedom from deadlock: the receiver must keep accepting messages.

`default_nettype none

module hc_delivery #(
    parameter integer SOURCES   = 1,  // number of link inputs, 1 or more
    parameter integer BODY_BITS = 8   // bits of source id and payload, 1 or more
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire [SOURCES-1:0]           request,  // the link input requests delivery of its message
    input  wire [SOURCES-1:0]           valid,    // the header of that message is well formed
    input  wire [SOURCES*BODY_BITS-1:0] bodies,   // source id and payload of each link input
    output wire [SOURCES-1:0]           grant,    // this link's message is delivered in this cycle, if well formed
    output wire                         m_axis_tvalid,
    input  wire                         m_axis_tready,
    output wire [BODY_BITS-1:0]         m_axis_tdata
);

    wire                 ready;
    wire [SOURCES-1:0]   select;
    wire [BODY_BITS-1:0] body;
    wire                 select_valid;
    wire                 word_valid = (|request) & select_valid;
    // valid travels with its body through the arbiter, which is faster than selecting it afterwards.
    wire [SOURCES*(BODY_BITS+1)-1:0] words;

    genvar i;
    generate
        for (i = 0; i < SOURCES; i = i + 1) begin : source
            assign words[i*(BODY_BITS+1)+:BODY_BITS+1] = {valid[i], bodies[i*BODY_BITS+:BODY_BITS]};
        end
    endgenerate

    hc_tree_arbiter #(
        .REQUESTERS(SOURCES),
        .WORD_BITS (BODY_BITS + 1)
    ) arbiter (
        .clk     (clk),
        .rst     (rst),
        .request (request),
        .complete(word_valid & ready),
        .words   (words),
        .select  (select),
        .word    ({select_valid, body})
    );

    // Not gated with valid: see hc_group.
    assign grant = {SOURCES{ready}} & select;

    hc_output #(
        .WORD_BITS(BODY_BITS)
    ) register (
        .clk          (clk),
        .rst          (rst),
        .ready        (ready),
        .valid        (word_valid),
        .data         (body),
        .m_axis_tvalid(m_axis_tvalid),
        .m_axis_tready(m_axis_tready),
        .m_axis_tdata (m_axis_tdata)
    );

endmodule

`default_nettype wire
