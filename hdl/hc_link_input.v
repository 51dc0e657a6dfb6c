// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_link_input: receives the messages of one link, and copies each message to its targets:
// delivery, the groups of all lower dimensions and, if it has steps left in its dimension, its
// continuation.
//
// The head of the input is the oldest message of a FIFO with SLOTS slots. If BYPASS is 1 and the
// FIFO is empty, the head is the message that is on the link in this cycle. Each copy is made when
// its target takes it; a bit per target records which copies are left. A message with copies left
// at the end of its first cycle is stored in the FIFO.
//
// Latency: none with BYPASS, else one cycle. Backpressure: tready is a register, high while a slot
// is free.
//
// Freedom from deadlock: the targets must take copies independently of each other. The order of
// dimensions and the bubble rule of hc_ring_port guarantee this.
//
// A message is malformed if wd is not DIMENSION, or if wc is 0 or above LARGEST. It never enters
// the FIFO, and header_error is high in the cycle after its handshake. As the head it makes
// requests like any other message, but no target takes it, because `valid` is low.

`default_nettype none

module hc_link_input #(
    parameter integer               WD_BITS   = 1,  // bits of wd, the dimension in a header, 1 or more
    parameter integer               WC_BITS   = 1,  // bits of wc, the weight in a header, 1 or more
    parameter         [WD_BITS-1:0] DIMENSION = 1,  // dimension of the link, 1 or more
    parameter         [WC_BITS-1:0] LARGEST   = 1,  // largest legal wc: D of the dimension, 1 or more
    parameter integer               CONTINUES = 0,  // 1 if messages can continue (D >= 2), else 0
    parameter integer               TARGETS   = 1,  // number of targets: 1 + number of lower dimensions + CONTINUES
    parameter integer               BODY_BITS = 8,  // bits of source id and payload, 1 or more
    parameter integer               SLOTS     = 1,  // slots of the FIFO, 1 or more
    parameter integer               BYPASS    = 1   // 1 if a message passes an empty FIFO in the same cycle, else 0
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire                 s_axis_tvalid,
    output wire                 s_axis_tready,
    input  wire [WD_BITS-1:0]   wd,            // dimension of the message on the link
    input  wire [WC_BITS-1:0]   wc,            // weight of the message on the link
    input  wire [BODY_BITS-1:0] body,          // source id and payload of the message on the link
    output wire [WC_BITS-1:0]   head_next_wc,  // weight of the continuation of the head
    output wire [BODY_BITS-1:0] head_body,     // source id and payload of the head
    output wire                 valid,         // the header of the head is well formed
    output wire [TARGETS-1:0]   request,       // bit 0: delivery; i: group of dimension i; last: continuation
    input  wire [TARGETS-1:0]   grant,         // the target takes this copy in this cycle, if it is requested
    output reg                  header_error   // high in the cycle after a malformed message was dropped
);

    localparam integer WORD_BITS = BODY_BITS + (CONTINUES != 0 ? WC_BITS : 0);

    generate
        if (LARGEST == {WC_BITS{1'b0}}) begin : illegal_largest
            hc_link_input_LARGEST_must_be_1_or_more illegal ();
        end
        if (TARGETS != {{32 - WD_BITS{1'b0}}, DIMENSION} + CONTINUES) begin : illegal_targets
            hc_link_input_TARGETS_must_be_DIMENSION_plus_CONTINUES illegal ();
        end
        if (SLOTS < 1) begin : illegal_slots
            hc_link_input_SLOTS_must_be_1_or_more illegal ();
        end
    endgenerate

    reg  [SLOTS-1:0]     free_q;     // bit n: slot n is free; messages fill slots from 0 upwards
    reg  [TARGETS-1:0]   pending_q;  // copies left to make of the oldest message; 0 if the FIFO is empty
    reg  [WORD_BITS-1:0] head_q;     // the oldest message

    // The message on the link.
    wire                 well_formed;
    wire [WORD_BITS-1:0] link_word;
    wire [TARGETS-1:0]   link_targets;
    wire                 arrival = s_axis_tvalid & s_axis_tready & well_formed;

    // The head.
    wire                 bypass = BYPASS != 0 && free_q[0];  // the head is the message on the link
    wire [WORD_BITS-1:0] head   = bypass ? link_word : head_q;
    wire [TARGETS-1:0]   rest   = request & ~grant & {TARGETS{valid}};
    wire                 stays  = |rest;

    // The next message.
    wire                 follows = arrival & !bypass;
    wire                 waits;  // it is in the FIFO
    wire [WORD_BITS-1:0] next_word;
    wire [TARGETS-1:0]   next_targets;

    generate
        if (&LARGEST) begin : any_weight
            assign well_formed = wd == DIMENSION && wc != {WC_BITS{1'b0}};
        end else begin : bounded_weight
            assign well_formed = wd == DIMENSION && wc != {WC_BITS{1'b0}} && wc <= LARGEST;
        end

        if (CONTINUES != 0) begin : continues
            assign link_word    = {wc - 1'b1, body};
            assign link_targets = {wc > {{WC_BITS - 1{1'b0}}, 1'b1}, {TARGETS - 1{1'b1}}};
            assign head_next_wc = head[BODY_BITS+:WC_BITS];
        end else begin : stops
            assign link_word    = body;
            assign link_targets = {TARGETS{1'b1}};
            assign head_next_wc = {WC_BITS{1'b0}};
        end
    endgenerate

    assign valid     = !bypass | well_formed;
    assign request   = pending_q | (link_targets & {TARGETS{bypass & s_axis_tvalid}});
    assign head_body = head[BODY_BITS-1:0];

    genvar n;
    generate
        if (SLOTS == 1) begin : lone
            assign waits        = 1'b0;
            assign next_word    = link_word;
            assign next_targets = link_targets & {TARGETS{follows}};

            always @(posedge clk) if (free_q[0]) head_q <= next_word;
        end else begin : queue
            // The slots above the oldest message, lowest first. A message moves down one slot when
            // the oldest message leaves; a free slot follows the link.
            reg  [(SLOTS-1)*WORD_BITS-1:0] slots_q;
            wire [SLOTS:0]                 level = {1'b0, ~free_q};  // bit n: more than n messages
            wire [TARGETS-1:0]             waiting_targets;

            assign waits        = level[1];
            assign next_word    = waits ? slots_q[WORD_BITS-1:0] : link_word;
            assign next_targets = waits ? waiting_targets : link_targets & {TARGETS{follows}};

            if (CONTINUES != 0) begin : continues
                assign waiting_targets = {|next_word[BODY_BITS+:WC_BITS], {TARGETS - 1{1'b1}}};
            end else begin : stops
                assign waiting_targets = {TARGETS{1'b1}};
            end

            always @(posedge clk) if (free_q[0] | !stays) head_q <= next_word;

            for (n = 1; n < SLOTS; n = n + 1) begin : slot
                wire [WORD_BITS-1:0] behind;
                if (n == SLOTS - 1) begin : last
                    assign behind = link_word;
                end else begin : inner
                    assign behind = level[n+1] ? slots_q[n*WORD_BITS+:WORD_BITS] : link_word;
                end
                always @(posedge clk) begin
                    if (free_q[n] | !stays) slots_q[(n-1)*WORD_BITS+:WORD_BITS] <= behind;
                    free_q[n] <= stays ? !(level[n] | (level[n-1] & arrival))
                                       : !(level[n+1] | (level[n] & arrival));
                    if (rst) free_q[n] <= 1'b1;
                end
            end
        end
    endgenerate

    always @(posedge clk) begin
        free_q[0]    <= !(stays | waits | follows);
        pending_q    <= rest | (next_targets & {TARGETS{!stays}});
        header_error <= s_axis_tvalid & s_axis_tready & !well_formed;
        if (rst) begin
            free_q[0]    <= 1'b1;
            pending_q    <= {TARGETS{1'b0}};
            header_error <= 1'b0;
        end
    end

    assign s_axis_tready = free_q[SLOTS-1];

endmodule

`default_nettype wire
