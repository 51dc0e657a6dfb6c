// SPDX-License-Identifier: Apache-2.0
//
// board_fifo: a queue of 2^ADDRESS_BITS words in block RAM, and one more word at its output.
//
// Latency: two cycles. Backpressure: ready while the memory has room.

`default_nettype none

module board_fifo #(
    parameter integer WIDTH        = 8,  // bits of a word
    parameter integer ADDRESS_BITS = 9   // of the memory, 1 or more
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

    localparam [ADDRESS_BITS:0] ONE = 1;

    reg [WIDTH-1:0]      words [0:(1<<ADDRESS_BITS)-1];
    reg [ADDRESS_BITS:0] write_q;  // one bit more than an address, to distinguish a full memory from an empty one
    reg [ADDRESS_BITS:0] read_q;
    reg                  valid_q;
    reg [WIDTH-1:0]      head_q;

    wire empty = write_q == read_q;
    wire full = write_q == {!read_q[ADDRESS_BITS], read_q[ADDRESS_BITS-1:0]};
    wire write = s_axis_tvalid & s_axis_tready;
    wire fetch = !empty & (!valid_q | m_axis_tready);

    assign s_axis_tready = !full;
    assign m_axis_tvalid = valid_q;
    assign m_axis_tdata = head_q;

    always @(posedge clk) begin
        if (write) words[write_q[ADDRESS_BITS-1:0]] <= s_axis_tdata;
        if (fetch) head_q <= words[read_q[ADDRESS_BITS-1:0]];

        if (write) write_q <= write_q + ONE;
        if (fetch) read_q <= read_q + ONE;
        valid_q <= fetch | (valid_q & !m_axis_tready);

        if (rst) begin
            write_q <= {ADDRESS_BITS + 1{1'b0}};
            read_q <= {ADDRESS_BITS + 1{1'b0}};
            valid_q <= 1'b0;
        end
    end

endmodule

`default_nettype wire
