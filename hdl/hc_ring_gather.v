// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_ring_gather: brings words of the links of a ring to the port on which messages
// from these links go on, for rings that are known only at run time.
//
// The links of one direction of a dimension are a block of neighbouring ports. What
// arrives on the block counterclockwise goes on at the port before it, the farthest
// clockwise one; what arrives on the block clockwise at the last port behind the other
// block, 2 rho - 1 after the first of its own. A result is the OR of all words of the
// block, so all but one should be 0. The words collected so far, those of a port and all
// behind it in its block, are a result too. Masks are those of hc_ring_masks.
//
// Latency: none; a logarithmic number of steps.

`default_nettype none

module hc_ring_gather #(
    parameter integer PORTS   = 16,  // 1 or more
    parameter integer LONGEST = 6,   // largest rho of a ring with ring ports, 1 or more
    parameter integer STEPS   = 3,   // of hc_ring_masks
    parameter integer WIDTH   = 1    // bits of a word
) (
    input  wire [STEPS*PORTS-1:0]       joined,
    input  wire [(LONGEST+1)*PORTS-1:0] bonds,
    input  wire [PORTS*WIDTH-1:0]       words,
    output reg  [PORTS*WIDTH-1:0]       collected,
    output wire [PORTS*WIDTH-1:0]       gathered
);

    integer step, p;
    wire    unused = &{1'b0, joined, bonds};  // of ports that have no place for a block

    always @* begin
        collected = words;
        for (step = 0; 1 << step < LONGEST; step = step + 1)
            for (p = 0; p + (1 << step) < PORTS; p = p + 1)
                collected[p*WIDTH+:WIDTH] = collected[p*WIDTH+:WIDTH] |
                                            {WIDTH{joined[step*PORTS+p]}} & collected[(p+(1<<step))*WIDTH+:WIDTH];
    end

    genvar q, s;
    generate
        for (q = 0; q < PORTS; q = q + 1) begin : port
            wire [(LONGEST+1)*WIDTH-1:0] sources;
            wire [LONGEST:0]             chosen;
            if (q + 1 < PORTS) begin : next
                assign chosen[0]          = bonds[q];
                assign sources[WIDTH-1:0] = collected[(q+1)*WIDTH+:WIDTH];
            end else begin : none
                assign chosen[0]          = 1'b0;
                assign sources[WIDTH-1:0] = {WIDTH{1'b0}};
            end
            for (s = 1; s <= LONGEST; s = s + 1) begin : far
                if (q + 1 >= 2 * s) begin : there
                    assign chosen[s]                  = bonds[s*PORTS+q+1-2*s];
                    assign sources[s*WIDTH+:WIDTH] = collected[(q+1-2*s)*WIDTH+:WIDTH];
                end else begin : none
                    assign chosen[s]                  = 1'b0;
                    assign sources[s*WIDTH+:WIDTH] = {WIDTH{1'b0}};
                end
            end
            hc_select #(
                .WORDS(LONGEST + 1),
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
