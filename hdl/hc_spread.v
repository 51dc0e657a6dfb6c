// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_spread: computes the targets of a message that spreads, from the fields of its destination.
//
// The module looks at the fields from the highest dimension down. A field that means all nodes
// makes the group of its dimension a target. A field that is a distance also makes the group a
// target, and ends the search. If no field is a distance, delivery is a target. See
// docs/addressed-messages.md, "Targets".
//
// Latency: none.

`default_nettype none

module hc_spread #(
    parameter integer               DIMENSIONS  = 1,  // number of dimensions that the message may enter, 1 or more
    parameter [16*DIMENSIONS-1:0]   FARTHEST    = 1,  // floor(m / 2), 1 or more, 16 bits per dimension, first lowest
    parameter integer               FIELDS_BITS = 2   // bits of all fields: for each dimension 1 + bits of its FARTHEST
) (
    input  wire [FIELDS_BITS-1:0] fields,   // {flag, x} of each dimension, dimension 1 lowest
    output wire [DIMENSIONS:0]    targets,  // bit 0: delivery; bit i: group of dimension i
    output wire [DIMENSIONS:1]    all,      // the field means all nodes of the ring
    output wire                   legal     // every x is at most the FARTHEST of its dimension
);

    generate
        if (FIELDS_BITS != low(DIMENSIONS)) begin : illegal_fields
            hc_spread_FIELDS_BITS_must_be_the_sum_over_FARTHEST illegal ();
        end
    endgenerate

    wire [DIMENSIONS:1] distance;  // the field is a distance
    wire [DIMENSIONS:1] fits;

    genvar i;
    generate
        for (i = 1; i <= DIMENSIONS; i = i + 1) begin : dimension
            localparam integer       BITS = bits(i);
            localparam [BITS-1:0]    MOST = FARTHEST[16*(i-1)+:BITS];
            wire       [BITS-1:0]    x    = fields[low(i-1)+:BITS];

            assign distance[i] = |x;
            assign all[i]      = fields[low(i-1)+BITS] & ~|x;
            if (i == DIMENSIONS) begin : highest
                assign targets[i] = distance[i] | all[i];
            end else begin : lower
                assign targets[i] = (distance[i] | all[i]) & ~|distance[DIMENSIONS:i+1];
            end
            if (&MOST) begin : any_distance
                assign fits[i] = 1'b1;
            end else begin : bounded_distance
                assign fits[i] = x <= MOST;
            end
        end
    endgenerate

    assign targets[0] = ~|distance;
    assign legal      = &fits;

    // The number of bits of x in a field.
    function integer bits(input integer number);
        bits = $clog2({16'd0, FARTHEST[16*(number-1)+:16]} + 1);
    endfunction

    // The number of bits that the fields of the lowest dimensions take.
    function integer low(input integer dimensions);
        integer n;
        begin
            low = 0;
            for (n = 1; n <= dimensions; n = n + 1) low = low + bits(n) + 1;
        end
    endfunction

endmodule

`default_nettype wire
