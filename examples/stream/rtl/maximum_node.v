// SPDX-License-Identifier: Apache-2.0
//
// maximum_node: computes the largest value of all nodes, together with the same module in the
// other nodes. In each round a value goes in, and the maximum of all nodes comes out.
//
// A value is broadcast as two words. Words of one source arrive in order, interleaved with those of
// other sources, so halves are combined by source. A result is complete when the values of all nodes
// have arrived, so no node is ever more than a round ahead of another: this is a barrier, too.
//
// Backpressure: results may wait for any time. Words of the network are always accepted, which
// prevents deadlock: a receiver must not wait until its own node can send.

`default_nettype none

module maximum_node #(
    parameter integer NODES       = 16,
    parameter integer SOURCE_BITS = 4,
    parameter integer HALF_BITS   = 16
) (
    input  wire                   clk,
    input  wire                   rst,
    // Own values
    input  wire                   s_axis_value_tvalid,
    output wire                   s_axis_value_tready,
    input  wire [2*HALF_BITS-1:0] s_axis_value_tdata,
    // Maxima of all nodes
    output wire                   m_axis_result_tvalid,
    input  wire                   m_axis_result_tready,
    output wire [2*HALF_BITS-1:0] m_axis_result_tdata,
    // To the network
    output wire                   m_axis_tvalid,
    input  wire                   m_axis_tready,
    output wire [HALF_BITS-1:0]   m_axis_tdata,
    // From the network
    input  wire                   s_axis_tvalid,
    output wire                   s_axis_tready,
    input  wire [HALF_BITS-1:0]   s_axis_tdata,
    input  wire [SOURCE_BITS-1:0] s_axis_tid  // source of the word
);

    localparam integer VALUE_BITS = 2 * HALF_BITS;
    localparam [31:0] OTHERS = NODES - 1;

    // A round has the own value and the values of the others. Values of the next round may arrive
    // before this round ends, so the state of a round is stored by the lowest bit of its number.
    reg                   round_q;
    reg                   own_valid_q;
    reg [VALUE_BITS-1:0]  own_q;
    reg [VALUE_BITS-1:0]  best_q  [0:1];  // largest value of the others, by round
    reg [SOURCE_BITS-1:0] count_q [0:1];  // values of the others, by round

    wire sender_ready;

    assign s_axis_value_tready = !own_valid_q & sender_ready;

    stream_halves #(
        .HALF_BITS(HALF_BITS)
    ) sender (
        .clk(clk),
        .rst(rst),
        .s_axis_tvalid(s_axis_value_tvalid & !own_valid_q),
        .s_axis_tready(sender_ready),
        .s_axis_tdata(s_axis_value_tdata),
        .m_axis_tvalid(m_axis_tvalid),
        .m_axis_tready(m_axis_tready),
        .m_axis_tdata(m_axis_tdata)
    );

    // By source: the round of its next word, and an upper half that waits for its lower half.
    reg [NODES-1:0]     source_round_q;
    reg [NODES-1:0]     source_half_q;
    reg [HALF_BITS-1:0] upper_q [0:NODES-1];

    wire                  take = s_axis_tvalid & s_axis_tready;
    wire                  round = source_round_q[s_axis_tid];
    wire                  complete = take & source_half_q[s_axis_tid];
    wire [VALUE_BITS-1:0] value = {upper_q[s_axis_tid], s_axis_tdata};
    wire                  finish = m_axis_result_tvalid & m_axis_result_tready;

    assign s_axis_tready = 1'b1;
    assign m_axis_result_tvalid = own_valid_q & (count_q[round_q] == OTHERS[SOURCE_BITS-1:0]);
    assign m_axis_result_tdata = own_q > best_q[round_q] ? own_q : best_q[round_q];

    always @(posedge clk) begin
        if (take) begin
            upper_q[s_axis_tid] <= s_axis_tdata;
            source_half_q[s_axis_tid] <= !source_half_q[s_axis_tid];
        end
        if (complete) begin
            source_round_q[s_axis_tid] <= !round;
            count_q[round] <= count_q[round] + 1'b1;
            if (value > best_q[round]) best_q[round] <= value;
        end

        if (s_axis_value_tvalid & s_axis_value_tready) begin
            own_valid_q <= 1'b1;
            own_q <= s_axis_value_tdata;
        end
        if (finish) begin
            own_valid_q <= 1'b0;
            round_q <= !round_q;
            best_q[round_q] <= {VALUE_BITS{1'b0}};
            count_q[round_q] <= {SOURCE_BITS{1'b0}};
        end

        if (rst) begin
            round_q <= 1'b0;
            own_valid_q <= 1'b0;
            best_q[0] <= {VALUE_BITS{1'b0}};
            best_q[1] <= {VALUE_BITS{1'b0}};
            count_q[0] <= {SOURCE_BITS{1'b0}};
            count_q[1] <= {SOURCE_BITS{1'b0}};
            source_round_q <= {NODES{1'b0}};
            source_half_q <= {NODES{1'b0}};
        end
    end

endmodule

`default_nettype wire
