// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_ring_scatter: the reverse of hc_ring_gather. It passes the state of the ring port on which the
// messages of a block continue to all links of the block. The masks come from hc_ring_masks.
//
// Latency: none.

`default_nettype none

module hc_ring_scatter #(
    parameter integer DEGREE = 16  // number of ports, 1 or more
) (
    input  wire [DEGREE-1:0]        joined,    // this port and the next are in one block, see hc_ring_masks
    input  wire [DEGREE*DEGREE-1:0] onward,    // from hc_ring_masks
    input  wire [DEGREE-1:0]        values,    // state of each ring port
    output wire [DEGREE-1:0]        scattered  // state of the ring port of each link
);

    wire unused = &{1'b0, joined[DEGREE-1]};

    // First the links that are an odd number of ports from their ring port, then the links behind them.
    wire [DEGREE-1:0] direct;

    genvar p, q;
    generate
        for (p = 0; p < DEGREE; p = p + 1) begin : link
            wire [DEGREE-1:0] from;
            for (q = 0; q < DEGREE; q = q + 1) begin : ring
                assign from[q] = onward[q*DEGREE+p] & values[q];
            end
            assign direct[p] = |from;
        end
    endgenerate
    assign scattered = direct | ((joined & direct) << 1);

endmodule

`default_nettype wire
