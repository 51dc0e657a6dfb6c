// SPDX-License-Identifier: Apache-2.0
//
// The configuration behind a bus, for its bench.

`default_nettype none

module configured_axi4lite (
    input  wire         clk,
    input  wire         rst,
    input  wire         s_axi_awvalid,
    output wire         s_axi_awready,
    input  wire [7:0]   s_axi_awaddr,
    input  wire [2:0]   s_axi_awprot,
    input  wire         s_axi_wvalid,
    output wire         s_axi_wready,
    input  wire [31:0]  s_axi_wdata,
    input  wire [3:0]   s_axi_wstrb,
    output wire         s_axi_bvalid,
    input  wire         s_axi_bready,
    output wire [1:0]   s_axi_bresp,
    input  wire         s_axi_arvalid,
    output wire         s_axi_arready,
    input  wire [7:0]   s_axi_araddr,
    input  wire [2:0]   s_axi_arprot,
    output wire         s_axi_rvalid,
    input  wire         s_axi_rready,
    output wire [31:0]  s_axi_rdata,
    output wire [1:0]   s_axi_rresp,
    input  wire         drained,
    input  wire         idle,
    input  wire         accepted,
    input  wire [15:0]  forwarded,
    input  wire         delivered,
    input  wire [15:0]  dropped,
    output wire         accepting,
    output wire         running,
    output wire         will_run,
    output wire         error,
    output wire [191:0] ports
);

    wire        write;
    wire        whole;
    wire [5:0]  address;
    wire [31:0] write_data;
    wire [31:0] read_data;
    wire        refused;
    wire [27:0] unused_rings;
    wire [47:0] unused_distances;

    hc_axi4lite bridge (
        .clk(clk),
        .rst(rst),
        .s_axi_awvalid(s_axi_awvalid),
        .s_axi_awready(s_axi_awready),
        .s_axi_awaddr(s_axi_awaddr),
        .s_axi_awprot(s_axi_awprot),
        .s_axi_wvalid(s_axi_wvalid),
        .s_axi_wready(s_axi_wready),
        .s_axi_wdata(s_axi_wdata),
        .s_axi_wstrb(s_axi_wstrb),
        .s_axi_bvalid(s_axi_bvalid),
        .s_axi_bready(s_axi_bready),
        .s_axi_bresp(s_axi_bresp),
        .s_axi_arvalid(s_axi_arvalid),
        .s_axi_arready(s_axi_arready),
        .s_axi_araddr(s_axi_araddr),
        .s_axi_arprot(s_axi_arprot),
        .s_axi_rvalid(s_axi_rvalid),
        .s_axi_rready(s_axi_rready),
        .s_axi_rdata(s_axi_rdata),
        .s_axi_rresp(s_axi_rresp),
        .write(write),
        .whole(whole),
        .address(address),
        .write_data(write_data),
        .read_data(read_data),
        .refused(refused)
    );

    hc_configuration configuration (
        .clk(clk),
        .rst(rst),
        .write(write),
        .whole(whole),
        .address(address),
        .write_data(write_data),
        .read_data(read_data),
        .refused(refused),
        .drained(drained),
        .idle(idle),
        .accepted(accepted),
        .forwarded(forwarded),
        .delivered(delivered),
        .dropped(dropped),
        .accepting(accepting),
        .running(running),
        .will_run(will_run),
        .error(error),
        .rings(unused_rings),
        .distances(unused_distances),
        .ports(ports)
    );

endmodule

`default_nettype wire
