// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_ring_gather: combines the words of the links of a ring at the port on which messages from
// these links continue, for rings that are known only at run time.
//
// A result is the OR of the words of all these links, so at most one word may be nonzero. Each link
// merges the word of the next link of its block into its own. A ring port then reads only links
// that are an odd number of ports away: a router of 16 ports has 10,857 LUT4 instead of 12,936. The
// masks come from hc_ring_masks.
//
// Latency: none.

`default_nettype none

module hc_ring_gather #(
    parameter integer DEGREE    = 16,  // number of ports, 1 or more
    parameter integer LONGEST   = 6,   // largest rho of a ring with ring ports, 1 or more
    parameter integer WORD_BITS = 1    // bits of a word, 1 or more
) (
    input  wire [DEGREE-1:0]           joined,   // this port and the next are in one block, see hc_ring_masks
    input  wire [DEGREE*DEGREE-1:0]    onward,   // from hc_ring_masks
    input  wire [DEGREE*WORD_BITS-1:0] words,    // word of each link
    output reg  [DEGREE*WORD_BITS-1:0] gathered  // OR of the words of its links, at each ring port
);

    wire unused = &{1'b0, joined[DEGREE-1]};

    reg     [DEGREE*WORD_BITS-1:0] pairs;
    integer                        p, q;
    always @* begin
        pairs = words;
        for (p = 0; p + 1 < DEGREE; p = p + 1)
            if (LONGEST > 1)
                pairs[p*WORD_BITS+:WORD_BITS] = words[p*WORD_BITS+:WORD_BITS]
                    | ({WORD_BITS{joined[p]}} & words[(p+1)*WORD_BITS+:WORD_BITS]);
        gathered = {DEGREE * WORD_BITS{1'b0}};
        for (q = 0; q < DEGREE; q = q + 1)
            for (p = 0; p < DEGREE; p = p + 1)
                gathered[q*WORD_BITS+:WORD_BITS] = gathered[q*WORD_BITS+:WORD_BITS]
                    | ({WORD_BITS{onward[q*DEGREE+p]}} & pairs[p*WORD_BITS+:WORD_BITS]);
    end

endmodule

`default_nettype wire
