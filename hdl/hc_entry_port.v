// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_entry_port: an output port that messages only enter: its distance is below
// rho, or D = 1. Every message on it carries the same weight, which is therefore
// not stored.
//
// Latency: one cycle. Backpressure: takes an offer if a slot is free.

`default_nettype none

module hc_entry_port #(
    parameter integer WIDTH = 8,  // bits of source id and payload
    parameter integer DEPTH = 2   // slots of the queue, 2 or more
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             offer,
    input  wire             offer_accept,
    input  wire [WIDTH-1:0] offer_body,
    output wire             room,  // an offer is taken in this cycle
    output wire             m_axis_tvalid,
    input  wire             m_axis_tready,
    output wire [WIDTH-1:0] m_axis_tdata
);

    hc_queue #(
        .WIDTH(WIDTH),
        .DEPTH(DEPTH)
    ) queue (
        .clk          (clk),
        .rst          (rst),
        .write        (offer & offer_accept & room),
        .write_data   (offer_body),
        .room         (room),
        .m_axis_tvalid(m_axis_tvalid),
        .m_axis_tready(m_axis_tready),
        .m_axis_tdata (m_axis_tdata)
    );

endmodule

`default_nettype wire
