// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_arbiter: round-robin arbiter that stays on a requester until its request is completed.
//
// The pointer is the number of the requester that the arbiter prefers, 0 after reset. The arbiter
// selects the first request from the pointer upwards, or if there is none, the first request from 0.
// In a cycle with a request the pointer changes: if the selected requester is completed, to the next
// requester, else to the selected requester.
//
// Latency: none, select follows request in the same cycle.
//
// Fairness: a requester that keeps requesting waits for at most one completion of each other
// requester.
//
// The pointer is stored as one bit per requester, set for the preferred requester and all above it.
// No bit is set if requester 0 is preferred.

`default_nettype none

module hc_arbiter #(
    parameter integer REQUESTERS = 2  // number of requesters, 1 or more
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire [REQUESTERS-1:0] request,   // bit i: requester i requests
    input  wire                  complete,  // the message of the selected requester is taken in this cycle
    output wire [REQUESTERS-1:0] select     // one-hot; 0 without a request
);

    generate
        if (REQUESTERS < 1) begin : illegal_requesters
            hc_arbiter_REQUESTERS_must_be_1_or_more illegal ();
        end
    endgenerate

    generate
        if (REQUESTERS == 1) begin : only_one
            wire unused = &{1'b0, clk, rst, complete};
            assign select = request;
        end else begin : several
            reg  [REQUESTERS-1:1] pointer_q;
            wire [REQUESTERS-1:0] due   = request & {pointer_q, 1'b0};  // requests from the pointer upwards come first
            wire [REQUESTERS-1:0] first = |due ? due : request;         // the lowest of these requests wins
            reg  [REQUESTERS-1:0] below;  // a lower requester is selected
            wire [REQUESTERS-1:0] next = complete ? below : below | select;  // bits of the next pointer
            integer               i;

            assign select = first & ~below;
            always @* begin
                below[0] = 1'b0;
                for (i = 1; i < REQUESTERS; i = i + 1) below[i] = below[i-1] | first[i-1];
            end

            always @(posedge clk) begin
                if (|request) pointer_q <= next[0] ? {REQUESTERS - 1{1'b0}} : next[REQUESTERS-1:1];
                if (rst) pointer_q <= {REQUESTERS - 1{1'b0}};
            end
        end
    endgenerate

endmodule

`default_nettype wire
