// SPDX-License-Identifier: Apache-2.0
//
// configure_boot_axi4lite: an AXI4-Lite master that configures programmable routers without a
// processor, after reset and when `start` is high.
//
// Address and data of a write are offered together and accepted independently. The next access
// begins after an OKAY response.
//
// The network delivers accepted messages before the configuration changes. It accepts no
// messages until `ready`.

`default_nettype none

module configure_boot_axi4lite (
    input  wire        clk,
    input  wire        rst,
    input  wire        start,       // one-cycle pulse: configure again; ignored while busy
    input  wire [1:0]  preference,  // must be stable while busy
    output wire        ready,
    output wire        failed,      // illegal machine, or a bus error
    output wire        m_axi_awvalid,
    input  wire        m_axi_awready,
    output wire [7:0]  m_axi_awaddr,
    output wire [2:0]  m_axi_awprot,
    output wire        m_axi_wvalid,
    input  wire        m_axi_wready,
    output wire [31:0] m_axi_wdata,
    output wire [3:0]  m_axi_wstrb,
    input  wire        m_axi_bvalid,
    output wire        m_axi_bready,
    input  wire [1:0]  m_axi_bresp,
    output wire        m_axi_arvalid,
    input  wire        m_axi_arready,
    output wire [7:0]  m_axi_araddr,
    output wire [2:0]  m_axi_arprot,
    input  wire        m_axi_rvalid,
    output wire        m_axi_rready,
    input  wire [31:0] m_axi_rdata,
    input  wire [1:0]  m_axi_rresp
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

    localparam [1:0] OKAY = 2'b00;

    reg [2:0]  step_q;
    reg        asked_q;    // the access of this step has been offered
    reg        address_q;  // its address has not been accepted yet
    reg        data_q;     // its data have not been accepted yet
    reg [39:0] access_q;   // address and data, held while they are on offer
    reg [39:0] access;

    always @* begin
        case (step_q)
            3'd0: access = {RANK, 32'd1};
            3'd1: access = {PREFERENCE, 30'd0, preference};
            3'd2: access = {DIMENSION, 16'd1, 16'd4};  // rho, m
            3'd3: access = {CONTROL, 32'd1};
            default: access = {STATUS, 32'd0};
        endcase
    end

    wire unused = &{1'b0, m_axi_rdata[31:2]};

    wire busy    = step_q <= WAIT;
    wire reading = step_q == WAIT;

    assign ready  = step_q == READY;
    assign failed = step_q == FAILED;

    assign m_axi_awvalid = address_q & !reading;
    assign m_axi_awaddr  = access_q[39:32];
    assign m_axi_awprot  = 3'b000;
    assign m_axi_wvalid  = data_q;
    assign m_axi_wdata   = access_q[31:0];
    assign m_axi_wstrb   = 4'b1111;
    assign m_axi_bready  = asked_q & !reading;
    assign m_axi_arvalid = address_q & reading;
    assign m_axi_araddr  = access_q[39:32];
    assign m_axi_arprot  = 3'b000;
    assign m_axi_rready  = asked_q & reading;

    wire       address_taken = reading ? m_axi_arready : m_axi_awready;
    wire       answered      = reading ? m_axi_rvalid : m_axi_bvalid;
    wire [1:0] answer        = reading ? m_axi_rresp : m_axi_bresp;

    always @(posedge clk) begin
        if (address_taken) address_q <= 1'b0;
        if (m_axi_wready) data_q <= 1'b0;
        if (!busy) begin
            if (start) step_q <= 3'd0;
        end else if (!asked_q) begin
            asked_q   <= 1'b1;
            address_q <= 1'b1;
            data_q    <= !reading;
            access_q  <= access;
        end else if (answered) begin
            asked_q <= 1'b0;
            if (answer != OKAY) step_q <= FAILED;
            else if (!reading) step_q <= step_q + 3'd1;
            else if (m_axi_rdata[ERROR]) step_q <= FAILED;
            else if (m_axi_rdata[DONE]) step_q <= READY;
        end

        if (rst) begin
            step_q    <= 3'd0;
            asked_q   <= 1'b0;
            address_q <= 1'b0;
            data_q    <= 1'b0;
        end
    end

endmodule

`default_nettype wire
