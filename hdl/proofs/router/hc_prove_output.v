// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_prove_output: what comes out of one output of a router.
//
// Proved: the rules of AXI4-Stream; of every marked message that the output is to have
// a copy of, one copy with the right header and body comes out, never a second one; of
// others none; copies of the same input come out in its order; a message is taken from
// its input only when its copy is in the register of the output, or has left; the bubble
// rule. Which inputs the output has copies of, and with which weights, is given by
// parameters.

`default_nettype none

module hc_prove_output #(
    parameter integer               SOURCES     = 2,  // link inputs, and the local input, which is the last
    parameter integer               WD_BITS     = 1,
    parameter integer               WC_BITS     = 1,
    parameter integer               LINK_BITS   = 8,
    parameter integer               TAG_BITS    = 2,
    parameter integer               MARKS       = 2,
    parameter integer               STORED_BITS = 6,  // lowest bits of a message that the register holds
    parameter integer               RING        = 0,  // 1: messages continue on it
    parameter integer               LINK        = 1,  // 0: delivery, without a header
    parameter         [WD_BITS-1:0] DIMENSION   = 1,
    parameter         [WC_BITS-1:0] FIRST       = 1,  // weight of what enters
    parameter         [SOURCES-1:0] ENTERS      = 0,  // every message of the input gives a copy, which enters
    parameter         [SOURCES-1:0] CONTINUES   = 0,  // one with wc > 1 does, which continues
    parameter         [SOURCES-1:0] TRANSFERS   = 0   // one with wc > 1 does, which enters the ring
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire                         live,
    input  wire                         tvalid,
    input  wire                         tready,
    input  wire [LINK_BITS-1:0]         tdata,     // of delivery with wd and wc 0
    // The marks, from hc_prove_marks.
    input  wire [SOURCES-1:0]           source,
    input  wire [MARKS*LINK_BITS-1:0]   words,
    input  wire [MARKS-1:0]             good,
    input  wire [MARKS-1:0]             waiting,
    input  wire [MARKS-1:0]             gone,
    input  wire                         continues,  // a message asks to continue on this port
    // Registers of the design.
    input  wire                         full,
    input  wire [STORED_BITS-1:0]       stored,
    input  wire [SOURCES-1:0]           made,   // the copy of the message of this source is made
    input  wire [SOURCES-1:0]           first,  // the source stands first in the group
    input  wire                         taken   // this port has taken the message of the group
);

    localparam integer BODY_BITS = LINK_BITS - WD_BITS - WC_BITS;

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
        assert (tvalid == full);  // and waits for no tready
    end

    // Copies of the marked messages: whether they are in the register, or have left.
    wire [MARKS-1:0] here;
    reg  [MARKS-1:0] here_q;
    reg  [MARKS-1:0] left;
    wire [MARKS-1:0] wanted;
    reg              barred_q;  // in the cycle before a message asked to continue
    always @(posedge clk) begin
        here_q   <= here;
        barred_q <= continues;
    end

    genvar m;
    generate
        for (m = 0; m < MARKS; m = m + 1) begin : mark
            wire [WC_BITS-1:0]   wc       = words[m*LINK_BITS+BODY_BITS+:WC_BITS];
            wire                 enters   = |(source & ENTERS);
            wire [WC_BITS-1:0]   weight   = enters ? FIRST : wc - 1'b1;
            wire [LINK_BITS-1:0] word     = {LINK != 0 ? DIMENSION : {WD_BITS{1'b0}},
                                             LINK != 0 ? weight : {WC_BITS{1'b0}},
                                             words[m*LINK_BITS+:BODY_BITS]};
            wire                 shows    = tvalid && tdata[TAG_BITS-1:0] == word[TAG_BITS-1:0];
            wire                 copied   = wanted[m]
                && (gone[m] || (waiting[m] && |(source & (made | (first & {SOURCES{taken}})))));

            assign wanted[m] = good[m] && (enters || (|(source & (CONTINUES | TRANSFERS)) && wc > 1));

            assign here[m]   = full && stored[TAG_BITS-1:0] == word[TAG_BITS-1:0];

            always @(posedge clk) begin
                if (shows && tready) left[m] <= 1'b1;
                if (rst) left[m] <= 1'b0;
            end

            // Contract: only what is wanted, as it should be, once; and what has left the
            // input, or is noted as copied, is in the register or has left.
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
                // The bubble rule: what has entered did so in a cycle in which nothing asked to continue.
                always @* if (live)
                    if (here[m] && !here_q[m] && !reset_q && |(source & (ENTERS | TRANSFERS))) assert (!barred_q);
            end
        end

        // Copies of all marked messages come out.
        always @* cover (live && &left);

        if (MARKS > 1) begin : order
            // Not before the first one.
            always @* if (live) begin
                if (mark[1].shows) assert (!wanted[0] || left[0]);
                assert (!here[0] || !left[1]);
            end
        end
    endgenerate

endmodule

`default_nettype wire
