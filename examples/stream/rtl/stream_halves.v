// SPDX-License-Identifier: Apache-2.0
//
// stream_halves: sends every word of a stream as two words of half its width, the upper half first.
//
// Latency: one cycle to the upper half. Backpressure: ready when both halves have left.

`default_nettype none

module stream_halves #(
    parameter integer HALF_BITS = 16
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   s_axis_tvalid,
    output wire                   s_axis_tready,
    input  wire [2*HALF_BITS-1:0] s_axis_tdata,
    output wire                   m_axis_tvalid,
    input  wire                   m_axis_tready,
    output wire [HALF_BITS-1:0]   m_axis_tdata
);

    reg [1:0]             left_q;  // halves that have not left
    reg [2*HALF_BITS-1:0] data_q;

    assign s_axis_tready = left_q == 2'd0;
    assign m_axis_tvalid = left_q != 2'd0;
    assign m_axis_tdata = data_q[HALF_BITS+:HALF_BITS];

    always @(posedge clk) begin
        if (s_axis_tready) begin
            data_q <= s_axis_tdata;
            if (s_axis_tvalid) left_q <= 2'd2;
        end else if (m_axis_tready) begin
            data_q <= data_q << HALF_BITS;
            left_q <= left_q - 2'd1;
        end

        if (rst) left_q <= 2'd0;
    end

endmodule

`default_nettype wire
