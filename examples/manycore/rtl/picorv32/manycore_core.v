// SPDX-License-Identifier: Apache-2.0
//
// manycore_core: the core of a node, PicoRV32, with one Wishbone master. PicoRV32 has no input for bus errors, so an access that is
// refused ends like any other.

`default_nettype none

module manycore_core (
    input  wire        clk,
    input  wire        rst,
    output wire        wb_cyc_o,
    output wire        wb_we_o,
    output wire [31:0] wb_adr_o,
    output wire [31:0] wb_dat_o,
    output wire [3:0]  wb_sel_o,
    input  wire [31:0] wb_dat_i,
    input  wire        wb_ack_i
);

    wire [3:0]  strobes;  // of a write, otherwise 0
    wire        unused_trap, unused_fetch, unused_read, unused_write, unused_pcpi, unused_trace;
    wire [31:0] unused_read_address, unused_write_data, unused_insn, unused_rs1, unused_rs2, unused_eoi;
    wire [3:0]  unused_strobes;
    wire [35:0] unused_trace_data;

    assign wb_we_o  = |strobes;
    assign wb_sel_o = wb_we_o ? strobes : 4'b1111;

    picorv32 #(
        .ENABLE_COUNTERS(0),
        .ENABLE_COUNTERS64(0)
    ) picorv32 (
        .clk(clk),
        .resetn(!rst),
        .trap(unused_trap),
        .mem_valid(wb_cyc_o),
        .mem_instr(unused_fetch),
        .mem_ready(wb_ack_i),
        .mem_addr(wb_adr_o),
        .mem_wdata(wb_dat_o),
        .mem_wstrb(strobes),
        .mem_rdata(wb_dat_i),
        .mem_la_read(unused_read),
        .mem_la_write(unused_write),
        .mem_la_addr(unused_read_address),
        .mem_la_wdata(unused_write_data),
        .mem_la_wstrb(unused_strobes),
        .pcpi_valid(unused_pcpi),
        .pcpi_insn(unused_insn),
        .pcpi_rs1(unused_rs1),
        .pcpi_rs2(unused_rs2),
        .pcpi_wr(1'b0),
        .pcpi_rd(32'd0),
        .pcpi_wait(1'b0),
        .pcpi_ready(1'b0),
        .irq(32'd0),
        .eoi(unused_eoi),
        .trace_valid(unused_trace),
        .trace_data(unused_trace_data)
    );

endmodule

`default_nettype wire
