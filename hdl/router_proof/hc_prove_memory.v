// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_prove_memory: the words of a queue that keeps them in a memory, in their order.

`default_nettype none

module hc_prove_memory #(
    parameter integer WIDTH      = 8,
    parameter integer DEPTH      = 8,
    parameter integer PLACE_BITS = 3   // of the number of a place in the memory
) (
    input  wire                           live,
    // Registers of the queue.
    input  wire [DEPTH-1:0]               full,
    input  wire [WIDTH-1:0]               head,
    input  wire [(WIDTH<<PLACE_BITS)-1:0] places,
    input  wire [PLACE_BITS-1:0]          second,  // place of the word behind the head
    input  wire [PLACE_BITS-1:0]          free,    // place of the word written next
    output wire [DEPTH*WIDTH-1:0]         slots
);

    assign slots[WIDTH-1:0] = head;

    genvar n;
    generate
        for (n = 1; n < DEPTH; n = n + 1) begin : slot
            wire [PLACE_BITS-1:0] place = second + n - 1;
            assign slots[n*WIDTH+:WIDTH] = places[place*WIDTH+:WIDTH];
            // So that the next word is written behind those there are.
            always @* if (live && full[n-1] && !full[n]) assert (free == place);
        end
    endgenerate

    wire [PLACE_BITS-1:0] before = second - 1'b1;
    wire [PLACE_BITS-1:0] after  = second + DEPTH - 1;
    always @* if (live) begin
        if (!full[0]) assert (free == before);
        if (full[DEPTH-1]) assert (free == after);
    end

endmodule

`default_nettype wire
