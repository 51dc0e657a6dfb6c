// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_programmable_port: an output port that is configured at run time, either as a ring port or as
// a port on which messages only enter. It behaves in every cycle like hc_ring_port, or like the
// hc_output of the other kind of port.
//
// It has the output register, and a bit that records whether the port still has to take the message
// of its group. A port belongs to one dimension, so one bit serves all groups.
//
// Latency: one cycle. Backpressure: the register accepts a message if it is empty or its message
// leaves in this cycle. Freedom from deadlock: the bubble rule of hc_ring_port, which `blocked`
// enforces.

`default_nettype none

module hc_programmable_port #(
    parameter integer WC_BITS      = 3,  // bits of wc, 1 or more
    parameter integer CARRIED_BITS = 8   // bits of source id and payload, 1 or more
) (
    input  wire                            clk,
    input  wire                            rst,
    input  wire                            entered,         // the group enters on this port: entering weight above 0
    input  wire                            group_request,   // the group offers a message
    input  wire                            group_valid,     // that message is well formed
    input  wire                            group_complete,  // the last port takes that message in this cycle
    input  wire [WC_BITS-1:0]              group_weight,    // entering weight of that message
    input  wire [CARRIED_BITS-1:0]         group_body,      // source id and payload of that message
    input  wire                            blocked,         // a message of a link has priority over the group
    input  wire                            link_valid,      // the selected message of a link is well formed
    input  wire [WC_BITS+CARRIED_BITS-1:0] link_word,       // {wc of the continuation, body} of that message
    output reg                             pending_q,       // the port has not taken the message of the group
    output wire                            ready,           // the register accepts a message in this cycle
    output wire                            m_axis_tvalid,
    input  wire                            m_axis_tready,
    output wire [WC_BITS+CARRIED_BITS-1:0] m_axis_tdata
);

    wire from_group = group_request & pending_q & !blocked;

    always @(posedge clk)
        pending_q <= entered & (rst | group_complete | pending_q & !(group_valid & ready & !blocked));

    hc_output #(
        .WORD_BITS(WC_BITS + CARRIED_BITS)
    ) register (
        .clk          (clk),
        .rst          (rst),
        .ready        (ready),
        .valid        (from_group ? group_valid : link_valid),
        .data         (from_group ? {group_weight, group_body} : link_word),
        .m_axis_tvalid(m_axis_tvalid),
        .m_axis_tready(m_axis_tready),
        .m_axis_tdata (m_axis_tdata)
    );

endmodule

`default_nettype wire
