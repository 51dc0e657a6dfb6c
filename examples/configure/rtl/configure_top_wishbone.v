// SPDX-License-Identifier: Apache-2.0
//
// configure_top_wishbone: a ring of 4 programmable routers, configured over Wishbone by
// configure_boot_wishbone. The streams are those of the network, packed by node, node 0 lowest.

`default_nettype none

module configure_top_wishbone (
    input  wire        clk,
    input  wire        rst,  // synchronous, active high
    input  wire        start,
    input  wire [1:0]  preference,
    output wire        ready,
    output wire        failed,
    input  wire [3:0]  s_axis_tvalid,
    output wire [3:0]  s_axis_tready,
    input  wire [31:0] s_axis_tdata,
    output wire [3:0]  m_axis_tvalid,
    input  wire [3:0]  m_axis_tready,
    output wire [31:0] m_axis_tdata,
    output wire        header_error
);

    wire        cyc;
    wire        stb;
    wire        we;
    wire [7:0]  adr;
    wire [31:0] to_network;
    wire [3:0]  sel;
    wire [31:0] from_network;
    wire        ack;
    wire        err;
    wire        booted;
    wire        boot_failed;
    wire        configured;
    wire        illegal;

    // The master reads the status register, which lags behind the outputs of the network.
    assign ready = booted & configured;
    assign failed = boot_failed | illegal;

    configure_boot_wishbone boot (
        .clk(clk),
        .rst(rst),
        .start(start),
        .preference(preference),
        .ready(booted),
        .failed(boot_failed),
        .wb_cyc_o(cyc),
        .wb_stb_o(stb),
        .wb_we_o(we),
        .wb_adr_o(adr),
        .wb_dat_o(to_network),
        .wb_sel_o(sel),
        .wb_dat_i(from_network),
        .wb_ack_i(ack),
        .wb_err_i(err)
    );

    ring4_network network (
        .clk(clk),
        .rst(rst),
        .wb_cyc_i(cyc),
        .wb_stb_i(stb),
        .wb_we_i(we),
        .wb_adr_i(adr),
        .wb_dat_i(to_network),
        .wb_sel_i(sel),
        .wb_dat_o(from_network),
        .wb_ack_o(ack),
        .wb_err_o(err),
        .configured(configured),
        .illegal(illegal),
        .s_axis_tvalid(s_axis_tvalid),
        .s_axis_tready(s_axis_tready),
        .s_axis_tdata(s_axis_tdata),
        .m_axis_tvalid(m_axis_tvalid),
        .m_axis_tready(m_axis_tready),
        .m_axis_tdata(m_axis_tdata),
        .header_error(header_error)
    );

endmodule

`default_nettype wire
