// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// standin_network: four stand-in routers. Ports lead one node up, to the
// opposite node, and one node down.

`default_nettype none

module standin_network (
    input  wire         clk,
    input  wire         rst,
    input  wire [3:0]   s_axis_tvalid,
    output wire [3:0]   s_axis_tready,
    input  wire [155:0] s_axis_tdata,
    output wire [3:0]   m_axis_tvalid,
    input  wire [3:0]   m_axis_tready,
    output wire [155:0] m_axis_tdata,
    output wire [7:0]   m_axis_tid,
    output wire         header_error
);

    wire [11:0]  link_tvalid;
    wire [11:0]  link_tready;
    wire [515:0] link_tdata;
    wire [11:0]  link_error;
    wire [7:0]   pace;

    // The names of a generated network.
    wire n0_p0_tvalid = link_tvalid[0];
    wire n0_p0_tready = link_tready[0];
    wire [42:0] n0_p0_tdata = link_tdata[42:0];
    wire n0_p1_tvalid = link_tvalid[1];
    wire n0_p1_tready = link_tready[1];
    wire [42:0] n0_p1_tdata = link_tdata[85:43];
    wire n0_p2_tvalid = link_tvalid[2];
    wire n0_p2_tready = link_tready[2];
    wire [42:0] n0_p2_tdata = link_tdata[128:86];
    wire [1:0] n0_pace = pace[1:0];
    wire n1_p0_tvalid = link_tvalid[3];
    wire n1_p0_tready = link_tready[3];
    wire [42:0] n1_p0_tdata = link_tdata[171:129];
    wire n1_p1_tvalid = link_tvalid[4];
    wire n1_p1_tready = link_tready[4];
    wire [42:0] n1_p1_tdata = link_tdata[214:172];
    wire n1_p2_tvalid = link_tvalid[5];
    wire n1_p2_tready = link_tready[5];
    wire [42:0] n1_p2_tdata = link_tdata[257:215];
    wire [1:0] n1_pace = pace[3:2];
    wire n2_p0_tvalid = link_tvalid[6];
    wire n2_p0_tready = link_tready[6];
    wire [42:0] n2_p0_tdata = link_tdata[300:258];
    wire n2_p1_tvalid = link_tvalid[7];
    wire n2_p1_tready = link_tready[7];
    wire [42:0] n2_p1_tdata = link_tdata[343:301];
    wire n2_p2_tvalid = link_tvalid[8];
    wire n2_p2_tready = link_tready[8];
    wire [42:0] n2_p2_tdata = link_tdata[386:344];
    wire [1:0] n2_pace = pace[5:4];
    wire n3_p0_tvalid = link_tvalid[9];
    wire n3_p0_tready = link_tready[9];
    wire [42:0] n3_p0_tdata = link_tdata[429:387];
    wire n3_p1_tvalid = link_tvalid[10];
    wire n3_p1_tready = link_tready[10];
    wire [42:0] n3_p1_tdata = link_tdata[472:430];
    wire n3_p2_tvalid = link_tvalid[11];
    wire n3_p2_tready = link_tready[11];
    wire [42:0] n3_p2_tdata = link_tdata[515:473];
    wire [1:0] n3_pace = pace[7:6];

    assign header_error = |link_error;

    genvar n;
    generate
        for (n = 0; n < 4; n = n + 1) begin : node
            // the output of the neighbour on this link
            localparam integer UP = (n + 1) % 4 * 3 + 2;
            localparam integer ACROSS = (n + 2) % 4 * 3 + 1;
            localparam integer DOWN = (n + 3) % 4 * 3;
            wire [2:0] ready;
            assign link_tready[UP] = ready[0];
            assign link_tready[ACROSS] = ready[1];
            assign link_tready[DOWN] = ready[2];
            standin_router #(
                .NODE_FAULTS(0)
            ) router (
                .clk                (clk),
                .rst                (rst),
                .node_id            (n[1:0]),
                .s_axis_link_tvalid ({link_tvalid[DOWN], link_tvalid[ACROSS], link_tvalid[UP]}),
                .s_axis_link_tready (ready),
                .s_axis_link_tdata  ({link_tdata[DOWN*43+:43], link_tdata[ACROSS*43+:43], link_tdata[UP*43+:43]}),
                .m_axis_link_tvalid (link_tvalid[n*3+:3]),
                .m_axis_link_tready (link_tready[n*3+:3]),
                .m_axis_link_tdata  (link_tdata[n*129+:129]),
                .s_axis_local_tvalid(s_axis_tvalid[n]),
                .s_axis_local_tready(s_axis_tready[n]),
                .s_axis_local_tdata (s_axis_tdata[n*39+:39]),
                .m_axis_local_tvalid(m_axis_tvalid[n]),
                .m_axis_local_tready(m_axis_tready[n]),
                .m_axis_local_tdata (m_axis_tdata[n*39+:39]),
                .m_axis_local_tid   (m_axis_tid[n*2+:2]),
                .header_error       (link_error[n*3+:3]),
                .pace               (pace[n*2+:2]),
                .link_pace          ({pace[(n+3)%4*2+:2], pace[(n+2)%4*2+:2], pace[(n+1)%4*2+:2]})
            );
        end
    endgenerate

endmodule

`default_nettype wire
