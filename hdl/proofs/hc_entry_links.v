// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_entry, inserted before its endmodule: a message with a distance enters on one
// port, and that link and links of distance RHO add up to the distance. A message for all enters like
// a broadcast.

    wire [15:0] f_far = x;
    // One port stands for all.
    (* anyconst *) wire [7:0] f_p;
    always @* assume (f_p < PORTS);
    wire               f_enters = ports[f_p];
    wire [WC_BITS-1:0] f_weight = weights >> f_p * WC_BITS;
    wire [WC_BITS-1:0] f_all    = WEIGHTS >> f_p * WC_BITS;
    always @* begin
        assert (spread == (x == 0));
        if (x == 0) assert (f_enters == (f_all != 0) && (!f_enters || f_weight == f_all));
        if (x != 0) begin
            assert (ports != 0 && (ports & (ports - 1)) == 0);
            if (f_enters && f_far <= LARGEST * RHO) begin
                assert (f_p % RHO + 1 + (f_weight - 1) * RHO == f_far && f_weight <= LARGEST);
                assert (field[X_BITS] == (f_p >= RHO) || PORTS == 2 * RHO - 1 && f_p == RHO - 1);
            end
        end
    end
    always @* begin
        cover (x != 0 && f_enters && f_p == PORTS - 1);
        cover (x == 0 && f_enters);
    end
