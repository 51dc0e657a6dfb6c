// SPDX-License-Identifier: Apache-2.0
//
// summa_node: holds a block of A and a block of B, and computes its block of C = A B by SUMMA,
// together with the same module in the other nodes: C[y][x] is the sum over k of A[y][k] B[k][x].
//
// In step k the nodes of column k send their block of A to their row, and the nodes of row k send
// their block of B to their column. Every node multiplies the two blocks of the step, received or
// its own, and then waits at the barrier. A block is a packet of two messages with tlast on the second.
//
// A node arrives at the barrier after it has used the blocks of the step, so one buffer for A and one for
// B are enough. Blocks of the next step may arrive before the node itself is released.
//
// Streams: a block of A is two words, its columns; a block of B is two words, its rows. A block of C is
// four words, row by row.
//
// Backpressure: inputs and results may wait for any time. The node accepts messages in every cycle
// in which it is not busy.

`default_nettype none

module summa_node #(
    parameter integer X = 0,  // column of the node, 0 to 3
    parameter integer Y = 0   // row of the node, 0 to 3
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        busy,             // accept no message in this cycle
    // Blocks of A and B, in this order
    input  wire        s_axis_ab_tvalid,
    output wire        s_axis_ab_tready,
    input  wire [31:0] s_axis_ab_tdata,  // two signed numbers, the first one lowest
    // Block of C
    output wire        m_axis_c_tvalid,
    input  wire        m_axis_c_tready,
    output wire [34:0] m_axis_c_tdata,   // a signed number
    // To the network
    output wire        m_axis_tvalid,
    input  wire        m_axis_tready,
    output wire [31:0] m_axis_tdata,
    output wire [5:0]  m_axis_tdest,
    output wire        m_axis_tlast,
    // From the network
    input  wire        s_axis_tvalid,
    output wire        s_axis_tready,
    input  wire [31:0] s_axis_tdata,
    input  wire [3:0]  s_axis_tid,       // source: {row, column}
    input  wire        s_axis_tlast,
    // Barrier
    output wire        barrier_arrive,
    input  wire        barrier_release
);

    localparam [1:0] LOAD = 2'd0, WORK = 2'd1, RESULT = 2'd2;

    reg [1:0]   state_q;
    reg [1:0]   word_q;      // next word of the inputs in LOAD, of the results in RESULT
    reg [1:0]   step_q;      // k
    reg [2:0]   sent_q;      // words of this step that are sent or skipped: two of A, two of B
    reg         term_q;      // next column of A and row of B to multiply
    reg         finished_q;  // the blocks of this step are used
    reg [127:0] own_q;       // words of A and B, the first one lowest
    reg [139:0] c_q;         // numbers of C, the first one lowest

    wire is_source_a = step_q == X[1:0];
    wire is_source_b = step_q == Y[1:0];
    wire release_now = barrier_arrive & barrier_release;

    // Sending: the block of A to row Y, the block of B to column X.
    wire sends = sent_q[1] ? is_source_b : is_source_a;
    wire [5:0] row    = {1'b0, Y[1:0], 1'b1, 2'd0};  // {all, y, all, x}
    wire [5:0] column = {1'b1, 2'd0, 1'b0, X[1:0]};

    assign m_axis_tvalid = (state_q == WORK) & !sent_q[2] & sends;
    assign m_axis_tdata  = own_q[sent_q[1:0]*32+:32];
    assign m_axis_tdest  = sent_q[1] ? column : row;
    assign m_axis_tlast  = sent_q[0];

    // Receiving: A comes from the row, B from the column. The words of the packets may alternate.
    reg  [63:0] a_q, b_q;
    reg         a_index_q, b_index_q;  // next word of the packet
    reg         a_there_q, b_there_q;  // the packet is complete
    wire        take   = s_axis_tvalid & s_axis_tready;
    wire        take_a = take & (s_axis_tid[3:2] == Y[1:0]);
    wire        take_b = take & (s_axis_tid[1:0] == X[1:0]);

    assign s_axis_tready = !busy;

    // The product of a column of A and a row of B, in two cycles a step.
    wire        multiply = (state_q == WORK) & !finished_q & (is_source_a | a_there_q) & (is_source_b | b_there_q);
    wire        use_up   = multiply & term_q;
    wire [63:0] block_a  = is_source_a ? own_q[63:0] : a_q;
    wire [63:0] block_b  = is_source_b ? own_q[127:64] : b_q;
    wire [31:0] terms_a  = block_a[term_q*32+:32];
    wire [31:0] terms_b  = block_b[term_q*32+:32];
    wire [139:0] sum;

    genvar i;
    generate
        for (i = 0; i < 4; i = i + 1) begin : number
            wire signed [34:0] a = {{19{terms_a[i/2*16+15]}}, terms_a[i/2*16+:16]};
            wire signed [34:0] b = {{19{terms_b[i%2*16+15]}}, terms_b[i%2*16+:16]};
            assign sum[i*35+:35] = c_q[i*35+:35] + a * b;
        end
    endgenerate

    assign s_axis_ab_tready = state_q == LOAD;
    assign m_axis_c_tvalid  = state_q == RESULT;
    assign m_axis_c_tdata   = c_q[34:0];
    assign barrier_arrive   = finished_q & sent_q[2];

    always @(posedge clk) begin
        if (s_axis_ab_tvalid & s_axis_ab_tready) begin
            own_q[word_q*32+:32] <= s_axis_ab_tdata;
            word_q <= word_q + 1'b1;
            if (&word_q) state_q <= WORK;
        end

        if (m_axis_tvalid & m_axis_tready) sent_q <= sent_q + 3'd1;
        if ((state_q == WORK) & !sent_q[2] & !sends) sent_q <= sent_q + 3'd2;

        if (take_a) begin
            a_q[a_index_q*32+:32] <= s_axis_tdata;
            a_index_q <= !s_axis_tlast;
            a_there_q <= s_axis_tlast;
        end
        if (take_b) begin
            b_q[b_index_q*32+:32] <= s_axis_tdata;
            b_index_q <= !s_axis_tlast;
            b_there_q <= s_axis_tlast;
        end

        if (multiply) begin
            c_q <= sum;
            term_q <= !term_q;
        end
        if (use_up) begin
            finished_q <= 1'b1;
            a_there_q <= 1'b0;
            b_there_q <= 1'b0;
        end

        if (release_now) begin
            finished_q <= 1'b0;
            sent_q <= 3'd0;
            step_q <= step_q + 1'b1;
            if (&step_q) state_q <= RESULT;
        end

        if (m_axis_c_tvalid & m_axis_c_tready) begin
            c_q <= {35'd0, c_q[139:35]};  // in the end C is 0
            word_q <= word_q + 1'b1;
            if (&word_q) state_q <= LOAD;
        end

        if (rst) begin
            state_q <= LOAD;
            word_q <= 2'd0;
            step_q <= 2'd0;
            sent_q <= 3'd0;
            term_q <= 1'b0;
            finished_q <= 1'b0;
            c_q <= 140'd0;
            a_index_q <= 1'b0;
            b_index_q <= 1'b0;
            a_there_q <= 1'b0;
            b_there_q <= 1'b0;
        end
    end

endmodule

`default_nettype wire
