// SPDX-License-Identifier: Apache-2.0
//
// board_reporter: a line of text for every message that one of 8 nodes receives.
//
//     5<2 41      node 5 has received byte 41 (hexadecimal) from node 2
//     !lost!      at least one byte of the serial line was lost
//
// Every line has 8 characters; the last two end the line.
//
// Backpressure: the nodes take turns. The node with the turn hands over one message; the
// messages of the others wait in the network. A receiver may wait for any time and loses
// nothing.

`default_nettype none

module board_reporter (
    input  wire        clk,
    input  wire        rst,
    input  wire        lost,           // for one cycle
    input  wire [7:0]  s_axis_tvalid,  // by node
    output wire [7:0]  s_axis_tready,
    input  wire [63:0] s_axis_tdata,
    input  wire [23:0] s_axis_tid,     // sources of the messages
    output wire        m_axis_tvalid,
    input  wire        m_axis_tready,
    output wire [7:0]  m_axis_tdata
);

    reg       busy_q;    // a line is being sent
    reg       lost_q;    // a loss is to be reported
    reg       alarm_q;   // the line reports a loss
    reg [2:0] turn_q;    // node with the turn, or whose message is reported
    reg [2:0] place_q;   // of the character in the line
    reg [2:0] source_q;
    reg [7:0] data_q;

    // The turn advances in every cycle in which there is nothing to report.
    wire listen = !busy_q & !lost_q;
    wire take = listen & s_axis_tvalid[turn_q];
    wire sent = m_axis_tvalid & m_axis_tready;
    wire done = sent & (place_q == 3'd7);

    assign s_axis_tready = listen ? 8'd1 << turn_q : 8'd0;

    function [7:0] hex(input [3:0] digit);
        hex = digit < 4'd10 ? "0" + {4'd0, digit} : "a" - 8'd10 + {4'd0, digit};
    endfunction

    reg [7:0] character;
    always @* begin
        case (place_q)
            3'd0: character = alarm_q ? "!" : hex({1'b0, turn_q});
            3'd1: character = alarm_q ? "l" : "<";
            3'd2: character = alarm_q ? "o" : hex({1'b0, source_q});
            3'd3: character = alarm_q ? "s" : " ";
            3'd4: character = alarm_q ? "t" : hex(data_q[7:4]);
            3'd5: character = alarm_q ? "!" : hex(data_q[3:0]);
            3'd6: character = 8'h0d;
            default: character = 8'h0a;
        endcase
    end

    assign m_axis_tvalid = busy_q;
    assign m_axis_tdata = character;

    always @(posedge clk) begin
        if (!busy_q) begin
            busy_q <= take | lost_q;
            alarm_q <= lost_q;
            source_q <= s_axis_tid[turn_q*3+:3];
            data_q <= s_axis_tdata[turn_q*8+:8];
        end else if (done) begin
            busy_q <= 1'b0;
        end
        if (listen & !take | done) turn_q <= turn_q + 3'd1;
        if (sent) place_q <= place_q + 3'd1;
        lost_q <= lost | (lost_q & busy_q);

        if (rst) begin
            busy_q <= 1'b0;
            lost_q <= 1'b0;
            turn_q <= 3'd0;
            place_q <= 3'd0;
        end
    end

endmodule

`default_nettype wire
