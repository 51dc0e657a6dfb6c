// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_programmable_port: an output port that is configured at run time as a ring port or as an
// entry port. It behaves like hc_ring_port or hc_entry_port in every cycle.
//
// It has the output register, and a bit: the port has yet to take the message of its group. A
// port belongs to one dimension, so that bit is here, once for all groups.
//
// Latency: one cycle. Backpressure: the register accepts a message if it is empty or its
// message leaves. Freedom from deadlock: the bubble rule, which is `blocked`.

`default_nettype none

module hc_programmable_port #(
    parameter integer WC_BITS   = 3,  // bits of wc
    parameter integer BODY_BITS = 8   // bits of source id and payload
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire                         entered,          // the group enters here, with some weight
    input  wire                         group_ask,        // the group offers a message
    input  wire                         group_accept,     // and it is well formed
    input  wire                         group_completed,  // the last port takes it in this cycle
    input  wire [WC_BITS-1:0]           group_weight,
    input  wire [BODY_BITS-1:0]         group_body,
    input  wire                         blocked,          // a message of a link comes before that of the group
    input  wire                         link_accept,      // one of a link that comes first of the links is well formed
    input  wire [WC_BITS+BODY_BITS-1:0] link_word,        // of that
    output reg                          group_open_q,     // the port has not taken the message of the group
    output wire                         free,             // a message can be taken
    output wire                         m_axis_tvalid,
    input  wire                         m_axis_tready,
    output wire [WC_BITS+BODY_BITS-1:0] m_axis_tdata
);

    wire from_group = group_ask & group_open_q & !blocked;

    always @(posedge clk)
        group_open_q <= entered & (rst | group_completed | group_open_q & !(group_accept & free & !blocked));

    hc_output #(
        .WIDTH(WC_BITS + BODY_BITS)
    ) register (
        .clk          (clk),
        .rst          (rst),
        .free         (free),
        .valid        (from_group ? group_accept : link_accept),
        .data         (from_group ? {group_weight, group_body} : link_word),
        .m_axis_tvalid(m_axis_tvalid),
        .m_axis_tready(m_axis_tready),
        .m_axis_tdata (m_axis_tdata)
    );

endmodule

`default_nettype wire
