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
// block, so all but one should be 0; ports that are no ring ports get 0. The words
// collected so far, those of a port and all behind it in its block, are a result too.
//
// Latency: none; a logarithmic number of steps.

`default_nettype none

module hc_ring_gather #(
    parameter integer PORTS    = 16,  // 1 or more
    parameter integer LONGEST  = 6,   // largest rho of a ring with ring ports, 1 or more
    parameter integer RHO_BITS = 3,   // bits of rho
    parameter integer WIDTH    = 1    // bits of a word
) (
    input  wire [PORTS-1:0]          first,   // distance 1
    input  wire [PORTS-1:0]          behind,  // counterclockwise
    input  wire [PORTS-1:0]          ring,    // a ring port
    input  wire [PORTS*RHO_BITS-1:0] rho,     // of the port's dimension
    input  wire [PORTS*WIDTH-1:0]    words,
    output reg  [PORTS*WIDTH-1:0]    collected,
    output wire [PORTS*WIDTH-1:0]    gathered
);

    reg     [PORTS-1:0] linked;  // the port so many places on is in the same block
    integer             step, p;

    always @* begin
        collected = words;
        linked    = ~first >> 1;
        for (step = 1; step < LONGEST; step = 2 * step) begin
            for (p = 0; p < PORTS; p = p + 1) begin
                if (p + step < PORTS) begin
                    collected[p*WIDTH+:WIDTH] = collected[p*WIDTH+:WIDTH] |
                                                {WIDTH{linked[p]}} & collected[(p+step)*WIDTH+:WIDTH];
                    linked[p] = linked[p] & linked[p+step];
                end else begin
                    linked[p] = 1'b0;
                end
            end
        end
    end

    // Of a ring port one source is chosen: 0 is the block behind it, r the one for rho = r.
    genvar q, s;
    generate
        for (q = 0; q < PORTS; q = q + 1) begin : port
            wire [(LONGEST+1)*WIDTH-1:0] sources;
            wire [LONGEST:0]             chosen;
            assign chosen[0] = ring[q] & !behind[q];
            if (q + 1 < PORTS) begin : next
                assign sources[WIDTH-1:0] = collected[(q+1)*WIDTH+:WIDTH];
            end else begin : none
                assign sources[WIDTH-1:0] = {WIDTH{1'b0}};
            end
            for (s = 1; s <= LONGEST; s = s + 1) begin : far
                assign chosen[s] = ring[q] & behind[q] & rho[q*RHO_BITS+:RHO_BITS] == s[RHO_BITS-1:0];
                if (q + 1 >= 2 * s) begin : there
                    assign sources[s*WIDTH+:WIDTH] = collected[(q+1-2*s)*WIDTH+:WIDTH];
                end else begin : none
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
