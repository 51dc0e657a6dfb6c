// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_prove_input: what a link input of a router has to do.
//
// Nothing is assumed of the link. Proved: the input is ready when a slot is free; a malformed
// message is dropped in the cycle of its handshake, counted once and copied nowhere; a well-formed
// one is done as soon as all its copies are made, which with hc_prove_output says that it is not
// done before; messages keep their order and stay as they are.

`default_nettype none

module hc_prove_input #(
    parameter integer               WD_BITS   = 1,
    parameter integer               WC_BITS   = 1,
    parameter integer               BODY_BITS = 6,
    parameter         [WD_BITS-1:0] DIMENSION = 1,
    parameter         [WC_BITS-1:0] LARGEST   = 1,  // D of the dimension
    parameter integer               CONTINUES = 0,  // 1 if D >= 2, else 0
    parameter integer               TARGETS   = 1,  // delivery, groups, continuation
    parameter integer               SLOTS     = 1,
    parameter integer               BYPASS    = 1,  // 1: messages pass an empty queue
    parameter integer               WORD_BITS = BODY_BITS + (CONTINUES != 0 ? WC_BITS : 0)  // derived: of a slot
) (
    input  wire                                         clk,
    input  wire                                         rst,
    input  wire                                         live,
    input  wire                                         tvalid,
    input  wire                                         tready,
    input  wire [WD_BITS+WC_BITS+BODY_BITS-1:0]         tdata,
    input  wire                                         header_error,
    // A wire and registers of the design.
    input  wire [TARGETS-1:0]                           making,  // this copy, if asked for, is made
    input  wire [TARGETS-1:0]                           left,    // copies still to be made
    input  wire [SLOTS-1:0]                             room,    // bit n: at most n messages
    input  wire [SLOTS*WORD_BITS-1:0]                   slots,   // the oldest message lowest
    // The queue as it should be.
    output wire [SLOTS-1:0]                             full,    // bit n: more than n messages
    output reg  [SLOTS*(WD_BITS+WC_BITS+BODY_BITS)-1:0] words,   // the oldest one lowest
    output reg  [TARGETS-1:0]                           made,    // copies of the oldest one
    output wire                                         continues  // the message of the input asks to continue
);

    localparam integer LINK_BITS = WD_BITS + WC_BITS + BODY_BITS;

    reg  [4:0]           count;
    reg                  dropped_q;

    wire                 passes    = BYPASS != 0 && count == 0;
    wire                 there     = count != 0 || (passes && tvalid);
    wire [LINK_BITS-1:0] word      = count != 0 ? words[LINK_BITS-1:0] : tdata;
    wire [WC_BITS-1:0]   link_wc   = tdata[BODY_BITS+:WC_BITS];
    wire                 link_good = tdata[BODY_BITS+WC_BITS+:WD_BITS] == DIMENSION
                                     && link_wc != 0 && link_wc <= LARGEST;
    wire                 good      = count != 0 || link_good;
    wire [WC_BITS-1:0]   wc        = word[BODY_BITS+:WC_BITS];
    wire [TARGETS-1:0]   wanted    = CONTINUES != 0 && wc <= 1 ? {TARGETS{1'b1}} >> 1 : {TARGETS{1'b1}};
    wire [TARGETS-1:0]   now       = made | (making & wanted);
    wire                 done      = there && good && now == wanted;
    wire                 leaves    = done && count != 0;
    wire                 comes     = tvalid && tready && link_good && !(passes && done);
    wire [4:0]           place     = count - leaves;

    assign continues = CONTINUES != 0 && there && wc > 1 && !made[TARGETS-1];

    integer i;
    always @(posedge clk) begin
        dropped_q <= tvalid && tready && !link_good && !rst;
        count     <= place + comes;
        made      <= there && good && !done ? now : {TARGETS{1'b0}};
        for (i = 0; i < SLOTS; i = i + 1) begin
            if (leaves && i + 1 < SLOTS)
                words[i*LINK_BITS+:LINK_BITS] <= words[(i+1)%SLOTS*LINK_BITS+:LINK_BITS];
            if (comes && place == i) words[i*LINK_BITS+:LINK_BITS] <= tdata;
        end
        if (rst) begin
            count <= 5'd0;
            made  <= {TARGETS{1'b0}};
        end
    end

    // Contract.
    always @* if (live) begin
        assert (tready == (count < SLOTS));
        assert (header_error == dropped_q);
    end

    // Invariants: what the registers hold of the messages in the queue.
    wire [SLOTS-1:0] counted;
    wire [SLOTS-1:0] held;
    genvar n;
    generate
        for (n = 0; n < SLOTS; n = n + 1) begin : slot
            wire [WD_BITS-1:0]   in_wd;
            wire [WC_BITS-1:0]   in_wc;
            wire [BODY_BITS-1:0] in_body;
            wire [WC_BITS-1:0]   next_wc = in_wc - 1'b1;
            wire                 same;
            assign {in_wd, in_wc, in_body} = words[n*LINK_BITS+:LINK_BITS];
            if (CONTINUES != 0) begin : on
                assign same = slots[n*WORD_BITS+:WORD_BITS] == {next_wc, in_body};
            end else begin : ends
                assign same = slots[n*WORD_BITS+:WORD_BITS] == in_body;
            end
            assign full[n]    = count > n;
            assign counted[n] = room[n] == !full[n];
            assign held[n]    = !full[n] || (same && in_wd == DIMENSION && in_wc != 0 && in_wc <= LARGEST);
        end
    endgenerate
    always @* if (live) begin
        assert (count <= SLOTS);
        assert (count != 0 || made == 0);
        assert (count == 0 || ((made & ~wanted) == 0 && made != wanted));
        assert (left == (count != 0 ? wanted & ~made : {TARGETS{1'b0}}));
        assert (&counted);
        assert (&held);
    end

    always @* cover (live && header_error && there && good);
    always @* cover (live && full[SLOTS>1] && leaves);
    generate
        if (TARGETS > 1) begin : several
            always @* cover (live && made != 0 && leaves);
        end
    endgenerate

endmodule

`default_nettype wire
