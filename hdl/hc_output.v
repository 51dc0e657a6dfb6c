// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_output: a register that drives an AXI4-Stream output.
//
// Latency: one cycle. Backpressure: the register accepts a word if it is empty or its word leaves
// in this cycle.

`default_nettype none

module hc_output #(
    parameter integer WORD_BITS = 8  // bits of a word, 1 or more
) (
    input  wire                 clk,
    input  wire                 rst,
    output wire                 ready,  // the register accepts a word in this cycle
    input  wire                 valid,  // `data` is a word to store
    input  wire [WORD_BITS-1:0] data,
    output wire                 m_axis_tvalid,
    input  wire                 m_axis_tready,
    output wire [WORD_BITS-1:0] m_axis_tdata
);

    reg                 full_q;
    reg [WORD_BITS-1:0] data_q;

    assign ready = !full_q | m_axis_tready;

    always @(posedge clk) begin
        if (ready) data_q <= data;
        full_q <= valid | !ready;
        if (rst) full_q <= 1'b0;
    end

    assign m_axis_tvalid = full_q;
    assign m_axis_tdata  = data_q;

endmodule

`default_nettype wire
