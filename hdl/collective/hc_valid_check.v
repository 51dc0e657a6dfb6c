// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_valid_check: reports a requested word that is not valid in time.
//
// Latency: a requested word must be valid in the next cycle. If it is not, late is high one cycle after that.

`default_nettype none

module hc_valid_check #(
    parameter integer WORDS = 1  // number of words that may be requested in a cycle, 1 or more
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [WORDS-1:0] request,  // the word is needed in the next cycle
    input  wire [WORDS-1:0] valid,    // the word is valid
    output reg              late      // a word was not valid in time
);

    generate
        if (WORDS < 1) begin : illegal_words
            hc_valid_check_WORDS_must_be_1_or_more illegal ();
        end
    endgenerate

    reg [WORDS-1:0] request_q;  // words that were requested in the previous cycle

    always @(posedge clk) begin
        request_q <= request;
        late      <= |(request_q & ~valid);
        if (rst) begin
            request_q <= {WORDS{1'b0}};
            late      <= 1'b0;
        end
    end

endmodule

`default_nettype wire
