// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_ring_arbiter: selects, for each ring port of a programmable router, the message of a link that
// goes onto the ring. A message that continues has priority. Otherwise the group and the links
// whose messages transfer are served by round robin.
//
// The module is hc_arbiter for all ring ports at once. The links of a ring port are a block of
// adjacent ports, and different blocks do not influence each other. Requester 0 of each block is
// the group, followed by the links in order. The last link of a block has distance rho, and its
// messages continue. One bit per link records that the turn is at this link or at a lower link of
// its block.
//
// The request of the group arrives late in the cycle, so the links are arbitrated without it. A
// request that comes before the group in turn order exists only if the winner of the links comes
// before the group.
//
// Requests are collected along a block in steps that double, with the masks of hc_ring_masks.
//
// The inputs of hc_ring_mark for a ring port are computed at the last link of its block: the
// messages of all other links of the block are entrants.
//
// Latency: none, outputs follow requests in the same cycle.

`default_nettype none

module hc_ring_arbiter #(
    parameter integer PORTS   = 16,  // number of ports, 1 or more
    parameter integer LONGEST = 6,   // largest rho of a ring with ring ports, 1 or more
    parameter integer STEPS   = 3    // as in hc_ring_masks
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire [STEPS*PORTS-1:0] joined,        // from hc_ring_masks
    input  wire [PORTS-1:0]       continues,     // the message of the link requests to continue
    input  wire [PORTS-1:0]       transfers,     // the message of the link requests to transfer
    input  wire [PORTS-1:0]       accept,        // the message of the link is well formed
    input  wire [PORTS-1:0]       free,          // the ring port of the link can take a message
    input  wire [PORTS-1:0]       group_ask,     // the group offers a message to that ring port
    input  wire [PORTS-1:0]       group_accept,  // that message is well formed
    output wire [PORTS-1:0]       going,         // this link's message is selected among the links of the ring port
    output wire [PORTS-1:0]       blocks,        // the message of this link has priority over the group
    output wire [PORTS-1:0]       made,          // the transfer is made, if the message is accepted
    // At the last link of a block, for its ring port. If the block has no ring port, no message passes.
    output wire [PORTS-1:0]       waiting,       // the port has a well-formed entrant, and takes none in this cycle
    output wire [PORTS-1:0]       passes         // the port takes a message that continues
);

    localparam integer SPAN = LONGEST > 2 ? LONGEST - 2 : 0;  // between links that transfer onto one ring port

    reg  [PORTS-1:0] turn_q;  // this link or a lower one has the turn, not the group
    wire             unused = &{1'b0, joined};  // not every router has pairs of all distances
    wire [PORTS-1:0] due    = transfers & turn_q;

    // Whether a condition holds at a lower link of the block, or at a higher one.
    reg  [PORTS-1:0] asks_below;
    reg  [PORTS-1:0] asks_above;
    reg  [PORTS-1:0] due_below;
    reg  [PORTS-1:0] due_above;
    reg  [PORTS-1:0] continues_above;
    integer step, p;
    always @* begin
        asks_below      = transfers;
        asks_above      = transfers;
        due_below       = due;
        due_above       = due;
        continues_above = continues;
        for (step = 0; 1 << step < LONGEST - 1; step = step + 1) begin
            for (p = PORTS - 1; p >= 1 << step; p = p - 1) begin
                if (1 << step < SPAN) begin
                    asks_below[p] = asks_below[p] | joined[step*PORTS+p-(1<<step)] & asks_below[p-(1<<step)];
                    due_below[p]  = due_below[p] | joined[step*PORTS+p-(1<<step)] & due_below[p-(1<<step)];
                end
            end
            for (p = 0; p + (1 << step) < PORTS; p = p + 1) begin
                continues_above[p] = continues_above[p] | joined[step*PORTS+p] & continues_above[p+(1<<step)];
                if (1 << step < SPAN) begin
                    asks_above[p] = asks_above[p] | joined[step*PORTS+p] & asks_above[p+(1<<step)];
                    due_above[p]  = due_above[p] | joined[step*PORTS+p] & due_above[p+(1<<step)];
                end
            end
        end
        // The link itself does not count.
        for (p = PORTS - 1; p > 0; p = p - 1) begin
            asks_below[p] = joined[p-1] & asks_below[p-1];
            due_below[p]  = joined[p-1] & due_below[p-1];
        end
        for (p = 0; p + 1 < PORTS; p = p + 1) begin
            continues_above[p] = joined[p] & continues_above[p+1];
            asks_above[p]      = joined[p] & asks_above[p+1];
            due_above[p]       = joined[p] & due_above[p+1];
        end
        {asks_below[0], due_below[0]} = 2'b00;
        {continues_above[PORTS-1], asks_above[PORTS-1], due_above[PORTS-1]} = 3'b000;
    end

    // A link with a request from the turn upwards beats every link below the turn.
    wire [PORTS-1:0] beaten       = due_below | (~turn_q & (due_above | asks_below));
    wire [PORTS-1:0] winner       = transfers & ~beaten;  // selected among the links, without regard to the group
    wire [PORTS-1:0] some_due     = due_below | due | due_above;
    wire [PORTS-1:0] some         = asks_below | transfers | asks_above;
    wire [PORTS-1:0] passed       = due_below | (asks_below & ~due & ~due_above);  // a lower link wins
    wire [PORTS-1:0] group_select = group_ask & ~some_due;  // at the ring port of the link
    wire [PORTS-1:0] room         = free & ~continues_above;

    assign going  = continues | (winner & ~continues_above);
    assign blocks = continues | due;
    assign made   = winner & ~(group_ask & ~turn_q) & room;

    // At the last link of a block: a well-formed message requests to transfer from a lower link, and the
    // selected message of those links is well formed.
    reg [PORTS-1:0] entrant_below;
    reg [PORTS-1:0] winner_below;
    always @* begin
        entrant_below = transfers & accept;
        winner_below  = winner & accept;
        for (step = 0; 1 << step < LONGEST; step = step + 1) begin
            for (p = PORTS - 1; p >= 1 << step; p = p - 1) begin
                entrant_below[p] = entrant_below[p] | joined[step*PORTS+p-(1<<step)] & entrant_below[p-(1<<step)];
                winner_below[p]  = winner_below[p] | joined[step*PORTS+p-(1<<step)] & winner_below[p-(1<<step)];
            end
        end
    end
    // some_due holds for a whole block at each link that transfers, so also at the link below the last.
    wire [PORTS-1:0] block_due   = (joined[PORTS-1:0] & some_due) << 1;
    wire [PORTS-1:0] group_first = group_ask & ~block_due;
    wire [PORTS-1:0] enters      = free & ~continues & (group_first & group_accept | ~group_first & winner_below);

    assign waiting = ((group_ask & group_accept) | entrant_below) & ~enters;
    assign passes  = continues & accept & free;

    // The turn after this cycle, if the group does not request or is beaten.
    wire [PORTS-1:0] next = (some & (passed | (winner & ~(room & accept)))) | (~some & turn_q);

    always @(posedge clk) begin
        turn_q <= (group_select & group_accept & room) | (~group_select & next);
        if (rst) turn_q <= {PORTS{1'b0}};
    end

endmodule

`default_nettype wire
