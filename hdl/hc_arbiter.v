// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_arbiter: round-robin arbiter that stays on a requester until it is completed.
//
// The turn is at one of the requesters, after reset at requester 0. The arbiter selects the
// first request from the turn upwards, else the first from 0. At the end of a cycle with a
// request the turn moves to the requester after the selected one if that was completed, else
// to the selected one.
//
// Latency: none, select follows request in the same cycle.
// Fairness: a requester that keeps requesting waits for at most one completion of each other
// requester.
//
// The turn is stored as one bit per requester instead of a number, and requesters are in
// blocks of four, so that select is a few wide ANDs without a carry or priority chain.

`default_nettype none

module hc_arbiter #(
    parameter integer REQUESTERS = 2  // number of requesters, 1 or more
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire [REQUESTERS-1:0] request,
    input  wire                  completed,  // the selected requester needs no more
    output wire [REQUESTERS-1:0] select,     // one-hot; 0 without a request
    output wire [REQUESTERS-1:0] turn        // it is the turn of this one or a lower one, not 0
);

    localparam integer BLOCK  = 4;
    localparam integer BLOCKS = (REQUESTERS + BLOCK - 1) / BLOCK;

`ifndef __ICARUS__
    generate
        if (REQUESTERS < 1) begin : illegal_requesters
            $error("hc_arbiter: REQUESTERS must be 1 or more");
        end
    endgenerate
`endif

    genvar b, i;
    generate
        if (REQUESTERS == 1) begin : only_one
            wire unused = &{1'b0, clk, rst, completed};
            assign select = request;
            assign turn   = 1'b0;
        end else begin : several
            // Requester 0 needs no bit: its turn is that of no other.
            reg  [REQUESTERS-1:1] turn_q;
            wire [REQUESTERS-1:0] due = request & turn;  // comes before all that are not
            wire [BLOCKS-1:0]     some;                  // of the block ask
            wire [BLOCKS-1:0]     some_due;
            wire [BLOCKS-1:0]     chosen;
            wire                  again = select[0] & !completed;  // it stays the turn of requester 0

            assign turn = {turn_q, 1'b0};

            for (b = 0; b < BLOCKS; b = b + 1) begin : block
                localparam integer LOWEST = b * BLOCK;
                localparam integer NUMBER = REQUESTERS - LOWEST < BLOCK ? REQUESTERS - LOWEST : BLOCK;

                // The first of them is selected if the block is: if none is due here, none is anywhere.
                wire [NUMBER-1:0] first = some_due[b] ? due[LOWEST+:NUMBER] : request[LOWEST+:NUMBER];

                assign some[b]     = |request[LOWEST+:NUMBER];
                assign some_due[b] = |due[LOWEST+:NUMBER];
                assign chosen[b]   = some_due[b] ? ~|(some_due & ~({BLOCKS{1'b1}} << b))
                                                 : some[b] & ~|some_due & ~|(some & ~({BLOCKS{1'b1}} << b));

                wire passed;  // a block below is chosen, and with it not requester 0 to stay
                if (b == 0) begin : bottom
                    assign passed = 1'b0;
                end else begin : above
                    assign passed = |chosen[b-1:0] & !again;
                end
                for (i = 0; i < NUMBER; i = i + 1) begin : row
                    wire below;  // a lower one of the block comes before it
                    if (i == 0) begin : lowest
                        assign below = 1'b0;
                    end else begin : higher
                        assign below = |first[i-1:0];
                    end
                    assign select[LOWEST+i] = chosen[b] & first[i] & !below;
                    if (LOWEST + i > 0) begin : next
                        wire here = below | (first[i] & !completed);
                        always @(posedge clk) begin
                            if (|some) turn_q[LOWEST+i] <= passed | (chosen[b] & here & !again);
                            if (rst) turn_q[LOWEST+i] <= 1'b0;
                        end
                    end
                end
            end
        end
    endgenerate

endmodule

`default_nettype wire
