// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_endpoint_wishbone: a Wishbone B4 slave for classic standard cycles of 32 bits, which passes
// accesses on to an endpoint. An access takes as long as the endpoint needs.
//
// Latency: none from stb to access; ack or err is high for one cycle, the cycle after done. A refused
// access ends with err. Addresses are in bytes; the lowest two bits are ignored.
//
// A master must hold its access until it is answered.

`default_nettype none

module hc_endpoint_wishbone #(
    parameter integer BUS_BITS = 32  // bits of an address, 3 to 32
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                wb_cyc_i,
    input  wire                wb_stb_i,
    input  wire                wb_we_i,
    input  wire [BUS_BITS-1:0] wb_adr_i,
    input  wire [31:0]         wb_dat_i,
    input  wire [3:0]          wb_sel_i,
    output reg  [31:0]         wb_dat_o,
    output reg                 wb_ack_o,
    output reg                 wb_err_o,
    output wire                access,          // an access is under way, until it is done
    output wire                access_write,
    output wire [BUS_BITS-3:0] access_address,  // in words
    output wire [3:0]          access_strobes,
    output wire [31:0]         access_data,
    input  wire                done,            // the access ends in this cycle
    input  wire                refused,         // with done: as a bus error
    input  wire [31:0]         read_data        // with done
);

    wire unused = &{1'b0, wb_adr_i[1:0]};

    assign access         = wb_cyc_i & wb_stb_i & !wb_ack_o & !wb_err_o;
    assign access_write   = wb_we_i;
    assign access_address = wb_adr_i[BUS_BITS-1:2];
    assign access_strobes = wb_sel_i;
    assign access_data    = wb_dat_i;

    always @(posedge clk) begin
        wb_dat_o <= read_data;
        wb_ack_o <= access & done & !refused;
        wb_err_o <= access & done & refused;
        if (rst) begin
            wb_ack_o <= 1'b0;
            wb_err_o <= 1'b0;
        end
    end

endmodule

`default_nettype wire
