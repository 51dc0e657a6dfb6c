// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_spread: the targets of a message that spreads, from the fields of its destination.
//
// From the highest dimension down: a field that is all makes the group of its dimension a
// target; one that is a distance does so, too, and ends the walk. If none is a distance,
// delivery is a target. See docs/addressed-messages.md, "Targets".
//
// Latency: none.

`default_nettype none

module hc_spread #(
    parameter integer               DIMENSIONS  = 1,  // dimensions it may enter, 1 or more
    parameter [16*DIMENSIONS-1:0]   FARTHEST    = 1,  // floor(m / 2) of each, dimension 1 lowest, 16 bits each, 1 or more
    parameter integer               FIELDS_BITS = 2   // bits of all fields
) (
    input  wire [FIELDS_BITS-1:0] fields,   // {flag, x} of each dimension, dimension 1 lowest
    output wire [DIMENSIONS:0]    targets,  // 0 delivery, i group of dimension i
    output wire [DIMENSIONS:1]    all,      // the field is all
    output wire                   legal     // no x is above that of FARTHEST
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

    // The bits of x in a field.
    function integer bits(input integer number);
        bits = $clog2({16'd0, FARTHEST[16*(number-1)+:16]} + 1);
    endfunction

    // The bits of the fields of the lowest dimensions.
    function integer low(input integer dimensions);
        integer n;
        begin
            low = 0;
            for (n = 1; n <= dimensions; n = n + 1) low = low + bits(n) + 1;
        end
    endfunction

endmodule

`default_nettype wire
