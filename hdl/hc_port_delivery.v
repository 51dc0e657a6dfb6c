// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_port_delivery: delivers the messages of every link input to the node, with one stream per link
// input.
//
// Latency: one cycle. Backpressure: a message is taken if the output register of its link input is
// empty or its message leaves in this cycle.
//
// Freedom from deadlock: the receiver of every stream must keep accepting messages.

`default_nettype none

module hc_port_delivery #(
    parameter integer SOURCES   = 1,  // number of link inputs, 1 or more
    parameter integer BODY_BITS = 8   // bits of source id and payload, 1 or more
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire [SOURCES-1:0]           request,  // the link input requests delivery of its message
    input  wire [SOURCES-1:0]           valid,    // the header of that message is well formed
    input  wire [SOURCES*BODY_BITS-1:0] bodies,   // source id and payload of each link input
    output wire [SOURCES-1:0]           grant,    // the register can take it; see hc_group
    output wire [SOURCES-1:0]           m_axis_tvalid,
    input  wire [SOURCES-1:0]           m_axis_tready,
    output wire [SOURCES*BODY_BITS-1:0] m_axis_tdata
);

    generate
        if (SOURCES < 1) begin : illegal_sources
            hc_port_delivery_SOURCES_must_be_1_or_more illegal ();
        end
    endgenerate

    genvar i;
    generate
        for (i = 0; i < SOURCES; i = i + 1) begin : source
            hc_output #(
                .WORD_BITS(BODY_BITS)
            ) register (
                .clk          (clk),
                .rst          (rst),
                .ready        (grant[i]),
                .valid        (request[i] & valid[i]),
                .data         (bodies[i*BODY_BITS+:BODY_BITS]),
                .m_axis_tvalid(m_axis_tvalid[i]),
                .m_axis_tready(m_axis_tready[i]),
                .m_axis_tdata (m_axis_tdata[i*BODY_BITS+:BODY_BITS])
            );
        end
    endgenerate

endmodule

`default_nettype wire
