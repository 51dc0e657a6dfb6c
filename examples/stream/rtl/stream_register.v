// SPDX-License-Identifier: Apache-2.0
//
// stream_register: a skid buffer. No combinational path leads through it in either direction, so
// the logic on one side does not affect the clock period of the other.
//
// Latency: one cycle. Backpressure: ready while the second of its two places is free.

`default_nettype none

module stream_register #(
    parameter integer WIDTH = 16
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             s_axis_tvalid,
    output wire             s_axis_tready,
    input  wire [WIDTH-1:0] s_axis_tdata,
    output wire             m_axis_tvalid,
    input  wire             m_axis_tready,
    output wire [WIDTH-1:0] m_axis_tdata
);

    reg             valid_q;
    reg [WIDTH-1:0] data_q;
    reg             spare_valid_q;  // a word arrived while the output was stalled
    reg [WIDTH-1:0] spare_q;

    assign s_axis_tready = !spare_valid_q;
    assign m_axis_tvalid = valid_q;
    assign m_axis_tdata = data_q;

    always @(posedge clk) begin
        if (m_axis_tready | !valid_q) begin
            valid_q <= spare_valid_q | s_axis_tvalid;
            data_q <= spare_valid_q ? spare_q : s_axis_tdata;
            spare_valid_q <= 1'b0;
        end else if (s_axis_tready) begin
            spare_valid_q <= s_axis_tvalid;
            spare_q <= s_axis_tdata;
        end

        if (rst) begin
            valid_q <= 1'b0;
            spare_valid_q <= 1'b0;
        end
    end

endmodule

`default_nettype wire
