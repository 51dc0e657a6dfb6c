// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_endpoint_axi4lite: an AXI4-Lite slave of 32 bits, which passes accesses on to an endpoint, one at
// a time. An access takes as long as the endpoint needs.
//
// A write begins when both its address and its data are valid. If a read could begin as well, the one of the
// other kind than the access before begins: neither can wait for ever.
// Addresses are in bytes; the lowest two bits and the protection bits are ignored. A refused access is
// answered with SLVERR.
//
// Latency: the access begins in the cycle after it is offered. The ready signals are high in the cycle in
// which it is done, and the response is valid from the next cycle on. Backpressure: an access waits until
// the previous response of its kind has left.

`default_nettype none

module hc_endpoint_axi4lite #(
    parameter integer BUS_BITS = 32  // bits of an address, 3 to 32
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                s_axi_awvalid,
    output wire                s_axi_awready,
    input  wire [BUS_BITS-1:0] s_axi_awaddr,
    input  wire [2:0]          s_axi_awprot,
    input  wire                s_axi_wvalid,
    output wire                s_axi_wready,
    input  wire [31:0]         s_axi_wdata,
    input  wire [3:0]          s_axi_wstrb,
    output reg                 s_axi_bvalid,
    input  wire                s_axi_bready,
    output reg  [1:0]          s_axi_bresp,
    input  wire                s_axi_arvalid,
    output wire                s_axi_arready,
    input  wire [BUS_BITS-1:0] s_axi_araddr,
    input  wire [2:0]          s_axi_arprot,
    output reg                 s_axi_rvalid,
    input  wire                s_axi_rready,
    output reg  [31:0]         s_axi_rdata,
    output reg  [1:0]          s_axi_rresp,
    output wire                access,          // an access is under way, until it is done
    output wire                access_write,
    output wire [BUS_BITS-3:0] access_address,  // in words
    output wire [3:0]          access_strobes,
    output wire [31:0]         access_data,
    input  wire                done,            // the access ends in this cycle
    input  wire                refused,         // with done: as a bus error
    input  wire [31:0]         read_data        // with done
);

    wire unused = &{1'b0, s_axi_awaddr[1:0], s_axi_araddr[1:0], s_axi_awprot, s_axi_arprot};

    reg  write_q;  // a write is under way
    reg  read_q;   // a read is under way
    wire idle       = !write_q & !read_q;
    wire write_free = !s_axi_bvalid | s_axi_bready;
    wire read_free  = !s_axi_rvalid | s_axi_rready;
    reg  wrote_q;  // the access before was a write
    wire can_write  = s_axi_awvalid & s_axi_wvalid & write_free;
    wire can_read   = s_axi_arvalid & read_free;
    wire write_next = idle & can_write & !(can_read & wrote_q);
    wire read_next  = idle & can_read & !write_next;

    assign s_axi_awready = write_q & done;
    assign s_axi_wready  = write_q & done;
    assign s_axi_arready = read_q & done;

    assign access         = write_q | read_q;
    assign access_write   = write_q;
    assign access_address = write_q ? s_axi_awaddr[BUS_BITS-1:2] : s_axi_araddr[BUS_BITS-1:2];
    assign access_strobes = s_axi_wstrb;
    assign access_data    = s_axi_wdata;

    always @(posedge clk) begin
        write_q <= write_next | (write_q & !done);
        read_q  <= read_next | (read_q & !done);
        if (write_q | read_q) wrote_q <= write_q;
        if (s_axi_bready) s_axi_bvalid <= 1'b0;
        if (s_axi_rready) s_axi_rvalid <= 1'b0;
        if (write_q & done) begin
            s_axi_bvalid <= 1'b1;
            s_axi_bresp  <= {refused, 1'b0};
        end
        if (read_q & done) begin
            s_axi_rvalid <= 1'b1;
            s_axi_rresp  <= {refused, 1'b0};
            s_axi_rdata  <= read_data;
        end
        if (rst) begin
            write_q      <= 1'b0;
            read_q       <= 1'b0;
            wrote_q      <= 1'b0;
            s_axi_bvalid <= 1'b0;
            s_axi_rvalid <= 1'b0;
        end
    end

endmodule

`default_nettype wire
