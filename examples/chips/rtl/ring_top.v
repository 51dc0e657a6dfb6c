// SPDX-License-Identifier: Apache-2.0
//
// ring_top: a ring of six nodes on two chips of three, with two cables each way between them.

`default_nettype none

module ring_top #(
    parameter integer STAGES = 2  // cycles that a cable takes
) (
    input  wire        clk,
    input  wire        rst,  // of both chips, in the same cycle
    input  wire [5:0]  s_axis_tvalid,
    output wire [5:0]  s_axis_tready,
    input  wire [95:0] s_axis_tdata,
    output wire [5:0]  m_axis_tvalid,
    input  wire [5:0]  m_axis_tready,
    output wire [95:0] m_axis_tdata,
    output wire [17:0] m_axis_tid,
    output wire        header_error
);

    // By chip: outgoing and incoming signals, at its clockwise and its counterclockwise end.
    wire [1:0]  up_tx_tvalid, up_tx_tready, up_rx_tvalid, up_rx_tready;
    wire [43:0] up_tx_tdata, up_rx_tdata;
    wire [3:0]  up_tx_pace, up_rx_pace;
    wire [1:0]  down_tx_tvalid, down_tx_tready, down_rx_tvalid, down_rx_tready;
    wire [43:0] down_tx_tdata, down_rx_tdata;
    wire [3:0]  down_tx_pace, down_rx_pace;
    wire [1:0]  errors;

    assign header_error = |errors;

    genvar c;
    generate
        for (c = 0; c < 2; c = c + 1) begin : half
            localparam integer OTHER = 1 - c;

            chip #(
                .FIRST(3 * c)
            ) nodes (
                .clk           (clk),
                .rst           (rst),
                .s_axis_tvalid (s_axis_tvalid[3*c+:3]),
                .s_axis_tready (s_axis_tready[3*c+:3]),
                .s_axis_tdata  (s_axis_tdata[48*c+:48]),
                .m_axis_tvalid (m_axis_tvalid[3*c+:3]),
                .m_axis_tready (m_axis_tready[3*c+:3]),
                .m_axis_tdata  (m_axis_tdata[48*c+:48]),
                .m_axis_tid    (m_axis_tid[9*c+:9]),
                .header_error  (errors[c]),
                .up_tx_tvalid  (up_tx_tvalid[c]),
                .up_tx_tready  (up_tx_tready[c]),
                .up_tx_tdata   (up_tx_tdata[22*c+:22]),
                .up_rx_tvalid  (up_rx_tvalid[c]),
                .up_rx_tready  (up_rx_tready[c]),
                .up_rx_tdata   (up_rx_tdata[22*c+:22]),
                .up_tx_pace    (up_tx_pace[2*c+:2]),
                .up_rx_pace    (up_rx_pace[2*c+:2]),
                .down_tx_tvalid(down_tx_tvalid[c]),
                .down_tx_tready(down_tx_tready[c]),
                .down_tx_tdata (down_tx_tdata[22*c+:22]),
                .down_rx_tvalid(down_rx_tvalid[c]),
                .down_rx_tready(down_rx_tready[c]),
                .down_rx_tdata (down_rx_tdata[22*c+:22]),
                .down_tx_pace  (down_tx_pace[2*c+:2]),
                .down_rx_pace  (down_rx_pace[2*c+:2])
            );

            // Clockwise, to the other chip's counterclockwise end.
            cable #(
                .STAGES(STAGES)
            ) up (
                .clk          (clk),
                .rst          (rst),
                .s_axis_tvalid(up_tx_tvalid[c]),
                .s_axis_tready(up_tx_tready[c]),
                .s_axis_tdata (up_tx_tdata[22*c+:22]),
                .s_pace       (up_tx_pace[2*c+:2]),
                .m_axis_tvalid(down_rx_tvalid[OTHER]),
                .m_axis_tready(down_rx_tready[OTHER]),
                .m_axis_tdata (down_rx_tdata[22*OTHER+:22]),
                .m_pace       (down_rx_pace[2*OTHER+:2])
            );

            // Counterclockwise, to the other chip's clockwise end.
            cable #(
                .STAGES(STAGES)
            ) down (
                .clk          (clk),
                .rst          (rst),
                .s_axis_tvalid(down_tx_tvalid[c]),
                .s_axis_tready(down_tx_tready[c]),
                .s_axis_tdata (down_tx_tdata[22*c+:22]),
                .s_pace       (down_tx_pace[2*c+:2]),
                .m_axis_tvalid(up_rx_tvalid[OTHER]),
                .m_axis_tready(up_rx_tready[OTHER]),
                .m_axis_tdata (up_rx_tdata[22*OTHER+:22]),
                .m_pace       (up_rx_pace[2*OTHER+:2])
            );
        end
    endgenerate

endmodule

`default_nettype wire
