// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_node_count, to stand before its endmodule.

    // Invariants: the share is ones, and the power one more. So it can always be rounded.
    reg f_past = 1'b0;
    always @(posedge clk) f_past <= 1'b1;
    always @* if (f_past) begin
        assert (power_q == {1'b0, share} + 1);
        assert ((share & power_q[BITS-1:0]) == 0);
    end
