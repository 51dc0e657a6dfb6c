// SPDX-License-Identifier: Apache-2.0
//
// A programmable router of the prototype's limits behind Wishbone, for its bench.

`default_nettype none

module programmable (
    input  wire         clk,
    input  wire         rst,
    input  wire         wb_cyc_i,
    input  wire         wb_stb_i,
    input  wire         wb_we_i,
    input  wire [7:0]   wb_adr_i,
    input  wire [31:0]  wb_dat_i,
    input  wire [3:0]   wb_sel_i,
    output wire [31:0]  wb_dat_o,
    output wire         wb_ack_o,
    output wire         wb_err_o,
    output wire         configured,
    output wire         illegal,
    output wire         idle,
    input  wire         drained,
    input  wire [15:0]  s_axis_link_tvalid,
    output wire [15:0]  s_axis_link_tready,
    input  wire [351:0] s_axis_link_tdata,
    output wire [15:0]  m_axis_link_tvalid,
    input  wire [15:0]  m_axis_link_tready,
    output wire [351:0] m_axis_link_tdata,
    input  wire         s_axis_local_tvalid,
    output wire         s_axis_local_tready,
    input  wire [15:0]  s_axis_local_tdata,
    output wire         m_axis_local_tvalid,
    input  wire         m_axis_local_tready,
    output wire [15:0]  m_axis_local_tdata,
    output wire [1:0]   pace,
    input  wire [31:0]  link_pace,
    output wire [15:0]  header_error
);

    wire        write;
    wire        whole;
    wire [5:0]  address;
    wire [31:0] write_data;
    wire [31:0] read_data;
    wire        refused;
    wire        unused_destination_error;

    hc_wishbone bridge (
        .clk(clk),
        .rst(rst),
        .wb_cyc_i(wb_cyc_i),
        .wb_stb_i(wb_stb_i),
        .wb_we_i(wb_we_i),
        .wb_adr_i(wb_adr_i),
        .wb_dat_i(wb_dat_i),
        .wb_sel_i(wb_sel_i),
        .wb_dat_o(wb_dat_o),
        .wb_ack_o(wb_ack_o),
        .wb_err_o(wb_err_o),
        .write(write),
        .whole(whole),
        .address(address),
        .write_data(write_data),
        .read_data(read_data),
        .refused(refused)
    );

    hc_router_programmable #(
        .BODY_BITS(16)
    ) router (
        .clk(clk),
        .rst(rst),
        .write(write),
        .whole(whole),
        .address(address),
        .write_data(write_data),
        .read_data(read_data),
        .refused(refused),
        .configured(configured),
        .illegal(illegal),
        .idle(idle),
        .drained(drained),
        .s_axis_link_tvalid(s_axis_link_tvalid),
        .s_axis_link_tready(s_axis_link_tready),
        .s_axis_link_tdata(s_axis_link_tdata),
        .m_axis_link_tvalid(m_axis_link_tvalid),
        .m_axis_link_tready(m_axis_link_tready),
        .m_axis_link_tdata(m_axis_link_tdata),
        .s_axis_local_tvalid(s_axis_local_tvalid),
        .s_axis_local_tready(s_axis_local_tready),
        .s_axis_local_tdata(s_axis_local_tdata),
        .s_axis_local_tdest(1'b0),
        .node_digits(1'b0),
        .m_axis_local_tvalid(m_axis_local_tvalid),
        .m_axis_local_tready(m_axis_local_tready),
        .m_axis_local_tdata(m_axis_local_tdata),
        .pace(pace),
        .link_pace(link_pace),
        .destination_error(unused_destination_error),
        .header_error(header_error)
    );

endmodule

`default_nettype wire
