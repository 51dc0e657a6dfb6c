// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_vector_counter: carries out an operation on vectors of a collective network, one operation of the network per word.
//
// A start is accepted while ready is 1, and its cycle is cycle 0. The word with number k starts in cycle k PERIOD. In the
// cycles up to the next start, send_number is k. receive_number is the number of the word whose deliveries are under
// way: it follows word_done, which the network asserts with the last delivery of each word.
//
// Latency: word_start follows a start in the same cycle. done comes one cycle after the word_done of the last word. All
// other outputs are registered.

`default_nettype none

module hc_vector_counter #(
    parameter integer WORDS  = 2,  // the most words of a vector, 1 or more
    parameter integer PERIOD = 1   // cycles from the start of a word to that of the next, 1 or more
) (
    input  wire                                      clk,
    input  wire                                      rst,
    input  wire                                      start,          // start an operation on vectors
    input  wire [$clog2(WORDS+1)-1:0]                count,          // their words, 1 to WORDS
    output reg                                       ready,          // a start is accepted in this cycle
    output reg                                       done,           // high for one cycle: all words can be read
    output wire                                      word_start,     // the network starts
    input  wire                                      word_done,      // the network delivers the last results of a word
    output reg  [(WORDS>2?$clog2(WORDS):1)-1:0]      send_number,    // of the word that the network reads
    output reg  [(WORDS>2?$clog2(WORDS):1)-1:0]      receive_number  // of the word that the network delivers
);

    generate
        if (WORDS < 1) begin : illegal_words
            hc_vector_counter_WORDS_must_be_1_or_more illegal ();
        end
        if (PERIOD < 1) begin : illegal_period
            hc_vector_counter_PERIOD_must_be_1_or_more illegal ();
        end
    endgenerate

    localparam integer          BITS       = WORDS > 2 ? $clog2(WORDS) : 1;
    localparam integer          CYCLE_BITS = PERIOD > 2 ? $clog2(PERIOD) : 1;
    localparam [CYCLE_BITS:0]   LAST_CYCLE = PERIOD[CYCLE_BITS:0] - 1'b1;

    reg [CYCLE_BITS-1:0] cycle;      // since the start of a word; 0 if none is under way
    reg                  next_word;  // a word that is not the first starts in this cycle
    reg [BITS-1:0]       last_q;     // number of the last word

    wire                       accepted = start & ready;
    wire [$clog2(WORDS+1)-1:0] less     = count - 1'b1;
    wire                       period   = PERIOD == 1 ? word_start : cycle == LAST_CYCLE[CYCLE_BITS-1:0];  // ends

    // With a period of one cycle, the first word ends in the cycle in which the number of the last word arrives.
    wire [BITS-1:0] last = PERIOD == 1 && accepted ? less[BITS-1:0] : last_q;

    assign word_start = accepted | next_word;

    always @(posedge clk) begin
        if (accepted) begin
            ready  <= 1'b0;
            last_q <= less[BITS-1:0];
        end
        if (word_start || cycle != {CYCLE_BITS{1'b0}}) cycle <= cycle + 1'b1;
        next_word <= period && send_number != last;
        if (period) begin
            cycle       <= {CYCLE_BITS{1'b0}};
            send_number <= send_number == last ? {BITS{1'b0}} : send_number + 1'b1;
        end
        done <= 1'b0;
        if (word_done) begin
            receive_number <= receive_number + 1'b1;
            if (receive_number == last_q) begin
                receive_number <= {BITS{1'b0}};
                ready          <= 1'b1;
                done           <= 1'b1;
            end
        end
        if (rst) begin
            cycle          <= {CYCLE_BITS{1'b0}};
            next_word      <= 1'b0;
            send_number    <= {BITS{1'b0}};
            receive_number <= {BITS{1'b0}};
            ready          <= 1'b1;
            done           <= 1'b0;
        end
    end

    wire unused = &{1'b0, less};  // the highest bit if WORDS is a power of two

endmodule

`default_nettype wire
