// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_tree_arbiter: binary tree of two-input arbiters that stays on a requester until its request is
// completed. It also returns the word of the selected requester.
//
// Requesters are numbered consecutively from LOWEST. A node of the tree has a lower half of 1, 2,
// 4, .. requesters and an upper half. With ALONE, the lower half of the largest node is requester 0
// alone. A node selects the half that requests. If both halves request, it selects the half to
// which its pointer leads, which is the lower half after reset. In a cycle with a request, the
// pointer changes at each node from the largest down to the selected requester: if the requester is
// completed, to the other half, else to the half of the requester.
//
// A node is named after the first requester of its upper half. Its word depends only on which of
// its halves request, not on the selection at larger nodes.
//
// Latency: none, select and word follow request in the same cycle.
//
// Fairness: a requester below n nodes that keeps requesting waits for at most 2^n - 1 completions
// of others.

`default_nettype none

module hc_tree_arbiter #(
    parameter integer REQUESTERS = 2,  // number of requesters, 1 or more
    parameter integer LOWEST     = 0,  // number of the first requester that is not alone, 0 or more
    parameter integer ALONE      = 0,  // 1 if requester 0 alone is the lower half of the largest node, else 0
    parameter integer WORD_BITS  = 8   // bits of a word, 1 or more
) (
    input  wire                            clk,
    input  wire                            rst,
    input  wire [REQUESTERS-1:0]           request,   // bit i: requester i requests
    input  wire                            complete,  // the message of the selected requester is taken in this cycle
    input  wire [REQUESTERS*WORD_BITS-1:0] words,     // word of each requester, word 0 lowest
    output wire [REQUESTERS-1:0]           select,    // one-hot; 0 without a request
    output wire [WORD_BITS-1:0]            word       // word of the selected requester; arbitrary without a request
);

    localparam integer LARGEST = 1 << $clog2(LOWEST + REQUESTERS - ALONE);  // no half has more numbers

    generate
        if (REQUESTERS < 1) begin : illegal_requesters
            hc_tree_arbiter_REQUESTERS_must_be_1_or_more illegal ();
        end
    endgenerate

    generate
        if (REQUESTERS == 1) begin : only_one
            wire unused = &{1'b0, clk, rst, complete};
            assign select = request;
            assign word   = words;
        end else begin : several
            reg [REQUESTERS-1:1]           pointer_q;  // the pointer leads to the upper half
            reg [REQUESTERS-1:1]           upper;      // the node selects its upper half
            reg [REQUESTERS-1:1]           some;       // a requester of the upper half requests
            reg [REQUESTERS-1:1]           reached;    // all nodes above select this node
            // The first requester of a half stands for it.
            reg [REQUESTERS-1:0]           requests;
            reg [REQUESTERS-1:0]           chosen;
            reg [REQUESTERS*WORD_BITS-1:0] merged;
            integer                    w, n, m;

            always @* begin
                requests    = request;
                merged = words;
                chosen      = {REQUESTERS{1'b1}};
                upper       = {REQUESTERS - 1{1'b0}};
                some        = {REQUESTERS - 1{1'b0}};
                reached     = {REQUESTERS - 1{1'b0}};
                for (w = 1; w <= LARGEST; w = 2 * w) begin
                    for (n = 1; n < REQUESTERS; n = n + 1) begin
                        if (half(n) == w) begin
                            upper[n] = requests[n] & (pointer_q[n] | !requests[lower(n)]);
                            some[n]  = requests[n] | requests[lower(n)];
                            merged[lower(n)*WORD_BITS+:WORD_BITS] =
                                upper[n] ? merged[n*WORD_BITS+:WORD_BITS] : merged[lower(n)*WORD_BITS+:WORD_BITS];
                            requests[lower(n)] = some[n];
                        end
                    end
                end
                for (w = LARGEST; w >= 1; w = w / 2) begin
                    for (n = 1; n < REQUESTERS; n = n + 1) begin
                        if (half(n) == w) begin
                            reached[n]       = chosen[lower(n)];
                            chosen[n]        = reached[n] & upper[n];
                            chosen[lower(n)] = reached[n] & !upper[n];
                        end
                    end
                end
            end
            assign select = chosen & request;
            assign word   = merged[0+:WORD_BITS];

            always @(posedge clk) begin
                for (m = 1; m < REQUESTERS; m = m + 1)
                    if (reached[m] & some[m]) pointer_q[m] <= upper[m] ^ complete;
                if (rst) pointer_q <= {REQUESTERS - 1{1'b0}};
            end
        end
    endgenerate

    // The numbers in each half of a node.
    function integer half(input integer node);
        integer number;
        begin
            number = LOWEST + node - ALONE;
            half   = ALONE != 0 && node == 1 ? LARGEST : number & -number;
        end
    endfunction

    // The first requester of the lower half of a node.
    function integer lower(input integer node);
        lower = ALONE != 0 && node == 1 ? 0 : node - half(node) < ALONE ? ALONE : node - half(node);
    endfunction

endmodule

`default_nettype wire
