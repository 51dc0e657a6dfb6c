// SPDX-License-Identifier: Apache-2.0
//
// configure_top_axi4lite: a ring of 4 programmable routers, configured over AXI4-Lite by
// configure_boot_axi4lite. The streams are those of the network, packed by node, node 0 lowest.

`default_nettype none

module configure_top_axi4lite (
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

    wire        awvalid;
    wire        awready;
    wire [7:0]  awaddr;
    wire [2:0]  awprot;
    wire        wvalid;
    wire        wready;
    wire [31:0] wdata;
    wire [3:0]  wstrb;
    wire        bvalid;
    wire        bready;
    wire [1:0]  bresp;
    wire        arvalid;
    wire        arready;
    wire [7:0]  araddr;
    wire [2:0]  arprot;
    wire        rvalid;
    wire        rready;
    wire [31:0] rdata;
    wire [1:0]  rresp;
    wire        booted;
    wire        boot_failed;
    wire        configured;
    wire        illegal;

    // The master reads the status register, which lags behind the outputs of the network.
    assign ready = booted & configured;
    assign failed = boot_failed | illegal;

    configure_boot_axi4lite boot (
        .clk(clk),
        .rst(rst),
        .start(start),
        .preference(preference),
        .ready(booted),
        .failed(boot_failed),
        .m_axi_awvalid(awvalid),
        .m_axi_awready(awready),
        .m_axi_awaddr(awaddr),
        .m_axi_awprot(awprot),
        .m_axi_wvalid(wvalid),
        .m_axi_wready(wready),
        .m_axi_wdata(wdata),
        .m_axi_wstrb(wstrb),
        .m_axi_bvalid(bvalid),
        .m_axi_bready(bready),
        .m_axi_bresp(bresp),
        .m_axi_arvalid(arvalid),
        .m_axi_arready(arready),
        .m_axi_araddr(araddr),
        .m_axi_arprot(arprot),
        .m_axi_rvalid(rvalid),
        .m_axi_rready(rready),
        .m_axi_rdata(rdata),
        .m_axi_rresp(rresp)
    );

    ring4_network network (
        .clk(clk),
        .rst(rst),
        .s_axi_awvalid(awvalid),
        .s_axi_awready(awready),
        .s_axi_awaddr(awaddr),
        .s_axi_awprot(awprot),
        .s_axi_wvalid(wvalid),
        .s_axi_wready(wready),
        .s_axi_wdata(wdata),
        .s_axi_wstrb(wstrb),
        .s_axi_bvalid(bvalid),
        .s_axi_bready(bready),
        .s_axi_bresp(bresp),
        .s_axi_arvalid(arvalid),
        .s_axi_arready(arready),
        .s_axi_araddr(araddr),
        .s_axi_arprot(arprot),
        .s_axi_rvalid(rvalid),
        .s_axi_rready(rready),
        .s_axi_rdata(rdata),
        .s_axi_rresp(rresp),
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
