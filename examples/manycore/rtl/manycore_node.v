// SPDX-License-Identifier: Apache-2.0
//
// manycore_node: the core of a node, and devices beside the endpoint. The core's addresses from 0x80000000 on are these devices,
// all others go to the endpoint.
//
//     offset  device    read                                  write
//     0x00    SUM       the sum that the network has given    the word that the network adds next
//     0x04    SUMMED    1: SUM is the sum for the last word
//     0x08    CYCLE     clock cycles since the reset
//     0x0c    TEXT      1: the text stream accepts a byte     a byte for the text stream; lost if it does not accept
//     0x10    END                                             the program has ended
//
// Every access of a device ends one cycle after it began.

`default_nettype none

module manycore_node (
    input  wire        clk,
    input  wire        rst,         // of the core and the devices
    // Bus of the endpoint
    output wire        wb_cyc_o,
    output wire        wb_we_o,
    output wire [31:0] wb_adr_o,
    output wire [31:0] wb_dat_o,
    output wire [3:0]  wb_sel_o,
    input  wire [31:0] wb_dat_i,
    input  wire        wb_ack_i,
    input  wire        wb_err_i,
    // Collective network
    input  wire        start,       // the network begins a sum
    output wire        part_valid,
    output wire [31:0] part,
    input  wire        sum_valid,
    input  wire [31:0] sum,
    // Others
    input  wire [31:0] cycle,
    output wire        m_axis_text_tvalid,
    input  wire        m_axis_text_tready,
    output wire [7:0]  m_axis_text_tdata,
    output wire        ended
);

    localparam [2:0] SUM = 3'd0, SUMMED = 3'd1, CYCLE = 3'd2, TEXT = 3'd3, END = 3'd4;

    wire        core_cyc, ack;
    wire [31:0] core_data;
    wire        device = wb_adr_o[31];
    wire        access = core_cyc & device & !device_ack_q;
    wire        write  = access & wb_we_o;
    wire [2:0]  number = wb_adr_o[4:2];

    reg         device_ack_q;
    reg  [31:0] device_data_q;
    reg  [31:0] part_q;
    reg         part_valid_q;
    reg         started_q;    // the network samples the word at the end of this cycle
    reg  [31:0] sum_q;
    reg         summed_q;

    assign wb_cyc_o  = core_cyc & !device;
    assign ack       = wb_ack_i | wb_err_i | device_ack_q;
    assign core_data = device_ack_q ? device_data_q : wb_dat_i;

    assign part       = part_q;
    assign part_valid = part_valid_q;

    assign m_axis_text_tvalid = write & (number == TEXT);
    assign m_axis_text_tdata  = wb_dat_o[7:0];
    assign ended              = write & (number == END);

    always @(posedge clk) begin
        device_ack_q <= access;
        case (number)
            SUM: device_data_q <= sum_q;
            SUMMED: device_data_q <= {31'd0, summed_q};
            CYCLE: device_data_q <= cycle;
            default: device_data_q <= {31'd0, m_axis_text_tready};
        endcase

        started_q <= start;
        if (started_q) part_valid_q <= 1'b0;
        if (sum_valid) begin
            sum_q <= sum;
            summed_q <= 1'b1;
        end
        if (write & (number == SUM)) begin
            part_q <= wb_dat_o;
            part_valid_q <= 1'b1;
            summed_q <= 1'b0;
        end

        if (rst) begin
            device_ack_q <= 1'b0;
            part_valid_q <= 1'b0;
            started_q <= 1'b0;
            summed_q <= 1'b0;
        end
    end

    manycore_core core (
        .clk(clk),
        .rst(rst),
        .wb_cyc_o(core_cyc),
        .wb_we_o(wb_we_o),
        .wb_adr_o(wb_adr_o),
        .wb_dat_o(wb_dat_o),
        .wb_sel_o(wb_sel_o),
        .wb_dat_i(core_data),
        .wb_ack_i(ack)
    );

endmodule

`default_nettype wire
