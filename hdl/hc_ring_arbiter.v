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
// A link hears in steps, twice as far each, of the others of its block. Masks are those of
// hc_ring_masks.
//
// Latency: none, select follows request in the same cycle.

`default_nettype none

module hc_ring_arbiter #(
    parameter integer PORTS = 16,  // 1 or more
    parameter integer SPAN  = 4,   // largest difference of two ports that meet, 0 or more
    parameter integer STEPS = 3    // of hc_ring_masks
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire [STEPS*PORTS-1:0] joined,
    input  wire [PORTS-1:0]       request,           // of the link
    input  wire [PORTS-1:0]       completed,         // the link needs no more if it is selected
    input  wire [PORTS-1:0]       group_request,     // of the group, at the ring port of the link
    input  wire [PORTS-1:0]       group_completed,
    output wire [PORTS-1:0]       winner,            // first of the links that ask, whatever the group does
    output wire [PORTS-1:0]       select,
    output wire [PORTS-1:0]       group_beaten_by    // this link asks and stands ahead of the group
);

    reg  [PORTS-1:0] turn_q;  // it is the turn of this link or a lower one, not of the group
    wire             unused = &{1'b0, joined};  // few machines have pairs of all of them

    assign group_beaten_by = request & turn_q;

    // What holds at a lower link of the block, or at a higher one. One that has distance rho does not ask.
    reg  [PORTS-1:0] asks_below;
    reg  [PORTS-1:0] asks_above;
    reg  [PORTS-1:0] due_below;
    reg  [PORTS-1:0] due_above;
    integer step, p;
    always @* begin
        asks_below = request;
        asks_above = request;
        due_below  = group_beaten_by;
        due_above  = group_beaten_by;
        for (step = 0; 1 << step < SPAN; step = step + 1) begin
            for (p = PORTS - 1; p >= 1 << step; p = p - 1) begin
                asks_below[p] = asks_below[p] | joined[step*PORTS+p-(1<<step)] & asks_below[p-(1<<step)];
                due_below[p]  = due_below[p] | joined[step*PORTS+p-(1<<step)] & due_below[p-(1<<step)];
            end
            for (p = 0; p + (1 << step) < PORTS; p = p + 1) begin
                asks_above[p] = asks_above[p] | joined[step*PORTS+p] & asks_above[p+(1<<step)];
                due_above[p]  = due_above[p] | joined[step*PORTS+p] & due_above[p+(1<<step)];
            end
        end
        // Not those of the link itself.
        for (p = PORTS - 1; p > 0; p = p - 1) begin
            asks_below[p] = joined[p-1] & asks_below[p-1];
            due_below[p]  = joined[p-1] & due_below[p-1];
        end
        for (p = 0; p + 1 < PORTS; p = p + 1) begin
            asks_above[p] = joined[p] & asks_above[p+1];
            due_above[p]  = joined[p] & due_above[p+1];
        end
        {asks_below[0], due_below[0], asks_above[PORTS-1], due_above[PORTS-1]} = 4'b0000;
    end

    // A link that is not due is beaten by any that is.
    wire [PORTS-1:0] beaten       = due_below | (~turn_q & (due_above | asks_below));
    wire [PORTS-1:0] some_due     = due_below | group_beaten_by | due_above;
    wire [PORTS-1:0] some         = asks_below | request | asks_above;
    wire [PORTS-1:0] passed       = due_below | (asks_below & ~group_beaten_by & ~due_above);  // a lower one wins
    wire [PORTS-1:0] group_select = group_request & ~some_due;  // at the ring port of the link

    assign winner = request & ~beaten;
    assign select = winner & ~(group_request & ~turn_q);

    // Whose turn it is after this cycle, if the group does not ask or is beaten.
    wire [PORTS-1:0] next = (some & (passed | (winner & ~completed))) | (~some & turn_q);

    always @(posedge clk) begin
        turn_q <= (group_select & group_completed) | (~group_select & next);
        if (rst) turn_q <= {PORTS{1'b0}};
    end

endmodule

`default_nettype wire
