// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_arbiter: least recently served, and stays on a requester until it is
// completed.
//
// Keeps the requesters in an order, 0 first after reset, and selects the first
// of them that asks. At the end of a cycle with a request the selected one moves
// to the end of the order if it was completed in this cycle, else to its front.
//
// Latency: none, select follows request in the same cycle.
// Fairness: a requester that keeps asking waits for at most one completion of
// each other requester.
//
// The order is kept as one bit per pair of requesters, so that select is a
// single wide AND and needs no carry or priority chain.

`default_nettype none

module hc_arbiter #(
    parameter integer REQUESTERS = 2  // number of requesters, 1 or more
) (
    input  wire                             clk,
    input  wire                             rst,
    input  wire [REQUESTERS-1:0]            request,
    input  wire                             completed,  // the selected requester needs no more
    output wire [REQUESTERS-1:0]            select,     // one-hot; 0 without a request
    output wire [REQUESTERS*REQUESTERS-1:0] ahead       // bit REQUESTERS i + j: i stands ahead of j
);

`ifndef __ICARUS__
    generate
        if (REQUESTERS < 1) begin : illegal_requesters
            $error("hc_arbiter: REQUESTERS must be 1 or more");
        end
    endgenerate
`endif

    genvar i, j;
    generate
        if (REQUESTERS == 1) begin : only_one
            wire unused = &{1'b0, clk, rst, completed};
            assign select = request;
            assign ahead  = 1'b0;
        end else begin : ordered
            // Bit j (j - 1) / 2 + i, i < j: requester i stands ahead of requester j.
            reg [REQUESTERS*(REQUESTERS-1)/2-1:0] ahead_q;

            for (i = 0; i < REQUESTERS; i = i + 1) begin : row
                wire [REQUESTERS-1:0] beaten;  // by requester j, which asks and stands ahead
                for (j = 0; j < REQUESTERS; j = j + 1) begin : column
                    if (j < i) begin : lower
                        assign beaten[j] = request[j] & ahead_q[i*(i-1)/2+j];
                        assign ahead[i*REQUESTERS+j] = !ahead_q[i*(i-1)/2+j];
                    end else if (j == i) begin : self
                        assign beaten[j] = 1'b0;
                        assign ahead[i*REQUESTERS+j] = 1'b0;
                    end else begin : upper
                        assign beaten[j] = request[j] & !ahead_q[j*(j-1)/2+i];
                        assign ahead[i*REQUESTERS+j] = ahead_q[j*(j-1)/2+i];
                        always @(posedge clk) begin
                            if (select[i]) ahead_q[j*(j-1)/2+i] <= !completed;
                            else if (select[j]) ahead_q[j*(j-1)/2+i] <= completed;
                            if (rst) ahead_q[j*(j-1)/2+i] <= 1'b1;
                        end
                    end
                end
                assign select[i] = request[i] & !(|beaten);
            end
        end
    endgenerate

endmodule

`default_nettype wire
