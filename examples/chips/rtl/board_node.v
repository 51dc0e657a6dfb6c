// SPDX-License-Identifier: Apache-2.0
//
// board_node: a node that broadcasts in rounds, and checks what it receives.
//
// In a round the node broadcasts MESSAGES messages and receives as many from each of the 15 others. Then it waits in the barrier,
// which ends the round at all nodes. The messages of a node are numbered, over all rounds. A message has its number and the number
// inverted. wrong stays 1 after a message that is not the next one of its source.

`default_nettype none

module board_node #(
    parameter integer MESSAGES = 8  // 1 to 255
) (
    input  wire        clk,
    input  wire        rst,
    output wire        s_axis_tvalid,
    input  wire        s_axis_tready,
    output wire [15:0] s_axis_tdata,
    input  wire        m_axis_tvalid,
    output wire        m_axis_tready,
    input  wire [15:0] m_axis_tdata,
    input  wire [3:0]  m_axis_tid,
    output wire        arrive,
    input  wire        released,
    output wire        wrong
);

    localparam integer EXPECTED = 15 * MESSAGES;
    localparam [7:0]   OWN      = MESSAGES[7:0];
    localparam [12:0]  OTHERS   = EXPECTED[12:0];

    reg [7:0]  sent_q;      // in this round
    reg [12:0] received_q;  // in this round; others may begin the next one before this node is released
    reg        arrived_q;
    reg [7:0]  number_q;    // of the next message
    reg        wrong_q;

    // The numbers of the next messages of all sources. A source whose bit of heard_q is 0 has sent nothing yet.
    reg  [7:0]  next[0:15];
    reg  [15:0] heard_q;
    wire [7:0]  expected = heard_q[m_axis_tid] ? next[m_axis_tid] : 8'd0;

    always @(posedge clk) begin
        if (m_axis_tvalid) next[m_axis_tid] <= expected + 8'd1;
    end

    always @(posedge clk) begin
        if (s_axis_tvalid & s_axis_tready) begin
            sent_q   <= sent_q + 8'd1;
            number_q <= number_q + 8'd1;
        end
        if (m_axis_tvalid) begin
            heard_q[m_axis_tid] <= 1'b1;
            wrong_q             <= wrong_q | (m_axis_tdata != {~expected, expected});
        end
        received_q <= received_q + {12'd0, m_axis_tvalid} - (released ? OTHERS : 13'd0);
        arrived_q  <= !released & (arrived_q | (sent_q == OWN & received_q == OTHERS));
        if (released) sent_q <= 8'd0;
        if (rst) begin
            sent_q     <= 8'd0;
            received_q <= 13'd0;
            arrived_q  <= 1'b0;
            number_q   <= 8'd0;
            heard_q    <= 16'd0;
            wrong_q    <= 1'b0;
        end
    end

    assign s_axis_tvalid = (sent_q != OWN) & !rst;
    assign s_axis_tdata  = {~number_q, number_q};
    assign m_axis_tready = 1'b1;
    assign arrive        = arrived_q;
    assign wrong         = wrong_q;

endmodule

`default_nettype wire
