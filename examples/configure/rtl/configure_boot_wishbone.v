// SPDX-License-Identifier: Apache-2.0
//
// configure_boot_wishbone: a Wishbone master that configures programmable routers without a
// processor, after reset and when `start` is high.
//
// The network delivers accepted messages before the configuration changes. It accepts no
// messages until `ready`.

`default_nettype none

module configure_boot_wishbone (
    input  wire        clk,
    input  wire        rst,
    input  wire        start,       // one-cycle pulse: configure again; ignored while busy
    input  wire [1:0]  preference,  // must be stable while busy
    output wire        ready,
    output wire        failed,      // illegal machine, or a bus error
    output wire        wb_cyc_o,
    output wire        wb_stb_o,
    output wire        wb_we_o,
    output wire [7:0]  wb_adr_o,
    output wire [31:0] wb_dat_o,
    output wire [3:0]  wb_sel_o,
    input  wire [31:0] wb_dat_i,
    input  wire        wb_ack_i,
    input  wire        wb_err_i
);

    // Registers and their fields, from registers/hc_registers.vh.
    localparam [7:0] CONTROL = 8'h04;
    localparam [7:0] STATUS = 8'h08;
    localparam [7:0] RANK = 8'h0c;
    localparam [7:0] PREFERENCE = 8'h10;
    localparam [7:0] DIMENSION = 8'h20;
    localparam integer DONE = 0;
    localparam integer ERROR = 1;

    localparam [2:0] WAIT = 3'd4;  // reads the status
    localparam [2:0] READY = 3'd5;
    localparam [2:0] FAILED = 3'd6;

    reg [2:0]  step_q;
    reg [39:0] access;  // address and data

    always @* begin
        case (step_q)
            3'd0: access = {RANK, 32'd1};
            3'd1: access = {PREFERENCE, 30'd0, preference};
            3'd2: access = {DIMENSION, 16'd1, 16'd4};  // rho, m
            3'd3: access = {CONTROL, 32'd1};
            default: access = {STATUS, 32'd0};
        endcase
    end

    wire unused = &{1'b0, wb_dat_i[31:2]};

    assign ready = step_q == READY;
    assign failed = step_q == FAILED;
    assign wb_cyc_o = step_q <= WAIT;
    assign wb_stb_o = wb_cyc_o;
    assign wb_we_o = step_q != WAIT;
    assign {wb_adr_o, wb_dat_o} = access;
    assign wb_sel_o = 4'b1111;

    always @(posedge clk) begin
        if (!wb_cyc_o) begin
            if (start) step_q <= 3'd0;
        end else if (wb_err_i) begin
            step_q <= FAILED;
        end else if (wb_ack_i) begin
            if (step_q != WAIT) step_q <= step_q + 3'd1;
            else if (wb_dat_i[ERROR]) step_q <= FAILED;
            else if (wb_dat_i[DONE]) step_q <= READY;
        end

        if (rst) step_q <= 3'd0;
    end

endmodule

`default_nettype wire
