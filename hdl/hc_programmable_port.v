// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_programmable_port: an output port that is known only at run time to be a ring port
// or one that messages only enter. It behaves like hc_ring_port or hc_entry_port in
// every cycle.
//
// What enters needs a queue of which two of three slots are free: on a ring port that
// is the bubble rule, on another port it makes the queue one of two slots. What
// continues goes first and needs one free slot.
//
// Latency: one cycle.

`default_nettype none

module hc_programmable_port #(
    parameter integer WIDTH = 8  // bits of wc, source id and payload
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             continues,     // a message asks to continue here
    input  wire             ring_accept,   // what continues or transfers is well formed; low if nothing does
    input  wire [WIDTH-1:0] ring_word,     // that message, or 0
    input  wire             group_select,  // the group may enter, if there is room
    input  wire             group_accept,
    input  wire [WIDTH-1:0] group_word,
    output wire             room_one,      // a slot is free for what continues
    output wire             room_two,      // two are, for what enters
    output wire             m_axis_tvalid,
    input  wire             m_axis_tready,
    output wire [WIDTH-1:0] m_axis_tdata
);

    wire enters = group_select & !continues;

    hc_queue #(
        .WIDTH(WIDTH),
        .DEPTH(3)
    ) queue (
        .clk          (clk),
        .rst          (rst),
        .write        (ring_accept & (continues ? room_one : room_two) | enters & group_accept & room_two),
        .write_data   (ring_word | group_word & {WIDTH{enters}}),
        .room_one     (room_one),
        .room_two     (room_two),
        .m_axis_tvalid(m_axis_tvalid),
        .m_axis_tready(m_axis_tready),
        .m_axis_tdata (m_axis_tdata)
    );

endmodule

`default_nettype wire
