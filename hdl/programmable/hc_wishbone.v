// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_wishbone: a Wishbone B4 slave for classic standard cycles of 32 bits, which passes accesses on
// to the registers of a programmable router (hc_config_registers). These respond in the same cycle.
//
// Latency: ack or err is high for one cycle, the cycle after stb rises. A refused access ends with
// err. Addresses are in bytes; the lowest two bits are ignored.

`default_nettype none

module hc_wishbone (
    input  wire        clk,
    input  wire        rst,
    input  wire        wb_cyc_i,
    input  wire        wb_stb_i,
    input  wire        wb_we_i,
    input  wire [7:0]  wb_adr_i,
    input  wire [31:0] wb_dat_i,
    input  wire [3:0]  wb_sel_i,
    output reg  [31:0] wb_dat_o,
    output reg         wb_ack_o,
    output reg         wb_err_o,
    output wire        write,       // write access to a register, for one cycle
    output wire        whole,       // the write has all byte strobes
    output wire [5:0]  address,     // address of the access, in words
    output wire [31:0] write_data,  // data to write
    input  wire [31:0] read_data,   // data of the register at the address
    input  wire        refused      // the access is an error and has no effect
);

    wire unused = &{1'b0, wb_adr_i[1:0]};
    wire strobe = wb_cyc_i & wb_stb_i & !wb_ack_o & !wb_err_o;

    assign write      = strobe & wb_we_i;
    assign whole      = &wb_sel_i;
    assign address    = wb_adr_i[7:2];
    assign write_data = wb_dat_i;

    always @(posedge clk) begin
        wb_dat_o <= read_data;
        wb_ack_o <= strobe & !refused;
        wb_err_o <= strobe & refused;
        if (rst) begin
            wb_ack_o <= 1'b0;
            wb_err_o <= 1'b0;
        end
    end

endmodule

`default_nettype wire
