// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_port_delivery: hands the messages of every link to the node, each link by a
// stream of its own.
//
// Latency: one cycle. Backpressure: a message is taken if a slot of its link's queue is
// free.

`default_nettype none

module hc_port_delivery #(
    parameter integer SOURCES = 1,  // link inputs, 1 or more
    parameter integer WIDTH   = 8,  // bits of source id and payload
    parameter integer DEPTH   = 2   // slots of each queue, 2 or more
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire [SOURCES-1:0]       ask,
    input  wire [SOURCES-1:0]       accept,  // the header of the source is well formed
    input  wire [SOURCES*WIDTH-1:0] bodies,
    output wire [SOURCES-1:0]       made,    // not gated with accept: see hc_group
    output wire [SOURCES-1:0]       m_axis_tvalid,
    input  wire [SOURCES-1:0]       m_axis_tready,
    output wire [SOURCES*WIDTH-1:0] m_axis_tdata
);

`ifndef __ICARUS__
    generate
        if (SOURCES < 1) begin : illegal_sources
            $error("hc_port_delivery: SOURCES must be 1 or more");
        end
    endgenerate
`endif

    genvar i;
    generate
        for (i = 0; i < SOURCES; i = i + 1) begin : source
            wire room;

            assign made[i] = ask[i] & room;

            hc_queue #(
                .WIDTH(WIDTH),
                .DEPTH(DEPTH)
            ) queue (
                .clk          (clk),
                .rst          (rst),
                .write        (made[i] & accept[i]),
                .write_data   (bodies[i*WIDTH+:WIDTH]),
                .room         (room),
                .m_axis_tvalid(m_axis_tvalid[i]),
                .m_axis_tready(m_axis_tready[i]),
                .m_axis_tdata (m_axis_tdata[i*WIDTH+:WIDTH])
            );
        end
    endgenerate

endmodule

`default_nettype wire
