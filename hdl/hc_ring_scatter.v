// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_ring_scatter: the way back of hc_ring_gather: tells all links of a block what
// holds at the ring port on which their messages go on.
//
// Latency: none; a logarithmic number of steps.

`default_nettype none

module hc_ring_scatter #(
    parameter integer PORTS    = 16,  // 1 or more
    parameter integer LONGEST  = 6,   // largest rho of a ring with ring ports, 1 or more
    parameter integer RHO_BITS = 3,   // bits of rho
    parameter integer WIDTH    = 1    // bits of a word
) (
    input  wire [PORTS-1:0]          first,   // distance 1
    input  wire [PORTS-1:0]          behind,  // counterclockwise
    input  wire [PORTS*RHO_BITS-1:0] rho,     // of the port's dimension
    input  wire [PORTS*WIDTH-1:0]    words,   // of ring ports
    output reg  [PORTS*WIDTH-1:0]    scattered
);

    reg     [PORTS-1:0] linked;  // the port so many places back is in the same block
    integer             step, p;
    wire                unused = &{1'b0, words};  // with one port

    // What the first link of a block takes: 0 from the port before it, r for rho = r.
    wire [PORTS*WIDTH-1:0] begun;
    genvar q, s;
    generate
        for (q = 0; q < PORTS; q = q + 1) begin : port
            wire [(LONGEST+1)*WIDTH-1:0] sources;
            wire [LONGEST:0]             chosen;
            assign chosen[0] = first[q] & behind[q];
            if (q > 0) begin : last
                assign sources[WIDTH-1:0] = words[(q-1)*WIDTH+:WIDTH];
            end else begin : none
                assign sources[WIDTH-1:0] = {WIDTH{1'b0}};
            end
            for (s = 1; s <= LONGEST; s = s + 1) begin : far
                assign chosen[s] = first[q] & !behind[q] & rho[q*RHO_BITS+:RHO_BITS] == s[RHO_BITS-1:0];
                if (q + 2 * s <= PORTS) begin : there
                    assign sources[s*WIDTH+:WIDTH] = words[(q+2*s-1)*WIDTH+:WIDTH];
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
                .word  (begun[q*WIDTH+:WIDTH])
            );
        end
    endgenerate

    always @* begin
        scattered = begun;
        linked = ~first;
        for (step = 1; step < LONGEST; step = 2 * step) begin
            for (p = PORTS - 1; p >= 0; p = p - 1) begin
                if (p >= step) begin
                    scattered[p*WIDTH+:WIDTH] = scattered[p*WIDTH+:WIDTH] |
                                                {WIDTH{linked[p]}} & scattered[(p-step)*WIDTH+:WIDTH];
                    linked[p] = linked[p] & linked[p-step];
                end else begin
                    linked[p] = 1'b0;
                end
            end
        end
    end

endmodule

`default_nettype wire
