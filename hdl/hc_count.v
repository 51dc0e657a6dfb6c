// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_count: how many bits are ones.
//
// Latency: none.

`default_nettype none

module hc_count #(
    parameter integer BITS       = 2,                // 1 or more
    parameter integer COUNT_BITS = $clog2(BITS + 1)  // derived
) (
    input  wire [BITS-1:0]       bits,
    output reg  [COUNT_BITS-1:0] count
);

`ifndef __ICARUS__
    generate
        if (BITS < 1) begin : illegal_bits
            $error("hc_count: BITS must be 1 or more");
        end else if (COUNT_BITS != $clog2(BITS + 1)) begin : illegal_count_bits
            $error("hc_count: COUNT_BITS must hold BITS, and no more");
        end
    endgenerate
`endif

    integer i;

    always @* begin
        count = {COUNT_BITS{1'b0}};
        for (i = 0; i < BITS; i = i + 1) count = count + {{COUNT_BITS - 1{1'b0}}, bits[i]};
    end

endmodule

`default_nettype wire
