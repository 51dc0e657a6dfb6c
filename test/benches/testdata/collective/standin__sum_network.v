// SPDX-License-Identifier: Apache-2.0
//
// Stand-in for a generated collective network: an all-reduce with a word of 16 bits per node on two nodes, written for
// the tests of the bench. S = 2 and P = 2. In step 1 each node sends its part of the result of the other, and in
// step 2 its own result.

`default_nettype none

module standin__sum_network (
    input  wire        clk,
    input  wire        rst,
    input  wire        start,
    output wire        ready,
    output wire        done,
    output wire [1:0]  s_request,
    output wire [1:0]  s_index,
    input  wire [31:0] s_data,
    input  wire [1:0]  s_valid,
    input  wire [31:0] s_own_data,
    input  wire [1:0]  s_own_valid,
    output wire [1:0]  late,
    output wire [1:0]  m_valid,
    output wire [1:0]  m_index,
    output wire [31:0] m_data,
    output wire [1:0]  m_own_valid,
    output wire [31:0] m_own_data
);
    reg [3:1]  cycle_q;  // one bit for each cycle of an operation
    reg [1:0]  late_q;
    reg [15:0] link0_q, link1_q;  // at node 0 and node 1
    reg [15:0] own0_q, own1_q;

    wire [15:0] result0 = own0_q + link0_q;
    wire [15:0] result1 = own1_q + link1_q;

    always @(posedge clk) begin
        late_q <= 2'b00;
        if (cycle_q[1]) begin
            link0_q <= s_data[31:16];
            link1_q <= s_data[15:0];
            own0_q  <= s_own_data[15:0];
            own1_q  <= s_own_data[31:16];
            late_q  <= ~(s_valid & s_own_valid);
        end
        if (cycle_q[2]) begin
            link0_q <= result1;
            link1_q <= result0;
            own0_q  <= result0;
            own1_q  <= result1;
        end
        cycle_q <= {cycle_q[2:1], start && ready};
        if (rst) begin
            cycle_q <= 3'b000;
            late_q  <= 2'b00;
        end
    end

    assign ready       = !cycle_q[1];
    assign done        = cycle_q[3];
    assign s_request   = {2{ready}};
    assign s_index     = 2'b11;
    assign late        = late_q;
    assign m_valid     = {2{cycle_q[3]}};
    assign m_index     = 2'b11;
    assign m_data      = {link1_q, link0_q};
    assign m_own_valid = {2{cycle_q[3]}};
    assign m_own_data  = {own1_q, own0_q};
endmodule

`default_nettype wire
