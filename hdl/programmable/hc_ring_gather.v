// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_ring_gather: brings the words of the links of a ring to the port on which messages from
// these links continue, for rings that are known only at run time.
//
// A result is the OR of all words of the links, so all but one should be 0. Each link merges
// the word of the next link of its block into its own, so only links an odd number of ports
// away are examined. The masks are those of hc_ring_masks.
//
// Latency: none.

`default_nettype none

module hc_ring_gather #(
    parameter integer PORTS   = 16,  // 1 or more
    parameter integer LONGEST = 6,   // largest rho of a ring with ring ports, 1 or more
    parameter integer WIDTH   = 1    // bits of a word
) (
    input  wire [PORTS-1:0]       joined,  // with the next port
    input  wire [PORTS*PORTS-1:0] onward,
    input  wire [PORTS*WIDTH-1:0] words,
    output wire [PORTS*WIDTH-1:0] gathered
);

    wire [PORTS*WIDTH-1:0] pairs;
    wire                   unused = &{1'b0, joined, onward, pairs};  // of ports that are too far

    genvar p, q;
    generate
        for (p = 0; p < PORTS; p = p + 1) begin : link
            if (p + 1 < PORTS && LONGEST > 1) begin : next
                wire [WIDTH-1:0] other = {WIDTH{joined[p]}} & words[(p+1)*WIDTH+:WIDTH];
                assign pairs[p*WIDTH+:WIDTH] = words[p*WIDTH+:WIDTH] | other;
            end else begin : alone
                assign pairs[p*WIDTH+:WIDTH] = words[p*WIDTH+:WIDTH];
            end
        end
        for (q = 0; q < PORTS; q = q + 1) begin : ring
            // The lowest and the highest port that a mask is there for. hc_select of one word
            // does not ask whether it is selected.
            localparam integer LOW     = q + 1 > 2 * LONGEST ? q + 1 - 2 * LONGEST : (q + 1) % 2;
            localparam integer REACH   = LONGEST < q + 1 ? LONGEST : q + 1;
            localparam integer SPACE   = REACH < PORTS - 1 - q ? REACH : PORTS - 1 - q;
            localparam integer HIGH    = SPACE > 0 ? q + 1 + (SPACE - 1) / 2 * 2 : q - 1;
            localparam integer SOURCES = (HIGH - LOW) / 2 + 1;
            localparam integer WORDS   = SOURCES > 1 ? SOURCES : 2;

            wire [WORDS-1:0]       chosen;
            wire [WORDS*WIDTH-1:0] sources;
            for (p = 0; p < WORDS; p = p + 1) begin : source
                if (p < SOURCES) begin : there
                    assign chosen[p]               = onward[q*PORTS+LOW+2*p];
                    assign sources[p*WIDTH+:WIDTH] = pairs[(LOW+2*p)*WIDTH+:WIDTH];
                end else begin : none
                    assign chosen[p]               = 1'b0;
                    assign sources[p*WIDTH+:WIDTH] = {WIDTH{1'b0}};
                end
            end
            hc_select #(
                .WORDS(WORDS),
                .WIDTH(WIDTH)
            ) source_select (
                .select(chosen),
                .words (sources),
                .word  (gathered[q*WIDTH+:WIDTH])
            );
        end
    endgenerate

endmodule

`default_nettype wire
