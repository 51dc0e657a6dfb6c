// SPDX-License-Identifier: Apache-2.0
//
// A programmable router of the prototype's limits, 8-bit payload and Wishbone, behind
// three pins, for placement and routing.
//
// All inputs come from block memories and all outputs go into them, so that paths start
// and end at the clock and no logic cell is spent on it. Not for use in a design.

`default_nettype none

module programmable_pins #(
    parameter integer DEGREE = 16  // ports of the router, 1 to 16
) (
    input  wire clk_pin,
    input  wire load,
    output wire sign
);

    localparam WORDS = 20;  // of 16 bits

    // An explicit clock buffer: other nets are left off the global network.
    wire clk;
    SB_GB clock_buffer (
        .USER_SIGNAL_TO_GLOBAL_BUFFER(clk_pin),
        .GLOBAL_BUFFER_OUTPUT(clk)
    );

    wire [16*WORDS-1:0] inputs;
    wire [16*WORDS-1:0] outputs;
    reg  [7:0]          address_q;
    always @(posedge clk) address_q <= {address_q[6:0], load ^ address_q[7]};

    genvar i;
    generate
        for (i = 0; i < WORDS; i = i + 1) begin : word
            (* no_rw_check *) reg [15:0] memory [0:255];
            reg [15:0] read_q;
            always @(posedge clk) begin
                read_q            <= memory[address_q];
                memory[address_q] <= outputs[16*i+:16];
            end
            assign inputs[16*i+:16] = read_q;
        end
    endgenerate
    assign sign = inputs[16*(WORDS-1)];  // of header_error

    wire        write;
    wire        whole;
    wire [5:0]  address;
    wire [31:0] write_data;
    wire [31:0] read_data;
    wire        refused;

    hc_wishbone bridge (
        .clk(clk),
        .rst(inputs[0]),
        .wb_cyc_i(inputs[1]),
        .wb_stb_i(inputs[2]),
        .wb_we_i(inputs[3]),
        .wb_adr_i(inputs[15:8]),
        .wb_dat_i(inputs[47:16]),
        .wb_sel_i(inputs[7:4]),
        .wb_dat_o(outputs[47:16]),
        .wb_ack_o(outputs[0]),
        .wb_err_o(outputs[1]),
        .write(write),
        .whole(whole),
        .address(address),
        .write_data(write_data),
        .read_data(read_data),
        .refused(refused)
    );

    hc_router_programmable #(
        .DEGREE(DEGREE)
    ) router (
        .clk(clk),
        .rst(inputs[0]),
        .write(write),
        .whole(whole),
        .address(address),
        .write_data(write_data),
        .read_data(read_data),
        .refused(refused),
        .configured(outputs[2]),
        .illegal(outputs[3]),
        .idle(outputs[4]),
        .drained(inputs[304]),
        .s_axis_link_tvalid(inputs[48+:DEGREE]),
        .s_axis_link_tready(outputs[48+:DEGREE]),
        .s_axis_link_tdata(inputs[80+:14*DEGREE]),
        .m_axis_link_tvalid(outputs[64+:DEGREE]),
        .m_axis_link_tready(inputs[64+:DEGREE]),
        .m_axis_link_tdata(outputs[80+:14*DEGREE]),
        .s_axis_local_tvalid(inputs[305]),
        .s_axis_local_tready(outputs[5]),
        .s_axis_local_tdata(inputs[314:307]),
        .m_axis_local_tvalid(outputs[6]),
        .m_axis_local_tready(inputs[306]),
        .m_axis_local_tdata(outputs[15:8]),
        .header_error(outputs[304+:DEGREE])
    );
    assign outputs[7] = load;
    generate
        if (DEGREE < 16) begin : fewer
            assign outputs[63:48+DEGREE]     = {16 - DEGREE{1'b0}};
            assign outputs[79:64+DEGREE]     = {16 - DEGREE{1'b0}};
            assign outputs[303:80+14*DEGREE] = {14 * (16 - DEGREE){1'b0}};
            assign outputs[319:304+DEGREE]   = {16 - DEGREE{1'b0}};
        end
    endgenerate

endmodule

`default_nettype wire
