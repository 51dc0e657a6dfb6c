// SPDX-License-Identifier: Apache-2.0
//
// packets_top: a ring of 8 nodes that send packets to one another. Behind the network each node has a
// ring8_hc_packets, which hands out the packets of all sources whole, one after the other. All streams are
// packed by node, node 0 lowest.
//
// The longest packet has 2 ** DEPTH_BITS words. Backpressure: receivers may stall as long as they like.
// A packet that waits holds back the network only when the queue of its source is full or PACKETS
// packets wait.

`default_nettype none

module packets_top #(
    parameter integer DEPTH_BITS = 2,  // the longest packet has 2 to this words, 1 or more
    parameter integer PACKETS    = 4   // complete packets that wait at a node, 1 or more
) (
    input  wire         clk,
    input  wire         rst,            // synchronous, active high
    input  wire [7:0]   s_axis_tvalid,
    output wire [7:0]   s_axis_tready,
    input  wire [255:0] s_axis_tdata,
    input  wire [23:0]  s_axis_tdest,   // node that receives, the same for all words of a packet
    input  wire [7:0]   s_axis_tlast,
    output wire [7:0]   m_axis_tvalid,
    input  wire [7:0]   m_axis_tready,
    output wire [255:0] m_axis_tdata,
    output wire [23:0]  m_axis_tid,     // node that sent
    output wire [7:0]   m_axis_tlast,
    output wire [7:0]   packet_split,   // a packet was too long
    output wire         destination_error,
    output wire         header_error
);

    wire [31:0]  in_tdest;
    wire [7:0]   out_tvalid;
    wire [7:0]   out_tready;
    wire [255:0] out_tdata;
    wire [23:0]  out_tid;
    wire [7:0]   out_tlast;

    ring8_network network (
        .clk(clk),
        .rst(rst),
        .s_axis_tvalid(s_axis_tvalid),
        .s_axis_tready(s_axis_tready),
        .s_axis_tdata(s_axis_tdata),
        .s_axis_tdest(in_tdest),
        .s_axis_tlast(s_axis_tlast),
        .m_axis_tvalid(out_tvalid),
        .m_axis_tready(out_tready),
        .m_axis_tdata(out_tdata),
        .m_axis_tid(out_tid),
        .m_axis_tlast(out_tlast),
        .destination_error(destination_error),
        .header_error(header_error)
    );

    genvar n;
    generate
        for (n = 0; n < 8; n = n + 1) begin : node
            assign in_tdest[n*4+:4] = {1'b0, s_axis_tdest[n*3+:3]};  // {all, digit}

            ring8_hc_packets #(
                .SOURCES(8),
                .SOURCE_BITS(3),
                .DEPTH_BITS(DEPTH_BITS),
                .PACKETS(PACKETS),
                .WIDTH(32)
            ) packets (
                .clk(clk),
                .rst(rst),
                .s_axis_tvalid(out_tvalid[n]),
                .s_axis_tready(out_tready[n]),
                .s_axis_tid(out_tid[n*3+:3]),
                .s_axis_tlast(out_tlast[n]),
                .s_axis_tdata(out_tdata[n*32+:32]),
                .m_axis_tvalid(m_axis_tvalid[n]),
                .m_axis_tready(m_axis_tready[n]),
                .m_axis_tid(m_axis_tid[n*3+:3]),
                .m_axis_tlast(m_axis_tlast[n]),
                .m_axis_tdata(m_axis_tdata[n*32+:32]),
                .packet_split(packet_split[n])
            );
        end
    endgenerate

endmodule

`default_nettype wire
