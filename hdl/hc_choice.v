// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_choice: the word of the requester that an hc_arbiter selects.
//
// Two or three words are chosen by comparing their requesters in pairs, which is known earlier
// than the overall selection. Of five or more words, those of a block, as in the arbiter, are
// chosen independently of other blocks. Without a request the output is any of the words, or 0.
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

    genvar b;
    generate
        if (WORDS == 2) begin : two
            wire upper = request[1] & !(request[0] & !turn[1]);

            assign word = upper ? words[WIDTH+:WIDTH] : words[0+:WIDTH];
        end else if (WORDS == 3) begin : three
            // Word 0, which is last to be chosen, is the one that enters the ring from a group.
            wire             lowest = request[0] & !(request[1] & turn[1]) & !(request[2] & turn[2]);
            wire             upper  = request[2] & !(request[1] & (turn[1] | !turn[2]));
            wire [WIDTH-1:0] other  = upper ? words[2*WIDTH+:WIDTH] : words[WIDTH+:WIDTH];

            assign word = lowest ? words[0+:WIDTH] : other;
        end else if (WORDS == 4) begin : four
            // Of two pairs: the upper one if it is due, or the lower one asks not at all, and the lower
            // one is not due.
            wire             lower_odd = request[1] & (turn[1] | !request[0]);
            wire             upper_odd = request[3] & !(request[2] & (turn[2] | !turn[3]));
            wire             due_below = request[1] & turn[1];
            wire             due_above = |(request[3:2] & turn[3:2]);
            wire             upper     = !due_below & (due_above | ~|request[1:0]);
            wire [WIDTH-1:0] below     = lower_odd ? words[WIDTH+:WIDTH] : words[0+:WIDTH];
            wire [WIDTH-1:0] above     = upper_odd ? words[3*WIDTH+:WIDTH] : words[2*WIDTH+:WIDTH];

            assign word = upper ? above : below;
        end else begin : blocks
            // The first of a block that asks and is due comes first in it, else the first that
            // asks: if none is due in a block that is chosen, none is in any.
            localparam integer BLOCKS = (WORDS + 3) / 4;

            wire [4*BLOCKS-1:0]     asks = {{4 * BLOCKS - WORDS{1'b0}}, request};
            wire [4*BLOCKS-1:0]     due  = {{4 * BLOCKS - WORDS{1'b0}}, request & turn};
            wire [BLOCKS-1:0]       some;
            wire [BLOCKS-1:0]       some_due;
            wire [BLOCKS-1:0]       chosen;
            wire [BLOCKS*WIDTH-1:0] firsts;

            for (b = 0; b < BLOCKS; b = b + 1) begin : block
                localparam integer NUMBER = WORDS - 4 * b < 4 ? WORDS - 4 * b : 4;
                wire [2:0]         first  = some_due[b] ? due[4*b+:3] : asks[4*b+:3];  // else the last one
                wire               upper  = ~|first[1:0];
                wire               odd    = upper ? !first[2] : !first[0];
                wire [4*WIDTH-1:0] those  = {{4 - NUMBER{words[4*b*WIDTH+:WIDTH]}}, words[4*b*WIDTH+:NUMBER*WIDTH]};

                assign some[b]     = |asks[4*b+:4];
                assign some_due[b] = |due[4*b+:4];
                assign chosen[b]   = some_due[b] ? ~|(some_due & ~({BLOCKS{1'b1}} << b))
                                                 : some[b] & ~|some_due & ~|(some & ~({BLOCKS{1'b1}} << b));
                // The code goes through the first of two LUTs to the second.
                wire [WIDTH-1:0] low = upper ? {WIDTH{odd}} : odd ? those[WIDTH+:WIDTH] : those[0+:WIDTH];
                assign firsts[b*WIDTH+:WIDTH] =
                    !upper ? low : low & those[3*WIDTH+:WIDTH] | ~low & those[2*WIDTH+:WIDTH];
            end
            hc_select #(
                .WORDS(BLOCKS),
                .WIDTH(WIDTH)
            ) block_select (
                .select(chosen),
                .words (firsts),
                .word  (word)
            );
        end
    endgenerate

endmodule

`default_nettype wire
