// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_wishbone: a Wishbone B4 slave, classic standard cycles of 32 bits, for a strobe interface
// that responds in the same cycle.
//
// Latency: ack or err in the cycle after stb rises, for one cycle. A refused access ends with
// err. Byte addresses; the lowest two bits are ignored.

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
    output wire        write,
    output wire        whole,
    output wire [5:0]  address,
    output wire [31:0] write_data,
    input  wire [31:0] read_data,
    input  wire        refused
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
