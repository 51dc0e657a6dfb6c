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
