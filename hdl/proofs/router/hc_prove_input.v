// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_prove_input: proves the contract of a link input of a router.
//
// Assumed: nothing about the link. Proved: the input is ready while a slot is free. A malformed
// message is dropped in the cycle of its handshake, flagged once and never copied. A well-formed
// message is done as soon as all its copies are made; hc_prove_output proves that it is not done
// earlier. Messages keep their order and do not change.

`default_nettype none

module hc_prove_input #(
    parameter integer               WD_BITS      = 1,
    parameter integer               WC_BITS      = 1,
    parameter integer               SPREAD_BITS  = 0,  // 1 with destinations, else 0
    parameter integer               MESSAGE_BITS = 8,  // {wd, wc, spread, fields, body}
    parameter         [WD_BITS-1:0] DIMENSION    = 1,
    parameter         [WC_BITS-1:0] LARGEST      = 1,  // D of the dimension
    parameter integer               CONTINUES    = 0,  // 1 if D >= 2, else 0
    parameter integer               TARGETS      = 1,  // delivery, groups, continuation
    parameter integer               SLOTS        = 1,
    parameter integer               BYPASS       = 1,  // 1: messages pass an empty FIFO
    parameter integer               WORD_BITS    = 6   // {next wc, spread, lower fields, body}, without wc if D is 1
) (
    input  wire                          clk,
    input  wire                          rst,
    input  wire                          live,
    input  wire                          tvalid,
    input  wire                          tready,
    input  wire [MESSAGE_BITS-1:0]       message,   // message on the link
    input  wire                          routable,  // no distance is too large for its ring
    input  wire                          header_error,
    output wire [MESSAGE_BITS-1:0]       head,      // the head of the input
    input  wire [TARGETS-CONTINUES-1:0]  targets,   // targets of the head: delivery and groups
    // A wire and registers of the design.
    input  wire [TARGETS-1:0]            grant,     // this copy, if requested, is made
    input  wire [TARGETS-1:0]            pending,   // copies left
    input  wire [SLOTS-1:0]              free,      // bit n: at most n messages in the FIFO
    input  wire [SLOTS*WORD_BITS-1:0]    slots,     // the oldest message lowest
    // The FIFO by the contract.
    output wire [SLOTS-1:0]              full,      // bit n: more than n messages in the FIFO
    output reg  [SLOTS*MESSAGE_BITS-1:0] words,     // the oldest message lowest
    output wire [TARGETS-1:0]            request,   // copies left of the oldest message
    output wire                          continues, // the head requests to continue
    output wire                          head_valid // the head is well formed
);

    localparam integer LOW_BITS = MESSAGE_BITS - WD_BITS - WC_BITS;  // below wc
    // 1 if a message can be in the FIFO before it is the head.
    localparam integer WAITS    = BYPASS == 0 || SLOTS > 1 ? 1 : 0;

    reg  [4:0]             count;
    reg  [TARGETS-1:0]     copies;  // copies made of the oldest message
    reg                    dropped_q;

    wire                   passes    = BYPASS != 0 && count == 0;
    wire                   there     = count != 0 || (passes && tvalid);
    wire [WC_BITS-1:0]     link_wc   = message[LOW_BITS+:WC_BITS];
    wire                   link_good = message[LOW_BITS+WC_BITS+:WD_BITS] == DIMENSION
                                       && link_wc != 0 && link_wc <= LARGEST && routable;
    wire                   good      = count != 0 || link_good;
    wire [WC_BITS-1:0]     wc        = head[LOW_BITS+:WC_BITS];
    wire [TARGETS-1:0]     all;     // targets of a message that spreads to all lower dimensions
    wire [TARGETS-1:0]     wanted;
    wire [TARGETS-1:0]     now       = copies | (grant & wanted);
    wire                   done      = there && good && now == wanted;
    wire                   leaves    = done && count != 0;
    wire                   comes     = tvalid && tready && link_good && !(passes && done);
    wire [4:0]             place     = count - leaves;

    assign head_valid = good;
    assign head       = count != 0 ? words[MESSAGE_BITS-1:0] : message;
    assign request    = count != 0 ? wanted & ~copies : {TARGETS{1'b0}};
    assign continues  = CONTINUES != 0 && there && wc > 1 && !copies[TARGETS-1];

    generate
        if (CONTINUES != 0) begin : goes_on
            assign wanted = {wc > 1, targets};
            assign all    = {wc > 1, {TARGETS - 1{1'b1}}};
        end else begin : ends
            assign wanted = targets;
            assign all    = {TARGETS{1'b1}};
        end
    endgenerate

    integer i;
    always @(posedge clk) begin
        dropped_q <= tvalid && tready && !link_good && !rst;
        count     <= place + comes;
        copies    <= there && good && !done ? now : {TARGETS{1'b0}};
        for (i = 0; i < SLOTS; i = i + 1) begin
            if (leaves && i + 1 < SLOTS)
                words[i*MESSAGE_BITS+:MESSAGE_BITS] <= words[(i+1)%SLOTS*MESSAGE_BITS+:MESSAGE_BITS];
            if (comes && place == i) words[i*MESSAGE_BITS+:MESSAGE_BITS] <= message;
        end
        if (rst) begin
            count  <= 5'd0;
            copies <= {TARGETS{1'b0}};
        end
    end

    // Contract.
    always @* if (live) begin
        assert (tready == (count < SLOTS));
        assert (header_error == dropped_q);
    end

    // Invariants: the contents of the registers, from the messages in the FIFO. Unwanted copies of a
    // message are removed in its first cycle as the head.
    wire [SLOTS-1:0] counted;
    wire [SLOTS-1:0] held;
    genvar n;
    generate
        for (n = 0; n < SLOTS; n = n + 1) begin : slot
            // A slot holds {next wc, spread} and the lower bits that links of the dimension carry.
            localparam integer              CARRIED_BITS = WORD_BITS - SPREAD_BITS - (CONTINUES != 0 ? WC_BITS : 0);
            wire [WD_BITS-1:0]              in_wd;
            wire [WC_BITS+SPREAD_BITS-1:0]  in_head;
            wire [LOW_BITS-SPREAD_BITS-1:0] in_low;
            wire [WC_BITS-1:0]              in_wc  = in_head >> SPREAD_BITS;
            wire [WC_BITS+SPREAD_BITS-1:0]  onward = in_head - (1 << SPREAD_BITS);
            wire [MESSAGE_BITS-1:0]         stored = {onward, in_low[CARRIED_BITS-1:0]};
            wire                            same   = slots[n*WORD_BITS+:WORD_BITS] == stored[WORD_BITS-1:0]
                                                     && in_low == in_low[CARRIED_BITS-1:0];
            assign {in_wd, in_head, in_low} = words[n*MESSAGE_BITS+:MESSAGE_BITS];
            assign full[n]    = count > n;
            assign counted[n] = free[n] == !full[n];
            assign held[n]    = !full[n] || (same && in_wd == DIMENSION && in_wc != 0 && in_wc <= LARGEST);
        end
    endgenerate
    always @* if (live) begin
        assert (count <= SLOTS);
        assert (count != 0 || copies == 0);
        assert (count == 0 || ((copies & ~wanted) == 0 && copies != wanted));
        assert (pending == request || (WAITS != 0 && count != 0 && copies == 0 && pending == all));
        assert (&counted);
        assert (&held);
    end

    always @* cover (live && header_error && there && good);
    always @* cover (live && full[SLOTS>1] && leaves);
    generate
        if (TARGETS > 1) begin : several
            always @* cover (live && copies != 0 && leaves);
        end
    endgenerate

endmodule

`default_nettype wire
