// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_axi4lite: an AXI4-Lite slave of 32 bits, which passes accesses on to the registers of a
// programmable router (hc_config_registers). These respond in the same cycle.
//
// A write is accepted when both its address and its data are valid. A read is accepted when no
// write is accepted in the same cycle. Addresses are in bytes; the lowest two bits and the
// protection bits are ignored.
//
// Latency: the access is accepted in the cycle after it is offered, and the response follows one
// cycle later. All outputs are registers. Backpressure: an access waits until the previous response
// has left. A refused access is answered with SLVERR.

`default_nettype none

module hc_axi4lite (
    input  wire        clk,
    input  wire        rst,
    input  wire        s_axi_awvalid,
    output wire        s_axi_awready,
    input  wire [7:0]  s_axi_awaddr,
    input  wire [2:0]  s_axi_awprot,
    input  wire        s_axi_wvalid,
    output wire        s_axi_wready,
    input  wire [31:0] s_axi_wdata,
    input  wire [3:0]  s_axi_wstrb,
    output reg         s_axi_bvalid,
    input  wire        s_axi_bready,
    output reg  [1:0]  s_axi_bresp,
    input  wire        s_axi_arvalid,
    output wire        s_axi_arready,
    input  wire [7:0]  s_axi_araddr,
    input  wire [2:0]  s_axi_arprot,
    output reg         s_axi_rvalid,
    input  wire        s_axi_rready,
    output reg  [31:0] s_axi_rdata,
    output reg  [1:0]  s_axi_rresp,
    output wire        write,       // write access to a register, for one cycle
    output wire        whole,       // the write has all byte strobes
    output wire [5:0]  address,     // address of the access, in words
    output wire [31:0] write_data,  // data to write
    input  wire [31:0] read_data,   // data of the register at the address
    input  wire        refused      // the access is an error and has no effect
);

    wire unused = &{1'b0, s_axi_awaddr[1:0], s_axi_araddr[1:0], s_axi_awprot, s_axi_arprot};

    reg  write_q;  // the write is accepted in this cycle
    reg  read_q;
    wire write_free = !s_axi_bvalid | s_axi_bready;
    wire read_free  = !s_axi_rvalid | s_axi_rready;
    wire write_next = s_axi_awvalid & s_axi_wvalid & !write_q & write_free;
    wire read_next  = s_axi_arvalid & !read_q & read_free & !write_next;

    assign s_axi_awready = write_q;
    assign s_axi_wready  = write_q;
    assign s_axi_arready = read_q;

    assign write      = write_q;
    assign whole      = &s_axi_wstrb;
    assign address    = write_q ? s_axi_awaddr[7:2] : s_axi_araddr[7:2];
    assign write_data = s_axi_wdata;

    always @(posedge clk) begin
        write_q <= write_next;
        read_q  <= read_next;
        if (s_axi_bready) s_axi_bvalid <= 1'b0;
        if (s_axi_rready) s_axi_rvalid <= 1'b0;
        if (write_q) begin
            s_axi_bvalid <= 1'b1;
            s_axi_bresp  <= {refused, 1'b0};
        end
        if (read_q) begin
            s_axi_rvalid <= 1'b1;
            s_axi_rresp  <= {refused, 1'b0};
            s_axi_rdata  <= read_data;
        end
        if (rst) begin
            write_q      <= 1'b0;
            read_q       <= 1'b0;
            s_axi_bvalid <= 1'b0;
            s_axi_rvalid <= 1'b0;
        end
    end

endmodule

`default_nettype wire
