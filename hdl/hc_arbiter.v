// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_arbiter: round robin, and stays on a requester until it is completed.
//
// It is the turn of one of the requesters, of requester 0 after reset. Selects the first
// that asks from there upwards, else the first from 0 on. At the end of a cycle with a
// request it is the turn of the one after the selected one if that was completed in
// this cycle, else of the selected one.
//
// Latency: none, select follows request in the same cycle.
// Fairness: a requester that keeps asking waits for at most one completion of
// each other requester.
//
// Whose turn it is is kept as a bit per requester, not as a number, and requesters stand
// in blocks of four, so that select is a few wide ANDs and needs no carry or priority chain.

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

            assign turn = {turn_q, 1'b0};

            for (b = 0; b < BLOCKS; b = b + 1) begin : block
                localparam integer LOWEST = b * BLOCK;
                localparam integer NUMBER = REQUESTERS - LOWEST < BLOCK ? REQUESTERS - LOWEST : BLOCK;

                wire asks_below;  // one of the blocks below
                wire due_below;
                if (b == 0) begin : bottom
                    assign asks_below = 1'b0;
                    assign due_below  = 1'b0;
                end else begin : above
                    assign asks_below = |some[b-1:0];
                    assign due_below  = |some_due[b-1:0];
                end
                wire passed = |some_due | asks_below;  // none of this block that is not due is selected

                assign some[b]     = |request[LOWEST+:NUMBER];
                assign some_due[b] = |due[LOWEST+:NUMBER];
                for (i = LOWEST; i < LOWEST + NUMBER; i = i + 1) begin : row
                    if (i == LOWEST) begin : first
                        assign select[i] = request[i] & !(turn[i] ? due_below : passed);
                    end else begin : later
                        assign select[i] = request[i] & !(turn[i] ? due_below | (|due[i-1:LOWEST])
                                                                  : passed | (|request[i-1:LOWEST]));
                    end
                end
            end

            for (i = 1; i < REQUESTERS; i = i + 1) begin : next
                wire stays  = select[i] & !completed;
                wire passed;  // a lower one, but not 0, is selected
                if (i == 1) begin : lowest
                    assign passed = 1'b0;
                end else begin : higher
                    assign passed = |select[i-1:1];
                end
                always @(posedge clk) begin
                    if (|some) turn_q[i] <= select[0] ? completed : passed | stays;
                    if (rst) turn_q[i] <= 1'b0;
                end
            end
        end
    endgenerate

endmodule

`default_nettype wire
