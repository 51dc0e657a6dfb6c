// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_ring_arbiter: who may enter the rings of a programmable router: for each ring port
// its group or one of the links whose messages transfer onto it.
//
// It is hc_arbiter for all ring ports at once. The links of a ring port are a block of
// neighbouring ports, so two ports of different blocks never meet, and one bit per link
// says that it is its turn or that of a lower link of its block, whatever the machine.
// Requester 0 of each block is the group, then the links follow in their order.
// group_request comes late, so what the links settle among themselves does not look at it:
// one that asks and stands ahead of the group exists only if the winner does.
//
// Latency: none, select follows request in the same cycle.

`default_nettype none

module hc_ring_arbiter #(
    parameter integer PORTS = 16,  // 1 or more
    parameter integer SPAN  = 4    // largest difference of two ports that meet, 0 or more
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [PORTS-1:0] first,             // distance 1: a block begins
    input  wire [PORTS-1:0] request,           // of the link
    input  wire [PORTS-1:0] completed,         // the link needs no more if it is selected
    input  wire [PORTS-1:0] group_request,     // of the group, at the ring port of the link
    input  wire [PORTS-1:0] group_completed,
    output wire [PORTS-1:0] winner,            // first of the links that ask, whatever the group does
    output wire [PORTS-1:0] select,
    output wire [PORTS-1:0] group_beaten_by    // this link asks and stands ahead of the group
);

    reg  [PORTS-1:0] turn_q;        // it is the turn of this link or a lower one, not of the group
    wire [PORTS-1:0] group_select;  // at the ring port of the link
    wire             unused = &{1'b0, first};  // few machines have pairs of all of them

    assign group_beaten_by = request & turn_q;

    genvar i, d;
    generate
        for (i = 0; i < PORTS; i = i + 1) begin : link
            // Bit SPAN + d is about the port d places on.
            wire [2*SPAN:0] asks;
            wire [2*SPAN:0] beaten;
            wire [2*SPAN:0] group_beaten;
            wire [SPAN:0]   passed;  // bit d: the winner is the port d places back
            assign asks[SPAN]         = request[i];
            assign beaten[SPAN]       = 1'b0;
            assign group_beaten[SPAN] = group_beaten_by[i];
            assign passed[0]          = 1'b0;
            for (d = 1; d <= SPAN; d = d + 1) begin : pair
                // Behind what transfers there is a link of distance rho.
                if (i + d + 1 < PORTS) begin : meet
                    wire ahead = turn_q[i] | !turn_q[i+d];  // this one stands ahead of the one d places on
                    wire together;  // in one block
                    if (d <= 2) begin : near
                        assign together = ~|first[i+d:i+1];
                    end else begin : far
                        reg together_q;  // constant while the router runs
                        always @(posedge clk) together_q <= ~|first[i+d:i+1];
                        assign together = together_q;
                    end
                    assign asks[SPAN+d]         = together & request[i+d];
                    assign beaten[SPAN+d]       = together & request[i+d] & !ahead;
                    assign group_beaten[SPAN+d] = together & group_beaten_by[i+d];
                end else begin : beyond
                    assign asks[SPAN+d]         = 1'b0;
                    assign beaten[SPAN+d]       = 1'b0;
                    assign group_beaten[SPAN+d] = 1'b0;
                end
                if (i >= d && i + 1 < PORTS) begin : met
                    assign asks[SPAN-d]         = link[i-d].pair[d].meet.together & request[i-d];
                    assign beaten[SPAN-d]       = link[i-d].pair[d].meet.together & request[i-d] &
                                                  link[i-d].pair[d].meet.ahead;
                    assign group_beaten[SPAN-d] = link[i-d].pair[d].meet.together & group_beaten_by[i-d];
                    assign passed[d]            = link[i-d].pair[d].meet.together & winner[i-d];
                end else begin : below
                    assign asks[SPAN-d]         = 1'b0;
                    assign beaten[SPAN-d]       = 1'b0;
                    assign group_beaten[SPAN-d] = 1'b0;
                    assign passed[d]            = 1'b0;
                end
            end
            // Whose turn it is after this cycle, if the group does not ask or is beaten.
            wire next = |asks ? (|passed) | (winner[i] & !completed[i]) : turn_q[i];

            assign winner[i]       = request[i] & ~|beaten;
            assign select[i]       = winner[i] & !(group_request[i] & !turn_q[i]);
            assign group_select[i] = group_request[i] & ~|group_beaten;
            always @(posedge clk) begin
                turn_q[i] <= group_select[i] ? group_completed[i] : next;
                if (rst) turn_q[i] <= 1'b0;
            end
        end
    endgenerate

endmodule

`default_nettype wire
