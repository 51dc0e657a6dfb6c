// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_prove_marks: chooses an input of a router and marks two of its messages, so that each of their
// copies can be recognized at an output. These marks are not the marks of ring ports
// (hc_ring_mark).
//
// Mark 0 is any message of the chosen input, and mark 1 is any later message. The lowest bits of a
// payload are its tag. Each marked message has its own tag, and no other message at any input has
// that tag. Input, messages and tags are arbitrary (anyconst). The behaviour of a router does not
// depend on payloads, which prove.sh checks. So a property of the marked messages holds for all
// messages.

`default_nettype none

module hc_prove_marks #(
    parameter integer SOURCES      = 2,  // number of link inputs and the local input, which is the last
    parameter integer WD_BITS      = 1,
    parameter integer WC_BITS      = 1,
    parameter integer MESSAGE_BITS = 8,  // begins with wd and wc
    parameter integer TAG_BITS     = 2,  // 2, or 1 if payloads have 1 bit
    parameter integer MARKS        = 2,  // number of marked messages: TAG_BITS
    parameter [(SOURCES-1)*WD_BITS-1:0] DIMENSIONS = 1,  // dimension of each link
    parameter [(SOURCES-1)*WC_BITS-1:0] LARGEST    = 1,  // D of the dimension of each link
    parameter integer SLOTS        = 1   // number of slots of each link input
) (
    input  wire                            clk,
    input  wire                            rst,
    input  wire [SOURCES-1:0]              valid,
    input  wire [SOURCES-1:0]              ready,
    input  wire [SOURCES*MESSAGE_BITS-1:0] data,   // wd and wc of the local input are 0
    input  wire                            waits,  // the message of the local input was valid in the previous cycle
    // The FIFOs of the links, each from the oldest message up.
    input  wire [(SOURCES-1)*SLOTS-1:0]              full,
    input  wire [(SOURCES-1)*SLOTS*MESSAGE_BITS-1:0] queues,
    input  wire [MARKS-1:0]              routable,  // no distance in its destination is too large for its ring
    output reg                           live,      // there has been a reset
    output wire [SOURCES-1:0]            source,    // one-hot
    output wire [MARKS*MESSAGE_BITS-1:0] words,
    output wire [MARKS-1:0]              good,      // the header is well formed
    output wire [MARKS-1:0]              waiting,   // it is the head of the input, and was in the previous cycle
    output wire [MARKS-1:0]              gone       // it has left its input
);

    localparam integer BODY_BITS = MESSAGE_BITS - WD_BITS - WC_BITS;

    (* anyconst *) wire [SOURCES-1:0]            f_source;
    (* anyconst *) wire [MARKS*MESSAGE_BITS-1:0] f_words;

    assign source = f_source;
    assign words  = f_words;

    reg  [MARKS-1:0]       accepted;  // the handshake has taken place
    wire [MARKS*SLOTS-1:0] held;      // it is in this slot of its link input
    initial live = 1'b0;
    always @(posedge clk) live <= 1'b1;

    always @* begin
        if (!live) assume (rst);
        assume (source != 0 && (source & (source - 1'b1)) == 0);
    end

    // Whether the head of each input has the tag of a mark.
    wire [MARKS*SOURCES-1:0] marked;

    genvar m, i, n;
    generate
        for (m = 0; m < MARKS; m = m + 1) begin : mark
            wire [SOURCES-2:0]           fits;
            wire [(SOURCES-1)*SLOTS-1:0] here;  // slots with the tag
            wire                         earlier = m == 0 ? 1'b1 : accepted[0];
            for (i = 0; i < SOURCES; i = i + 1) begin : at
                assign marked[m*SOURCES+i] = valid[i]
                    && data[i*MESSAGE_BITS+:TAG_BITS] == words[m*MESSAGE_BITS+:TAG_BITS];
                always @* begin
                    if (marked[m*SOURCES+i]) begin
                        assume (source[i] && earlier && !accepted[m]);
                        assume (data[i*MESSAGE_BITS+:MESSAGE_BITS] == words[m*MESSAGE_BITS+:MESSAGE_BITS]);
                    end
                end
                if (i < SOURCES - 1) begin : link
                    wire [WC_BITS-1:0] wc   = words[m*MESSAGE_BITS+BODY_BITS+:WC_BITS];
                    wire [SLOTS-1:0]   mine = here[i*SLOTS+:SLOTS];
                    wire [SLOTS-1:0]   same;
                    assign fits[i] = words[m*MESSAGE_BITS+BODY_BITS+WC_BITS+:WD_BITS] == DIMENSIONS[i*WD_BITS+:WD_BITS]
                        && wc != 0 && wc <= LARGEST[i*WC_BITS+:WC_BITS];
                    for (n = 0; n < SLOTS; n = n + 1) begin : slot
                        wire [MESSAGE_BITS-1:0] word = queues[(i*SLOTS+n)*MESSAGE_BITS+:MESSAGE_BITS];
                        assign here[i*SLOTS+n] = full[i*SLOTS+n]
                            && word[TAG_BITS-1:0] == words[m*MESSAGE_BITS+:TAG_BITS];
                        assign same[n]         = !here[i*SLOTS+n] || word == words[m*MESSAGE_BITS+:MESSAGE_BITS];
                    end
                    // A message in a FIFO with the tag of a mark is that message, once.
                    always @* if (live) begin
                        assert (mine == 0 || (source[i] && accepted[m]));
                        assert (&same);
                        assert ((mine & (mine - 1'b1)) == 0);
                    end
                end
            end
            for (n = 0; n < SLOTS; n = n + 1) begin : slot
                wire [SOURCES-2:0] of_links;
                for (i = 0; i < SOURCES - 1; i = i + 1) begin : of
                    assign of_links[i] = here[i*SLOTS+n];
                end
                assign held[m*SLOTS+n] = |of_links;
            end
            assign good[m]    = source[SOURCES-1] || (routable[m] && |(source[SOURCES-2:0] & fits));
            assign waiting[m] = held[m*SLOTS] || (waits
                && data[(SOURCES-1)*MESSAGE_BITS+:TAG_BITS] == words[m*MESSAGE_BITS+:TAG_BITS]);
            assign gone[m]    = accepted[m] && !(|held[m*SLOTS+:SLOTS]);
            always @(posedge clk) begin
                if (|(marked[m*SOURCES+:SOURCES] & ready)) accepted[m] <= 1'b1;
                if (rst) accepted[m] <= 1'b0;
            end
            always @* if (live) assert (good[m] || held[m*SLOTS+:SLOTS] == 0);
        end
        if (MARKS > 1) begin : two
            always @* begin
                assume (words[TAG_BITS-1:0] != words[MESSAGE_BITS+:TAG_BITS]);
                if (live) assert (!accepted[1] || accepted[0]);
            end
            // A well-formed message never overtakes another of its input.
            wire [SLOTS-1:0] earlier = held[0+:SLOTS];
            wire [SLOTS-1:0] later   = held[SLOTS+:SLOTS];
            always @* if (live) begin
                assert (!gone[1] || !good[1] || gone[0]);
                assert (earlier == 0 || later == 0 || earlier < later);
            end
        end
    endgenerate

endmodule

`default_nettype wire
