// SPDX-License-Identifier: Apache-2.0
//
// maximum_top: 16 input streams of values, and 16 output streams that each carry the largest of the
// 16 values of every round. All streams are packed by node, node 0 lowest, like those of the
// network.

`default_nettype none

module maximum_top (
    input  wire         clk,
    input  wire         rst,  // synchronous, active high
    input  wire [15:0]  s_axis_tvalid,
    output wire [15:0]  s_axis_tready,
    input  wire [511:0] s_axis_tdata,
    output wire [15:0]  m_axis_tvalid,
    input  wire [15:0]  m_axis_tready,
    output wire [511:0] m_axis_tdata,
    output wire         header_error
);

    localparam integer NODES = 16;
    localparam integer VALUE_BITS = 32;
    localparam integer PAYLOAD_BITS = 16;
    localparam integer SOURCE_BITS = 4;

    wire [NODES-1:0]              in_tvalid;
    wire [NODES-1:0]              in_tready;
    wire [NODES*PAYLOAD_BITS-1:0] in_tdata;
    wire [NODES-1:0]              out_tvalid;
    wire [NODES-1:0]              out_tready;
    wire [NODES*PAYLOAD_BITS-1:0] out_tdata;
    wire [NODES*SOURCE_BITS-1:0]  out_tid;

    torus4x4_network network (
        .clk(clk),
        .rst(rst),
        .s_axis_tvalid(in_tvalid),
        .s_axis_tready(in_tready),
        .s_axis_tdata(in_tdata),
        .m_axis_tvalid(out_tvalid),
        .m_axis_tready(out_tready),
        .m_axis_tdata(out_tdata),
        .m_axis_tid(out_tid),
        .header_error(header_error)
    );

    genvar n;
    generate
        for (n = 0; n < NODES; n = n + 1) begin : node
            wire                    word_tvalid;
            wire                    word_tready;
            wire [PAYLOAD_BITS-1:0] word_tdata;

            maximum_node #(
                .NODES(NODES),
                .SOURCE_BITS(SOURCE_BITS),
                .HALF_BITS(PAYLOAD_BITS)
            ) maximum (
                .clk(clk),
                .rst(rst),
                .s_axis_value_tvalid(s_axis_tvalid[n]),
                .s_axis_value_tready(s_axis_tready[n]),
                .s_axis_value_tdata(s_axis_tdata[n*VALUE_BITS+:VALUE_BITS]),
                .m_axis_result_tvalid(m_axis_tvalid[n]),
                .m_axis_result_tready(m_axis_tready[n]),
                .m_axis_result_tdata(m_axis_tdata[n*VALUE_BITS+:VALUE_BITS]),
                .m_axis_tvalid(word_tvalid),
                .m_axis_tready(word_tready),
                .m_axis_tdata(word_tdata),
                .s_axis_tvalid(out_tvalid[n]),
                .s_axis_tready(out_tready[n]),
                .s_axis_tdata(out_tdata[n*PAYLOAD_BITS+:PAYLOAD_BITS]),
                .s_axis_tid(out_tid[n*SOURCE_BITS+:SOURCE_BITS])
            );

            // tready of the network is combinational. A register keeps it out of the paths of
            // this design.
            stream_register #(
                .WIDTH(PAYLOAD_BITS)
            ) slice (
                .clk(clk),
                .rst(rst),
                .s_axis_tvalid(word_tvalid),
                .s_axis_tready(word_tready),
                .s_axis_tdata(word_tdata),
                .m_axis_tvalid(in_tvalid[n]),
                .m_axis_tready(in_tready[n]),
                .m_axis_tdata(in_tdata[n*PAYLOAD_BITS+:PAYLOAD_BITS])
            );
        end
    endgenerate

endmodule

`default_nettype wire
