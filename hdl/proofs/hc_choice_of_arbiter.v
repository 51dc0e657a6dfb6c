// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_choice with hc_arbiter, to stand before its endmodule: whenever a
// requester asks the word is that of the selected one.

    (* anyseq *) wire             f_clk;
    (* anyseq *) wire             f_rst;
    (* anyseq *) wire             f_completed;
    wire              [WORDS-1:0] f_select;
    wire              [WORDS-1:0] f_turn;
    hc_arbiter #(
        .REQUESTERS(WORDS)
    ) f_arbiter (
        .clk      (f_clk),
        .rst      (f_rst),
        .request  (request),
        .completed(f_completed),
        .select   (f_select),
        .turn     (f_turn)
    );
    always @* assume (select == f_select && turn == f_turn);

    reg f_past = 1'b0;
    always @(posedge f_clk) f_past <= 1'b1;

    reg [WIDTH-1:0] f_word;
    integer f_i;
    always @* begin
        f_word = 0;
        for (f_i = 0; f_i < WORDS; f_i = f_i + 1) if (select[f_i]) f_word = words[f_i*WIDTH+:WIDTH];
    end
    always @* if (f_past && request != 0) assert (word == f_word);
    always @* cover (f_past && request == {WORDS{1'b1}} && select[WORDS-1]);
