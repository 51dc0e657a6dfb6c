// SPDX-License-Identifier: Apache-2.0
//
// summa_top: the product of two 8x8 matrices on 16 nodes. Node 4 y + x takes the blocks A[y][x] and
// B[y][x] of 2x2 numbers and returns C[y][x]. All streams are packed by node, node 0 lowest.

`default_nettype none

module summa_top (
    input  wire         clk,
    input  wire         rst,  // synchronous, active high
    input  wire [15:0]  busy,  // nodes that accept no message in this cycle
    input  wire [15:0]  s_axis_ab_tvalid,
    output wire [15:0]  s_axis_ab_tready,
    input  wire [511:0] s_axis_ab_tdata,
    output wire [15:0]  m_axis_c_tvalid,
    input  wire [15:0]  m_axis_c_tready,
    output wire [559:0] m_axis_c_tdata,
    output wire         destination_error,
    output wire         header_error
);

    wire [15:0]  in_tvalid;
    wire [15:0]  in_tready;
    wire [511:0] in_tdata;
    wire [95:0]  in_tdest;
    wire [15:0]  in_tlast;
    wire [15:0]  out_tvalid;
    wire [15:0]  out_tready;
    wire [511:0] out_tdata;
    wire [63:0]  out_tid;
    wire [15:0]  out_tlast;
    wire [15:0]  barrier_arrive;
    wire [15:0]  barrier_release;

    torus4x4_network network (
        .clk(clk),
        .rst(rst),
        .s_axis_tvalid(in_tvalid),
        .s_axis_tready(in_tready),
        .s_axis_tdata(in_tdata),
        .s_axis_tdest(in_tdest),
        .s_axis_tlast(in_tlast),
        .m_axis_tvalid(out_tvalid),
        .m_axis_tready(out_tready),
        .m_axis_tdata(out_tdata),
        .m_axis_tid(out_tid),
        .m_axis_tlast(out_tlast),
        .barrier_arrive(barrier_arrive),
        .barrier_release(barrier_release),
        .destination_error(destination_error),
        .header_error(header_error)
    );

    genvar n;
    generate
        for (n = 0; n < 16; n = n + 1) begin : node
            summa_node #(
                .X(n % 4),
                .Y(n / 4)
            ) summa (
                .clk(clk),
                .rst(rst),
                .busy(busy[n]),
                .s_axis_ab_tvalid(s_axis_ab_tvalid[n]),
                .s_axis_ab_tready(s_axis_ab_tready[n]),
                .s_axis_ab_tdata(s_axis_ab_tdata[n*32+:32]),
                .m_axis_c_tvalid(m_axis_c_tvalid[n]),
                .m_axis_c_tready(m_axis_c_tready[n]),
                .m_axis_c_tdata(m_axis_c_tdata[n*35+:35]),
                .m_axis_tvalid(in_tvalid[n]),
                .m_axis_tready(in_tready[n]),
                .m_axis_tdata(in_tdata[n*32+:32]),
                .m_axis_tdest(in_tdest[n*6+:6]),
                .m_axis_tlast(in_tlast[n]),
                .s_axis_tvalid(out_tvalid[n]),
                .s_axis_tready(out_tready[n]),
                .s_axis_tdata(out_tdata[n*32+:32]),
                .s_axis_tid(out_tid[n*4+:4]),
                .s_axis_tlast(out_tlast[n]),
                .barrier_arrive(barrier_arrive[n]),
                .barrier_release(barrier_release[n])
            );
        end
    endgenerate

endmodule

`default_nettype wire
