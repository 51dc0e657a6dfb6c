// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_node_count, to stand before its endmodule.

    // Invariant: the share is ones from bit 0 on. So it can always be rounded.
    reg f_past = 1'b0;
    always @(posedge clk) f_past <= 1'b1;
    always @* if (f_past) begin
        assert ((share & (share + {{BITS - 1{1'b0}}, 1'b1})) == 0);
        // What it is rounded to is N - 1 at least, with the product of hc_node_count_product.v.
        if (rounded) assert ({1'b0, share} >= {1'b0, product_q});
    end
