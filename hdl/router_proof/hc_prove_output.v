// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_prove_output: what comes out of one output of a router.
//
// Proved: the rules of AXI4-Stream; of every marked message that the output is to have
// a copy of, one copy with the right header and body comes out, never a second one; of
// others none; copies of the same input come out in its order; a message is taken from
// its input only when its copy is in a slot of the output, or has left; the bubble
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
    parameter integer               SLOTS       = 2,
    parameter integer               STORED_BITS = 6,  // lowest bits of a message that a slot holds
    parameter integer               RING        = 0,  // 1: slots are output, waiting to continue, waiting to enter
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
    input  wire [SLOTS-1:0]             full,
    input  wire [SLOTS*STORED_BITS-1:0] slots,
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
        assert (tvalid == full[0]);  // and waits for no tready
    end

    // Copies of the marked messages: in which slot they are, and whether they have left.
    wire [MARKS*SLOTS-1:0] inside;
    reg  [MARKS*SLOTS-1:0] inside_q;
    reg  [MARKS-1:0]       left;
    wire [MARKS-1:0]       wanted;
    reg                    barred_q;  // in the cycle before nothing could enter the output slot
    always @(posedge clk) begin
        inside_q <= inside;
        barred_q <= RING != 0 && (continues || full[SLOTS>1]);
    end

    genvar m, n;
    generate
        for (m = 0; m < MARKS; m = m + 1) begin : mark
            wire [WC_BITS-1:0]   wc       = words[m*LINK_BITS+BODY_BITS+:WC_BITS];
            wire                 enters   = |(source & ENTERS);
            wire [WC_BITS-1:0]   weight   = enters ? FIRST : wc - 1'b1;
            wire [LINK_BITS-1:0] word     = {LINK != 0 ? DIMENSION : {WD_BITS{1'b0}},
                                             LINK != 0 ? weight : {WC_BITS{1'b0}},
                                             words[m*LINK_BITS+:BODY_BITS]};
            wire                 shows    = tvalid && tdata[TAG_BITS-1:0] == word[TAG_BITS-1:0];
            wire [SLOTS-1:0]     here     = inside[m*SLOTS+:SLOTS];
            wire [SLOTS-1:0]     here_q   = inside_q[m*SLOTS+:SLOTS];
            wire                 copied   = wanted[m]
                && (gone[m] || (waiting[m] && |(source & (made | (first & {SOURCES{taken}})))));

            assign wanted[m] = good[m] && (enters || (|(source & (CONTINUES | TRANSFERS)) && wc > 1));

            for (n = 0; n < SLOTS; n = n + 1) begin : slot
                assign inside[m*SLOTS+n] = full[n] && slots[n*STORED_BITS+:TAG_BITS] == word[TAG_BITS-1:0];
                always @* if (live) begin
                    assert (!inside[m*SLOTS+n] || slots[n*STORED_BITS+:STORED_BITS] == word[STORED_BITS-1:0]);
                end
            end

            always @(posedge clk) begin
                if (shows && tready) left[m] <= 1'b1;
                if (rst) left[m] <= 1'b0;
            end

            // Contract: only what is wanted, as it should be, once; and what has left the
            // input, or is noted as copied, is in a slot or has left.
            always @* if (live) begin
                if (shows) assert (wanted[m]);
                if (shows) assert (tdata == word);
                if (shows) assert (!left[m]);
                assert (copied == (left[m] || here != 0));
            end

            // Invariants: no copy is in two places.
            always @* if (live) assert ((here & (here - 1'b1)) == 0 && (!left[m] || here == 0));

            if (RING != 0) begin : ring
                always @* if (live) begin
                    if (here[1]) assert (|(source & CONTINUES));
                    if (here[2]) assert (|(source & (ENTERS | TRANSFERS)));
                    // The bubble rule: what enters the output slot has not been in it.
                    if (here[0] && !here_q[0] && !reset_q && |(source & (ENTERS | TRANSFERS))) assert (!barred_q);
                end
            end

        end

        // Copies of all marked messages come out.
        always @* cover (live && &left);

        if (MARKS > 1) begin : order
            // Not before the first one, at the output and in the slots: slot 0 leaves first.
            wire [SLOTS-1:0] one = inside[0+:SLOTS];
            wire [SLOTS-1:0] two = inside[SLOTS+:SLOTS];
            always @* if (live) begin
                if (mark[1].shows) assert (!wanted[0] || left[0]);
                assert (one == 0 || two == 0 || one < two);
                assert (one == 0 || !left[1]);
            end
        end

        if (RING == 0) begin : queue
            always @* if (live) assert ((full & (full + 1'b1)) == 0);
        end
    endgenerate

endmodule

`default_nettype wire
