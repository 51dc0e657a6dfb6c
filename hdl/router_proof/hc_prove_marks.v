// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_prove_marks: chooses one input of a router and marks messages of it, so that each
// of their copies can be recognized at an output.
//
// Mark 0 is any message of the chosen input, mark 1 any later one. The lowest bits of
// a payload are its tag: the marked messages have tags of their own, and no other
// message, at whatever input, has one of these. Which input, messages and tags is left
// open (anyconst). A router does not look at payloads (prove.sh checks it), so what
// holds for the marked messages holds for all.

`default_nettype none

module hc_prove_marks #(
    parameter integer SOURCES   = 2,  // link inputs, and the local input, which is the last
    parameter integer WD_BITS   = 1,
    parameter integer WC_BITS   = 1,
    parameter integer LINK_BITS = 8,  // bits of wd, wc, source id and payload
    parameter integer TAG_BITS  = 2,  // 2, or 1 if payloads have no more
    parameter integer MARKS     = 2,  // marked messages: TAG_BITS
    parameter [(SOURCES-1)*WD_BITS-1:0] DIMENSIONS = 1,  // of each link
    parameter [(SOURCES-1)*WC_BITS-1:0] LARGEST    = 1,  // D of the dimension of each link
    parameter             [SOURCES-1:0] QUEUED     = 0   // inputs with a queue
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire [SOURCES-1:0]           valid,
    input  wire [SOURCES-1:0]           ready,
    input  wire [SOURCES*LINK_BITS-1:0] data,      // of the local input with wd and wc 0
    // The message that asks, of a queue the head: whether it has been there in the cycle
    // before; and of a queue the one behind it.
    input  wire [SOURCES-1:0]           waits,
    input  wire [SOURCES*LINK_BITS-1:0] heads,
    input  wire [SOURCES-1:0]           follows,
    input  wire [SOURCES*LINK_BITS-1:0] behinds,
    output reg                          live,      // there has been a reset
    output wire [SOURCES-1:0]           source,    // one-hot
    output wire [MARKS*LINK_BITS-1:0]   words,
    output wire [MARKS-1:0]             good,      // the header is well formed
    output wire [MARKS-1:0]             waiting,   // it asks, and has in the cycle before
    output wire [MARKS-1:0]             gone       // it has left its input
);

    localparam integer BODY_BITS = LINK_BITS - WD_BITS - WC_BITS;

    (* anyconst *) wire [SOURCES-1:0]         f_source;
    (* anyconst *) wire [MARKS*LINK_BITS-1:0] f_words;

    assign source = f_source;
    assign words  = f_words;

    reg  [MARKS-1:0] accepted;  // the handshake has been
    wire [MARKS-1:0] second;    // it stands behind the head of a queue
    assign gone = accepted & ~waiting & ~second;

    initial live = 1'b0;
    always @(posedge clk) live <= 1'b1;

    always @* begin
        if (!live) assume (rst);
        assume (source != 0 && (source & (source - 1'b1)) == 0);
    end

    // Whether the message of each input has the tag of a mark.
    wire [MARKS*SOURCES-1:0] tagged;

    genvar m, i;
    generate
        for (m = 0; m < MARKS; m = m + 1) begin : mark
            wire [SOURCES-2:0] fits;
            wire               before = m == 0 ? 1'b1 : accepted[0];
            wire [SOURCES-1:0] first_here;
            wire [SOURCES-1:0] second_here;
            for (i = 0; i < SOURCES; i = i + 1) begin : at
                assign tagged[m*SOURCES+i] = valid[i]
                    && data[i*LINK_BITS+:TAG_BITS] == words[m*LINK_BITS+:TAG_BITS];
                always @* begin
                    if (tagged[m*SOURCES+i]) begin
                        assume (source[i] && before && !accepted[m]);
                        assume (data[i*LINK_BITS+:LINK_BITS] == words[m*LINK_BITS+:LINK_BITS]);
                    end
                end
                assign first_here[i]  = waits[i] && heads[i*LINK_BITS+:TAG_BITS] == words[m*LINK_BITS+:TAG_BITS];
                assign second_here[i] = follows[i] && behinds[i*LINK_BITS+:TAG_BITS] == words[m*LINK_BITS+:TAG_BITS];
                if (QUEUED[i]) begin : queued
                    // What is in the queue with the tag of a mark is that message, once.
                    always @* if (live) begin
                        if (first_here[i] || second_here[i]) assert (source[i] && accepted[m]);
                        if (first_here[i]) assert (heads[i*LINK_BITS+:LINK_BITS] == words[m*LINK_BITS+:LINK_BITS]);
                        if (second_here[i]) assert (behinds[i*LINK_BITS+:LINK_BITS] == words[m*LINK_BITS+:LINK_BITS]);
                        assert (!first_here[i] || !second_here[i]);
                    end
                end
                if (i < SOURCES - 1) begin : link
                    wire [WC_BITS-1:0] wc = words[m*LINK_BITS+BODY_BITS+:WC_BITS];
                    assign fits[i] = words[m*LINK_BITS+BODY_BITS+WC_BITS+:WD_BITS] == DIMENSIONS[i*WD_BITS+:WD_BITS]
                        && wc != 0 && wc <= LARGEST[i*WC_BITS+:WC_BITS];
                end
            end
            assign good[m]    = source[SOURCES-1] || |(source[SOURCES-2:0] & fits);
            assign waiting[m] = |first_here;
            assign second[m]  = |second_here;
            always @(posedge clk) begin
                if (|(tagged[m*SOURCES+:SOURCES] & ready)) accepted[m] <= 1'b1;
                if (rst) accepted[m] <= 1'b0;
            end
        end
        if (MARKS > 1) begin : two
            always @* begin
                assume (words[TAG_BITS-1:0] != words[LINK_BITS+:TAG_BITS]);
                if (live) assert (!accepted[1] || accepted[0]);
            end
            if (QUEUED != 0) begin : in_order
                always @* if (live) begin
                    assert (!gone[1] || gone[0]);
                    assert (!(second[0] && accepted[1]));
                end
            end
        end
    endgenerate

endmodule

`default_nettype wire
