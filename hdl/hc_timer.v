// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_timer: counts cycles since reset and tells which windows end with this one.
//
// A window of 2**n cycles ends every 2**n cycles. The window of level 0 is 16 to 128 cycles,
// as the machine needs. Those of higher levels are 128 cycles, or 256 if they are `longer`,
// and four times as long per level above 1; that of the memory is 128 of those, but for
// level 0, where there is none.
//
// Latency: registers, computed one cycle ahead.

`default_nettype none

module hc_timer (
    input  wire       clk,
    input  wire       rst,
    input  wire       longer,         // constant since reset, as window
    input  wire [7:4] window,         // bits of count_q, beside the lower ones, that are ones where one of level 0 ends
    input  wire [4:1] level,          // bit e: the level is e or more
    output reg        shortest_ends,  // the window of 4 cycles
    output reg        window_ends,    // the window of the level
    output reg        memory_ends
);

    localparam integer WINDOW = 8;  // bits of the window of level 1, if windows are longer
    localparam integer MEMORY = 7;
    localparam integer BITS   = WINDOW + 2 * 3 + MEMORY;

    // If windows are not longer, the bit above those of the shortest window is always a
    // one, so that the others count as if it were not there.
    reg  [BITS-1:0] count_q;
    wire [BITS-1:0] next = count_q + 1'b1;

    // Whether the next cycle ends a window. All windows end with one of the shortest,
    // and only then does the level change; so it can be asked for one cycle ahead.
    wire            soon = count_q[1] & !count_q[0];

    // For each level the bits that a window is longer by, where they count.
    wire [7:4] window_short = count_q[7:4] | ~(window | {4{level[1]}});
    wire [4:2] window_longer;
    wire [4:2] memory_longer;

    genvar e;
    generate
        for (e = 2; e <= 4; e = e + 1) begin : raised
            assign window_longer[e] = &count_q[WINDOW+2*(e-2)+:2] | !level[e];
            assign memory_longer[e] = &count_q[WINDOW+MEMORY+2*(e-2)+:2] | !level[e];
        end
    endgenerate

    wire window_soon = soon & (&count_q[3:2]) & (&window_short) & (&window_longer);

    always @(posedge clk) begin
        count_q       <= {next[BITS-1:3], next[2] | !longer, next[1:0]};
        shortest_ends <= soon;
        window_ends   <= window_soon;
        memory_ends   <= window_soon & level[1] & (&count_q[WINDOW+:MEMORY]) & (&memory_longer);
        if (rst) begin
            count_q       <= {{BITS - 3{1'b0}}, !longer, 2'b00};
            shortest_ends <= 1'b0;
            window_ends   <= 1'b0;
            memory_ends   <= 1'b0;
        end
    end

endmodule

`default_nettype wire
