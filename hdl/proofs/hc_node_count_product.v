// SPDX-License-Identifier: Apache-2.0
//
// The property of hc_node_count, inserted alone before its endmodule: for any dimensions, N is the
// product of their nodes, modulo 2**BITS.

    reg f_past = 1'b0;
    always @(posedge clk) f_past <= 1'b1;

    // The engine's use: a dimension has at most 15 nodes, and `grow` comes m - 1 times.
    reg  [3:0]           f_nodes;  // of the dimension so far
    reg  [NODE_BITS-1:0] f_n;      // of the dimensions before it
    wire [NODE_BITS-1:0] f_product = f_n * f_nodes;
    wire [NODE_BITS-1:0] f_less         = f_n - 1'b1;
    wire [NODE_BITS-1:0] f_product_less = f_product - 1'b1;
    always @* begin
        if (!f_past) assume (rst);
        assume (!(grow && multiplied));
        assume (!(grow && f_nodes == 15));
    end
    always @(posedge clk) begin
        if (grow) f_nodes <= f_nodes + 1;
        if (multiplied) {f_n, f_nodes} <= {f_product, 4'd1};
        if (rst) {f_n, f_nodes} <= {{NODE_BITS - 1{1'b0}}, 1'b1, 4'd1};
    end
    always @* if (f_past) begin
        assert (others == f_less);
        assert (product_q == f_product_less);
    end
    always @(posedge clk) if (f_past) cover (others == 3 * 2 * 3 - 1);
