// SPDX-License-Identifier: Apache-2.0
//
// manycore_core: the core of a node, SERV, with one Wishbone master for instructions and data. SERV has a bus for each, and never
// uses both at once. It has no input for bus errors, so an access that is refused ends like any other.

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

    wire [31:0] fetch_address, data_address;
    wire        fetch, access, write;
    wire [3:0]  strobes;
    wire        unused_mdu;
    wire [31:0] unused_rs1, unused_rs2;
    wire [2:0]  unused_funct3;

    assign wb_cyc_o = fetch | access;
    assign wb_we_o  = write & !fetch;
    assign wb_adr_o = fetch ? fetch_address : data_address;
    assign wb_sel_o = fetch ? 4'b1111 : strobes;

    serv_rf_top #(
        .RESET_PC(32'd0),
        .WITH_CSR(0)
    ) serv (
        .clk(clk),
        .i_rst(rst),
        .i_timer_irq(1'b0),
        .o_ibus_adr(fetch_address),
        .o_ibus_cyc(fetch),
        .i_ibus_rdt(wb_dat_i),
        .i_ibus_ack(wb_ack_i & fetch),
        .o_dbus_adr(data_address),
        .o_dbus_dat(wb_dat_o),
        .o_dbus_sel(strobes),
        .o_dbus_we(write),
        .o_dbus_cyc(access),
        .i_dbus_rdt(wb_dat_i),
        .i_dbus_ack(wb_ack_i & !fetch),
        .o_ext_rs1(unused_rs1),
        .o_ext_rs2(unused_rs2),
        .o_ext_funct3(unused_funct3),
        .i_ext_rd(32'd0),
        .i_ext_ready(1'b0),
        .o_mdu_valid(unused_mdu)
    );

endmodule

`default_nettype wire
