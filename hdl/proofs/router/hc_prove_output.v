// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_prove_output: proves the contract of an output of a router.
//
// Proved: the rules of AXI4-Stream. For each marked message (hc_prove_marks) that must be copied to
// this output, exactly one copy leaves, with the right header and body; for other messages no copy
// leaves. Copies of messages of one input leave in the order of the input. A message is taken from
// its input only if its copy is in the register of the output or has left. The bubble rule.
//
// Parameters select the inputs from which messages are copied here. `enters` and `heads` give the
// messages that enter, and their headers.

`default_nettype none

module hc_prove_output #(
    parameter integer               SOURCES      = 2,  // number of link inputs and the local input, which is the last
    parameter integer               WD_BITS      = 1,
    parameter integer               WC_BITS      = 1,
    parameter integer               SPREAD_BITS  = 0,  // 1 with destinations, else 0
    parameter integer               MESSAGE_BITS = 8,  // {wd, wc, spread, fields, body}
    parameter integer               LINK_BITS    = 8,
    parameter integer               COPIED_BITS  = 6,  // lowest bits of a message that are copied
    parameter integer               TAG_BITS     = 2,
    parameter integer               MARKS        = 2,
    parameter integer               STORED_BITS  = 6,  // lowest bits of a copy that the register stores
    parameter integer               RING         = 0,  // 1: messages continue on this port
    parameter integer               LINK         = 1,  // 0: delivery, without a header
    parameter         [WD_BITS-1:0] DIMENSION    = 1,
    parameter         [SOURCES-1:0] ENTERS       = 0,  // messages of the input may enter here
    parameter         [SOURCES-1:0] CONTINUES    = 0,  // a message of the input with wc > 1 continues here
    parameter         [SOURCES-1:0] TRANSFERS    = 0   // a message of the input with wc > 1 transfers here
) (
    input  wire                          clk,
    input  wire                          rst,
    input  wire                          live,
    input  wire                          tvalid,
    input  wire                          tready,
    input  wire [LINK_BITS-1:0]          tdata,      // {0, wd, wc, spread, COPIED_BITS}; delivery: {0, body}
    // The marked messages, from hc_prove_marks.
    input  wire [SOURCES-1:0]            source,
    input  wire [MARKS*MESSAGE_BITS-1:0] words,
    input  wire [MARKS-1:0]              good,
    input  wire [MARKS-1:0]              waiting,
    input  wire [MARKS-1:0]              gone,
    input  wire [MARKS-1:0]              enters,     // it is to enter here, if messages of its input can
    input  wire [MARKS*(WC_BITS+SPREAD_BITS)-1:0] heads,  // with this {wc, spread}
    output wire [MARKS-1:0]              wanted,     // it is to be copied here
    input  wire                          continues,  // a message requests to continue on this port
    input  wire [SOURCES-1:0]            request,    // the copy of the input's head is left
    input  wire [SOURCES-1:0]            first,      // the pointers of the group lead to this source
    // Registers of the design.
    input  wire                          full,
    input  wire [STORED_BITS-1:0]        stored,
    input  wire                          done        // this port has taken the message of the group
);

    localparam integer HEAD_BITS = WC_BITS + SPREAD_BITS;

    // AXI4-Stream.
    reg                 waits_q;
    reg                 reset_q;
    reg [LINK_BITS-1:0] tdata_q;
    always @(posedge clk) begin
        waits_q <= tvalid && !tready && !rst;
        reset_q <= rst;
        tdata_q <= tdata;
    end
    always @* if (live) begin
        if (waits_q) assert (tvalid && tdata == tdata_q);
        if (reset_q) assert (!tvalid);
        assert (tvalid == full);  // valid does not wait for ready
    end

    // Whether the copies of the marked messages are in the register, or have left.
    wire [MARKS-1:0] here;
    reg  [MARKS-1:0] here_q;
    reg  [MARKS-1:0] left;
    reg              barred_q;  // a message requested to continue in the previous cycle
    wire             enterable = |(source & ENTERS);
    always @(posedge clk) begin
        here_q   <= here;
        barred_q <= continues;
    end

    genvar m;
    generate
        for (m = 0; m < MARKS; m = m + 1) begin : mark
            wire [MESSAGE_BITS-1:0] message = words[m*MESSAGE_BITS+:MESSAGE_BITS];
            wire [WC_BITS-1:0]      wc      = message[MESSAGE_BITS-WD_BITS-1-:WC_BITS];
            wire [HEAD_BITS-1:0]    onward  = message[MESSAGE_BITS-WD_BITS-1-:HEAD_BITS] - (1 << SPREAD_BITS);
            wire [HEAD_BITS-1:0]    head    = enterable ? heads[m*HEAD_BITS+:HEAD_BITS] : onward;
            wire [LINK_BITS-1:0]    word;
            wire                    shows   = tvalid && tdata[TAG_BITS-1:0] == word[TAG_BITS-1:0];
            wire                    copied  = wanted[m]
                && (gone[m] || (waiting[m] && |(source & (~request | (first & {SOURCES{done}})))));

            if (LINK != 0) begin : link
                assign word = {DIMENSION, head, message[COPIED_BITS-1:0]};
            end else begin : delivery
                assign word = message[COPIED_BITS-1:0];
            end

            assign wanted[m] = good[m] && (enterable ? enters[m] : |(source & (CONTINUES | TRANSFERS)) && wc > 1);

            assign here[m]   = full && stored[TAG_BITS-1:0] == word[TAG_BITS-1:0];

            always @(posedge clk) begin
                if (shows && tready) left[m] <= 1'b1;
                if (rst) left[m] <= 1'b0;
            end

            // Contract: only wanted copies, with the right contents, once; and if the message has left its
            // input, or its copy is recorded as made, the copy is in the register or has left.
            always @* if (live) begin
                if (shows) assert (wanted[m]);
                if (shows) assert (tdata == word);
                if (shows) assert (!left[m]);
                assert (copied == (left[m] || here[m]));
            end

            // Invariants.
            always @* if (live) begin
                assert (!here[m] || stored == word[STORED_BITS-1:0]);
                assert (!left[m] || !here[m]);
            end

            if (RING != 0) begin : ring
                // The bubble rule: a message enters only in a cycle in which no message requests to continue.
                always @* if (live)
                    if (here[m] && !here_q[m] && !reset_q && |(source & (ENTERS | TRANSFERS))) assert (!barred_q);
            end
        end

        // Copies of all marked messages come out.
        always @* cover (live && &left);

        if (MARKS > 1) begin : order
            // Not before the first message.
            always @* if (live) begin
                if (mark[1].shows) assert (!wanted[0] || left[0]);
                assert (!here[0] || !left[1]);
            end
        end
    endgenerate

endmodule

`default_nettype wire
