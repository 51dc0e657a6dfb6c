// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_queued_input: receives the messages of one link into a queue of two slots and
// has the one at its head copied to its targets: delivery, the groups of all lower
// dimensions and, if it still has steps to go in its dimension, its continuation.
//
// Latency: one cycle. Backpressure: tready is a register, high while a slot is free. Each
// copy is made whenever its target has room; the message leaves in the cycle of the
// last copy. Freedom from deadlock: the slots are part of the ring, and only pass on.
// A malformed header (wd not DIMENSION, wc = 0 or above LARGEST) is dropped in its first
// cycle at the head: it asks like any other but nothing of it is copied, because
// `accept` is low. header_error is high in the cycle after.
//
// What can be told of a header is told before the queue, and the copies to be made are
// registers, so that at the head nothing stands before the arbiters. The slots take turns
// to be the head: leaving changes the turn, and loads no word.

`default_nettype none

module hc_queued_input #(
    parameter integer               WD_BITS   = 1,  // bits of the weight wd
    parameter integer               WC_BITS   = 1,  // bits of the weight wc
    parameter         [WD_BITS-1:0] DIMENSION = 1,  // dimension of the link, 1 or more
    parameter         [WC_BITS-1:0] LARGEST   = 1,  // largest legal wc: D of the dimension
    parameter integer               CONTINUES = 0,  // 1 if D >= 2, else 0
    parameter integer               TARGETS   = 1,  // 1 + number of lower dimensions + CONTINUES
    parameter integer               BODY_BITS = 8   // bits of source id and payload
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire                 s_axis_tvalid,
    output wire                 s_axis_tready,
    input  wire [WD_BITS-1:0]   wd,
    input  wire [WC_BITS-1:0]   wc,
    input  wire [BODY_BITS-1:0] body,
    output wire [WC_BITS-1:0]   head_next_wc,  // weight of the continuation
    output wire [BODY_BITS-1:0] head_body,
    output wire                 accept,        // the header is well formed
    output wire [TARGETS-1:0]   ask,           // 0 delivery, i group of dimension i, last the continuation
    input  wire [TARGETS-1:0]   made,          // this copy is made in this cycle
    output reg                  header_error
);

`ifndef __ICARUS__
    generate
        if (LARGEST == {WC_BITS{1'b0}}) begin : illegal_largest
            $error("hc_queued_input: LARGEST must be 1 or more");
        end
        if (TARGETS != {{32 - WD_BITS{1'b0}}, DIMENSION} + CONTINUES) begin : illegal_targets
            $error("hc_queued_input: TARGETS must be DIMENSION + CONTINUES");
        end
    endgenerate
`endif

    // The head.
    reg  [TARGETS-1:0]   ask_q;         // copies still to be made; 0 without a message
    reg                  accept_q;
    reg                  odd_q;         // it is in the odd slot
    reg  [BODY_BITS-1:0] body_even_q;
    reg  [BODY_BITS-1:0] body_odd_q;

    // The message behind it, in the other slot, which follows what arrives while it is free.
    reg                  waits_q;
    reg                  waits_accept_q;
    wire [TARGETS-1:0]   next_ask;      // of the one that is the head next: this or what arrives

    wire                 arrives_accept;
    wire                 comes = waits_q | s_axis_tvalid;
    wire                 leave = !accept_q | &(~ask_q | made);  // or there is none

    generate
        if (&LARGEST) begin : any_weight
            assign arrives_accept = wd == DIMENSION && wc != {WC_BITS{1'b0}};
        end else begin : bounded_weight
            assign arrives_accept = wd == DIMENSION && wc != {WC_BITS{1'b0}} && wc <= LARGEST;
        end
        if (CONTINUES != 0) begin : continues
            wire               arrives_on = wc > {{WC_BITS - 1{1'b0}}, 1'b1};
            reg                waits_on_q;  // has steps to go
            reg  [WC_BITS-1:0] next_wc_even_q;
            reg  [WC_BITS-1:0] next_wc_odd_q;

            always @(posedge clk) begin
                if (!waits_q) waits_on_q <= arrives_on;
                if (!waits_q & odd_q) next_wc_even_q <= wc - 1'b1;
                if (!waits_q & !odd_q) next_wc_odd_q <= wc - 1'b1;
            end

            assign next_ask     = {waits_q ? waits_on_q : s_axis_tvalid & arrives_on, {TARGETS - 1{comes}}};
            assign head_next_wc = odd_q ? next_wc_odd_q : next_wc_even_q;
        end else begin : stops
            assign next_ask     = {TARGETS{comes}};
            assign head_next_wc = {WC_BITS{1'b0}};
        end
    endgenerate

    always @(posedge clk) begin
        if (!waits_q) waits_accept_q <= arrives_accept;
        if (!waits_q & odd_q) body_even_q <= body;
        if (!waits_q & !odd_q) body_odd_q <= body;

        waits_q <= comes & !leave;
        odd_q   <= odd_q ^ (comes & leave);
        ask_q   <= leave ? next_ask : ask_q & ~made;
        if (leave) accept_q <= waits_q ? waits_accept_q : arrives_accept;
        header_error <= ask_q[0] & !accept_q;
        if (rst) begin
            waits_q      <= 1'b0;
            odd_q        <= 1'b0;
            ask_q        <= {TARGETS{1'b0}};
            header_error <= 1'b0;
        end
    end

    assign s_axis_tready = !waits_q;
    assign head_body     = odd_q ? body_odd_q : body_even_q;
    assign accept        = accept_q;
    assign ask           = ask_q;

endmodule

`default_nettype wire
