// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chunk_choice: the operators "min", "max", "signed_min" and "signed_max" of reductions: the smaller or the larger of two
// words whose chunks follow one another. The highest chunk is at place 0.
//
// Latency: none. The first chunk in which the words differ decides. Whether they have differed, and which word is
// smaller, goes from a chunk to the one at the next place through registers.

`default_nettype none

module hc_chunk_choice #(
    parameter integer W      = 32,  // bits of a word, 1 or more
    parameter integer CHUNK  = 8,   // bits of a chunk, 1 or more; the highest chunk may be shorter
    parameter integer LARGER = 0,   // 1: the larger word; 0: the smaller
    parameter integer SIGNED = 0    // 1: words in two's complement; 0: unsigned words
) (
    input  wire         clk,
    input  wire [W-1:0] a,  // first operand
    input  wire [W-1:0] b,  // second operand
    output wire [W-1:0] y   // result
);

    localparam integer CHUNKS = (W + CHUNK - 1) / CHUNK;

    wire [CHUNKS-1:0] equal;    // all chunks above each chunk are equal in both words
    wire [CHUNKS-1:0] smaller;  // otherwise: a is smaller
    assign equal[CHUNKS-1]   = 1'b1;
    assign smaller[CHUNKS-1] = 1'b0;

    genvar k;
    generate
        if (CHUNK < 1) begin : illegal_chunk
            hc_chunk_choice_CHUNK_must_be_1_or_more illegal ();
        end
        for (k = 0; k < CHUNKS; k = k + 1) begin : chunk
            localparam integer LOW  = k * CHUNK;
            localparam integer SIZE = W - LOW < CHUNK ? W - LOW : CHUNK;
            wire [SIZE-1:0] part_a = a[LOW+:SIZE];
            wire [SIZE-1:0] part_b = b[LOW+:SIZE];
            wire            less;  // part_a is smaller
            if (SIGNED != 0 && k == CHUNKS - 1) begin : with_sign
                assign less = $signed(part_a) < $signed(part_b);
            end else begin : without_sign
                assign less = part_a < part_b;
            end
            wire            choice = equal[k] ? less : smaller[k];
            assign y[LOW+:SIZE] = choice == (LARGER == 0) ? part_a : part_b;
            if (k == 0) begin : last
                wire unused = &{1'b0, clk};
            end else begin : passed
                reg equal_q;
                reg smaller_q;
                always @(posedge clk) begin
                    equal_q   <= equal[k] & part_a == part_b;
                    smaller_q <= choice;
                end
                assign equal[k-1]   = equal_q;
                assign smaller[k-1] = smaller_q;
            end
        end
    endgenerate

endmodule

`default_nettype wire
