// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_choice: the word of the requester that an hc_arbiter selects.
//
// Two or three words are chosen by comparing their requesters in pairs, which is known
// sooner than what is selected of all. Without a request it is any of the words.
//
// Latency: none.

`default_nettype none

module hc_choice #(
    parameter integer WORDS = 2,  // requesters and words, 1 or more
    parameter integer WIDTH = 8   // bits of a word, 1 or more
) (
    input  wire [WORDS-1:0]       request,  // as the arbiter's
    input  wire [WORDS-1:0]       turn,     // from the arbiter
    input  wire [WORDS-1:0]       select,   // from the arbiter
    input  wire [WORDS*WIDTH-1:0] words,    // word 0 lowest
    output wire [WIDTH-1:0]       word
);

    wire unused = &{1'b0, request, turn, select};

    generate
        if (WORDS == 2) begin : two
            wire upper = request[1] & !(request[0] & !turn[1]);

            assign word = upper ? words[WIDTH+:WIDTH] : words[0+:WIDTH];
        end else if (WORDS == 3) begin : three
            // Word 0, which is last to be chosen, is the local input's in a group.
            wire             lowest = request[0] & !(request[1] & turn[1]) & !(request[2] & turn[2]);
            wire             upper  = request[2] & !(request[1] & (turn[1] | !turn[2]));
            wire [WIDTH-1:0] other  = upper ? words[2*WIDTH+:WIDTH] : words[WIDTH+:WIDTH];

            assign word = lowest ? words[0+:WIDTH] : other;
        end else begin : any
            hc_select #(
                .WORDS(WORDS),
                .WIDTH(WIDTH)
            ) by_select (
                .select(select),
                .words (words),
                .word  (word)
            );
        end
    endgenerate

endmodule

`default_nettype wire
