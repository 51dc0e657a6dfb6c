// SPDX-License-Identifier: Apache-2.0
//
// chip: three neighbouring nodes of the ring of six, wired by hand.
//
// Port 0 of a router leads clockwise, to the next higher address, port 1 counterclockwise. Each
// link has a stream in both directions and two wires each way for the pace. The links
// at both ends of the row leave the chip.

`default_nettype none

module chip #(
    parameter integer FIRST = 0  // address of the first of the three nodes, 0 or 3
) (
    input  wire        clk,
    input  wire        rst,
    // The nodes, the first one lowest.
    input  wire [2:0]  s_axis_tvalid,
    output wire [2:0]  s_axis_tready,
    input  wire [47:0] s_axis_tdata,
    output wire [2:0]  m_axis_tvalid,
    input  wire [2:0]  m_axis_tready,
    output wire [47:0] m_axis_tdata,
    output wire [8:0]  m_axis_tid,
    output wire        header_error,
    // Clockwise neighbour of the last node.
    output wire        up_tx_tvalid,
    input  wire        up_tx_tready,
    output wire [21:0] up_tx_tdata,
    input  wire        up_rx_tvalid,
    output wire        up_rx_tready,
    input  wire [21:0] up_rx_tdata,
    output wire [1:0]  up_tx_pace,
    input  wire [1:0]  up_rx_pace,
    // Counterclockwise neighbour of the first node.
    output wire        down_tx_tvalid,
    input  wire        down_tx_tready,
    output wire [21:0] down_tx_tdata,
    input  wire        down_rx_tvalid,
    output wire        down_rx_tready,
    input  wire [21:0] down_rx_tdata,
    output wire [1:0]  down_tx_pace,
    input  wire [1:0]  down_rx_pace
);

    // Link n lies below node n. Its streams run clockwise (up) and counterclockwise (down).
    wire [3:0]  up_tvalid;
    wire [3:0]  up_tready;
    wire [87:0] up_tdata;
    wire [3:0]  down_tvalid;
    wire [3:0]  down_tready;
    wire [87:0] down_tdata;
    wire [9:0]  pace;  // of the neighbour below, of the three nodes, and of the neighbour above
    wire [5:0]  errors;

    assign up_tvalid[0]    = down_rx_tvalid;
    assign down_rx_tready  = up_tready[0];
    assign up_tdata[21:0]  = down_rx_tdata;
    assign down_tx_tvalid  = down_tvalid[0];
    assign down_tready[0]  = down_tx_tready;
    assign down_tx_tdata   = down_tdata[21:0];
    assign pace[1:0]       = down_rx_pace;
    assign down_tx_pace    = pace[3:2];

    assign up_tx_tvalid      = up_tvalid[3];
    assign up_tready[3]      = up_tx_tready;
    assign up_tx_tdata       = up_tdata[87:66];
    assign down_tvalid[3]    = up_rx_tvalid;
    assign up_rx_tready      = down_tready[3];
    assign down_tdata[87:66] = up_rx_tdata;
    assign pace[9:8]         = up_rx_pace;
    assign up_tx_pace        = pace[7:6];

    assign header_error = |errors;

    genvar n;
    generate
        for (n = 0; n < 3; n = n + 1) begin : node
            localparam integer ADDRESS = FIRST + n;

            ring6_router router (
                .clk(clk),
                .rst(rst),
                .node_id(ADDRESS[2:0]),
                .pace(pace[2*n+2+:2]),
                .link_pace({pace[2*n+:2], pace[2*n+4+:2]}),
                .s_axis_link_tvalid({up_tvalid[n], down_tvalid[n+1]}),
                .s_axis_link_tready({up_tready[n], down_tready[n+1]}),
                .s_axis_link_tdata({up_tdata[22*n+:22], down_tdata[22*n+22+:22]}),
                .m_axis_link_tvalid({down_tvalid[n], up_tvalid[n+1]}),
                .m_axis_link_tready({down_tready[n], up_tready[n+1]}),
                .m_axis_link_tdata({down_tdata[22*n+:22], up_tdata[22*n+22+:22]}),
                .s_axis_local_tvalid(s_axis_tvalid[n]),
                .s_axis_local_tready(s_axis_tready[n]),
                .s_axis_local_tdata(s_axis_tdata[16*n+:16]),
                .m_axis_local_tvalid(m_axis_tvalid[n]),
                .m_axis_local_tready(m_axis_tready[n]),
                .m_axis_local_tdata(m_axis_tdata[16*n+:16]),
                .m_axis_local_tid(m_axis_tid[3*n+:3]),
                .header_error(errors[2*n+:2])
            );
        end
    endgenerate

endmodule

`default_nettype wire
