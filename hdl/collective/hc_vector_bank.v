// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_vector_bank: memory with a port for writes and a port for reads, which tools put into block RAM.
//
// Latency: the word that is read is there in the cycle after its address. A word that is read in the cycle in which it is
// written is undefined.

`default_nettype none

module hc_vector_bank #(
    parameter integer WORDS = 2,  // of the memory, 2 or more
    parameter integer WIDTH = 8   // bits of a word, 1 or more
) (
    input  wire                     clk,
    input  wire                     write,
    input  wire [$clog2(WORDS)-1:0] write_address,  // below WORDS if write is high
    input  wire [WIDTH-1:0]         write_word,
    input  wire [$clog2(WORDS)-1:0] read_address,
    output reg  [WIDTH-1:0]         read_word       // of the address in the previous cycle; undefined from WORDS on
);

    generate
        if (WORDS < 2) begin : illegal_words
            hc_vector_bank_WORDS_must_be_2_or_more illegal ();
        end
        if (WIDTH < 1) begin : illegal_width
            hc_vector_bank_WIDTH_must_be_1_or_more illegal ();
        end
    endgenerate

    // Without no_rw_check, Yosys adds registers for a word that is read while it is written.
    (* no_rw_check *) reg [WIDTH-1:0] words[0:WORDS-1];

    always @(posedge clk) begin
        if (write) words[write_address] <= write_word;
        read_word <= words[read_address];
    end

endmodule

`default_nettype wire
