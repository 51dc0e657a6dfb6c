// SPDX-License-Identifier: Apache-2.0
//
// A programmable router of the prototype's limits, 8-bit payload and Wishbone, behind
// three pins, for placement and routing.
//
// Links, their ready and paces come from registers. In a network these belong to the neighbours;
// here each port is connected to the registers of another port of the same router. Headers come
// from payloads, so that they are arbitrary. Bus and node are block memories. So all paths start
// and end at the clock, and the wrapper takes almost no logic cells. Not for use in a design.

`default_nettype none

module hc_router_programmable_pins #(
    parameter integer DEGREE = 16  // ports of the router, 1 to 16
) (
    input  wire clk_pin,
    input  wire load,
    output wire sign
);

    localparam integer WORDS     = 4;   // of 16 bits
    localparam integer LINK_BITS = 14;  // {wd, wc, payload}
    localparam integer WORD_BITS = 11;  // {wc, payload}

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
    assign sign = inputs[16*(WORDS-1)];

    // The links.
    wire [DEGREE-1:0]           out_valid;
    wire [DEGREE-1:0]           in_ready;
    wire [DEGREE*LINK_BITS-1:0] out_data;
    wire [DEGREE-1:0]           header_error;
    wire [DEGREE-1:0]           out_ready;
    wire [1:0]                  pace;
    reg  [2*DEGREE+1:0]         paces_q;  // of ever older cycles
    always @(posedge clk) paces_q <= {paces_q[2*DEGREE-1:0], pace};
    wire [DEGREE-1:0]           in_valid;
    wire [DEGREE*LINK_BITS-1:0] in_data;
    generate
        for (i = 0; i < DEGREE; i = i + 1) begin : link
            localparam integer FROM = (i + 1) % DEGREE;
            localparam integer WD   = (i + 2) % DEGREE;
            assign in_valid[i] = out_valid[FROM];
            assign in_data[i*LINK_BITS+:LINK_BITS] = {out_data[WD*LINK_BITS+:3], out_data[FROM*LINK_BITS+:WORD_BITS]};
            assign out_ready[FROM] = in_ready[i];
        end
    endgenerate

    // The node.
    reg local_valid_q;
    reg local_ready_q;
    reg taken_q;
    wire local_ready;
    always @(posedge clk) begin
        local_valid_q <= inputs[48];
        local_ready_q <= inputs[49];
        taken_q       <= local_ready;
    end

    assign outputs[5] = taken_q;

    wire        write;
    wire        whole;
    wire [5:0]  address;
    wire [31:0] write_data;
    wire [31:0] read_data;
    wire        refused;
    wire        unused_destination_error;

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
        .drained(inputs[50]),
        .s_axis_link_tvalid(in_valid),
        .s_axis_link_tready(in_ready),
        .s_axis_link_tdata(in_data),
        .m_axis_link_tvalid(out_valid),
        .m_axis_link_tready(out_ready),
        .m_axis_link_tdata(out_data),
        .s_axis_local_tvalid(local_valid_q),
        .s_axis_local_tready(local_ready),
        .s_axis_local_tdata(inputs[63:56]),
        .s_axis_local_tdest(1'b0),
        .node_digits(1'b0),
        .m_axis_local_tvalid(outputs[6]),
        .m_axis_local_tready(local_ready_q),
        .m_axis_local_tdata(outputs[15:8]),
        .pace(pace),
        .link_pace(paces_q[2*DEGREE-1:0]),
        .destination_error(unused_destination_error),
        .header_error(header_error)
    );
    assign outputs[7] = load;
    generate
        for (i = 0; i < 16; i = i + 1) begin : errors
            if (i < DEGREE) begin : there
                assign outputs[48+i] = header_error[i];
            end else begin : none
                assign outputs[48+i] = 1'b0;
            end
        end
    endgenerate

endmodule

`default_nettype wire
