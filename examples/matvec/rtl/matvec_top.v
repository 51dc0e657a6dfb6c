// SPDX-License-Identifier: Apache-2.0
//
// matvec_top: the product of a 16x256 matrix and a vector on 16 nodes. Each node has 16 columns of the matrix and the
// elements of the vector that belong to them. For each row the nodes compute partial results, and the collective
// network torus4x4__sum_network adds them up and gives the sum to all nodes.
//
// BARRIER = 0: the network starts every ROW_CYCLES cycles. 19 are enough for the longest row; with fewer, `late` reports
// the rows that take longer.
// BARRIER = 1: a node arrives at the barrier of the routers with its partial result, and the release starts the network.
//
// Latency: the results of a row are valid 5 cycles after the start of the network.

`default_nettype none

module matvec_top #(
    parameter integer BARRIER = 0,     // 0 or 1
    parameter integer ROW_CYCLES = 19  // 5..32: 16 entries and 3 registers
) (
    input  wire         clk,
    input  wire         rst,            // synchronous, active high; memories keep their contents
    // Memories of the nodes, written between products; see matvec_node
    input  wire         write_valid,
    input  wire         write_vector,   // 1: an element of the vector; 0: an entry of the matrix
    input  wire [3:0]   write_node,
    input  wire [7:0]   write_address,
    input  wire [8:0]   write_data,
    // Product: 16 results for a go, row by row; the next go may come with the last of them
    input  wire         go,
    output wire [15:0]  y_valid,        // by node, node 0 lowest
    output wire [255:0] y_data,         // signed; the sum of the row, at every node
    output wire         late,           // a node had no partial result 2 cycles ago: those of this row are undefined
    output wire         header_error    // cannot happen
);

    wire         network_start;
    wire [15:0]  node_start;
    wire [15:0]  waiting;
    wire [255:0] partial;
    wire [15:0]  partial_valid;
    wire [15:0]  late_nodes;

    assign late = |late_nodes;

    genvar n;
    generate
        for (n = 0; n < 16; n = n + 1) begin : node
            wire selected = write_valid & (write_node == n);
            matvec_node matvec (
                .clk(clk),
                .rst(rst),
                .write_entry(selected & !write_vector),
                .write_element(selected & write_vector),
                .write_address(write_address),
                .write_data(write_data),
                .go(go),
                .waiting(waiting[n]),
                .start(node_start[n]),
                .partial(partial[n*16+:16]),
                .partial_valid(partial_valid[n])
            );
        end

        if (BARRIER != 0) begin : by_barrier
            wire [15:0] release_nodes;  // all or none
            wire [15:0] unused_tready;
            wire [15:0] unused_tvalid;
            wire [15:0] unused_tdata;

            torus4x4_network routers (
                .clk(clk),
                .rst(rst),
                .s_axis_tvalid(16'd0),
                .s_axis_tready(unused_tready),
                .s_axis_tdata(16'd0),
                .m_axis_tvalid(unused_tvalid),
                .m_axis_tready(16'hffff),
                .m_axis_tdata(unused_tdata),
                .barrier_arrive(waiting),
                .barrier_release(release_nodes),
                .header_error(header_error)
            );

            // Each node starts by the release of its own router. The network needs only one wire, of any of them.
            assign node_start = release_nodes;
            assign network_start = release_nodes[0];
        end else begin : by_counter
            localparam [31:0] LEFT = ROW_CYCLES - 1;

            reg [4:0] left_q;  // cycles until the next start
            reg [4:0] rows_q;  // rows that are left

            assign network_start = (rows_q != 5'd0) & (left_q == 5'd0);
            assign node_start = {16{network_start}};
            assign header_error = 1'b0;

            wire unused = &{1'b0, waiting, LEFT[31:5]};

            always @(posedge clk) begin
                left_q <= go | network_start ? LEFT[4:0] : left_q - 5'd1;
                if (go) rows_q <= 5'd16;
                else if (network_start) rows_q <= rows_q - 5'd1;

                if (rst) rows_q <= 5'd0;
            end
        end
    endgenerate

    // The network is ready for every start: an operation takes 4 cycles, fewer than a row.
    wire unused_ready;
    wire unused_done;

    torus4x4__sum_network sum (
        .clk(clk),
        .rst(rst),
        .start(network_start),
        .ready(unused_ready),
        .done(unused_done),
        .s_own_data(partial),
        .s_own_valid(partial_valid),
        .late(late_nodes),
        .m_own_valid(y_valid),
        .m_own_data(y_data)
    );

endmodule

`default_nettype wire
