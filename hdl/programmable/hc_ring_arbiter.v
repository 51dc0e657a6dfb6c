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
// messages continue. One bit per link records that the pointer leads to this link or to a lower
// link of its block.
//
// The request of the group arrives late in the cycle, so the links are arbitrated without it. A
// request that comes before the group in the order of the pointer exists only if the winner of the links comes
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
    parameter integer DEGREE  = 16,  // number of ports, 1 or more
    parameter integer LONGEST = 6,   // largest rho of a ring with ring ports, 1 or more
    parameter integer STEPS   = 3    // as in hc_ring_masks
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [STEPS*DEGREE-1:0] joined,         // from hc_ring_masks
    input  wire [DEGREE-1:0]       continues,      // the message of the link requests to continue
    input  wire [DEGREE-1:0]       transfers,      // the message of the link requests to transfer
    input  wire [DEGREE-1:0]       valid,          // the message of the link is well formed
    input  wire [DEGREE-1:0]       ready,          // the ring port of the link can take a message
    input  wire [DEGREE-1:0]       group_request,  // the group offers a message to that ring port
    input  wire [DEGREE-1:0]       group_valid,    // that message is well formed
    output wire [DEGREE-1:0]       link_select,    // this link's message is selected among the links of the ring port
    output wire [DEGREE-1:0]       blocks,         // the message of this link has priority over the group
    output wire [DEGREE-1:0]       grant,          // the transfer is made, if the message is well formed
    // At the last link of a block, for its ring port. If the block has no ring port, no message passes.
    output wire [DEGREE-1:0]       waiting,        // the port has a well-formed entrant, and takes none in this cycle
    output wire [DEGREE-1:0]       passes          // the port takes a message that continues
);

    localparam integer SPAN = LONGEST > 2 ? LONGEST - 2 : 0;  // between links that transfer onto one ring port

    reg  [DEGREE-1:0] pointer_q;  // the pointer leads to this link or a lower one, not to the group
    wire              unused = &{1'b0, joined};  // not every router has pairs of all distances
    wire [DEGREE-1:0] due    = transfers & pointer_q;

    // Whether a condition holds at a lower link of the block, or at a higher one.
    reg  [DEGREE-1:0] requests_below;
    reg  [DEGREE-1:0] requests_above;
    reg  [DEGREE-1:0] due_below;
    reg  [DEGREE-1:0] due_above;
    reg  [DEGREE-1:0] continues_above;
    integer step, p;
    always @* begin
        requests_below  = transfers;
        requests_above  = transfers;
        due_below       = due;
        due_above       = due;
        continues_above = continues;
        for (step = 0; 1 << step < LONGEST - 1; step = step + 1) begin
            for (p = DEGREE - 1; p >= 1 << step; p = p - 1) begin
                if (1 << step < SPAN) begin
                    requests_below[p] =
                        requests_below[p] | joined[step*DEGREE+p-(1<<step)] & requests_below[p-(1<<step)];
                    due_below[p] = due_below[p] | joined[step*DEGREE+p-(1<<step)] & due_below[p-(1<<step)];
                end
            end
            for (p = 0; p + (1 << step) < DEGREE; p = p + 1) begin
                continues_above[p] = continues_above[p] | joined[step*DEGREE+p] & continues_above[p+(1<<step)];
                if (1 << step < SPAN) begin
                    requests_above[p] = requests_above[p] | joined[step*DEGREE+p] & requests_above[p+(1<<step)];
                    due_above[p]      = due_above[p] | joined[step*DEGREE+p] & due_above[p+(1<<step)];
                end
            end
        end
        // The link itself does not count.
        for (p = DEGREE - 1; p > 0; p = p - 1) begin
            requests_below[p] = joined[p-1] & requests_below[p-1];
            due_below[p]      = joined[p-1] & due_below[p-1];
        end
        for (p = 0; p + 1 < DEGREE; p = p + 1) begin
            continues_above[p] = joined[p] & continues_above[p+1];
            requests_above[p]  = joined[p] & requests_above[p+1];
            due_above[p]       = joined[p] & due_above[p+1];
        end
        {requests_below[0], due_below[0]} = 2'b00;
        {continues_above[DEGREE-1], requests_above[DEGREE-1], due_above[DEGREE-1]} = 3'b000;
    end

    // A link with a request from the pointer upwards beats every link below the pointer.
    wire [DEGREE-1:0] beaten       = due_below | (~pointer_q & (due_above | requests_below));
    wire [DEGREE-1:0] winner       = transfers & ~beaten;  // selected among the links, without regard to the group
    wire [DEGREE-1:0] some_due     = due_below | due | due_above;
    wire [DEGREE-1:0] some         = requests_below | transfers | requests_above;
    wire [DEGREE-1:0] passed       = due_below | (requests_below & ~due & ~due_above);  // a lower link wins
    wire [DEGREE-1:0] group_select = group_request & ~some_due;  // at the ring port of the link
    wire [DEGREE-1:0] enter_ready  = ready & ~continues_above;

    assign link_select = continues | (winner & ~continues_above);
    assign blocks      = continues | due;
    assign grant       = winner & ~(group_request & ~pointer_q) & enter_ready;

    // At the last link of a block: a well-formed message requests to transfer from a lower link, and the
    // selected message of those links is well formed.
    reg [DEGREE-1:0] entrant_below;
    reg [DEGREE-1:0] winner_below;
    always @* begin
        entrant_below = transfers & valid;
        winner_below  = winner & valid;
        for (step = 0; 1 << step < LONGEST; step = step + 1) begin
            for (p = DEGREE - 1; p >= 1 << step; p = p - 1) begin
                entrant_below[p] = entrant_below[p] | joined[step*DEGREE+p-(1<<step)] & entrant_below[p-(1<<step)];
                winner_below[p]  = winner_below[p] | joined[step*DEGREE+p-(1<<step)] & winner_below[p-(1<<step)];
            end
        end
    end
    // some_due holds for a whole block at each link that transfers, so also at the link below the last.
    wire [DEGREE-1:0] block_due   = (joined[DEGREE-1:0] & some_due) << 1;
    wire [DEGREE-1:0] group_first = group_request & ~block_due;
    wire [DEGREE-1:0] enters      = ready & ~continues & (group_first & group_valid | ~group_first & winner_below);

    assign waiting = ((group_request & group_valid) | entrant_below) & ~enters;
    assign passes  = continues & valid & ready;

    // The pointer after this cycle, if the group does not request or is beaten.
    wire [DEGREE-1:0] next = (some & (passed | (winner & ~(enter_ready & valid)))) | (~some & pointer_q);

    always @(posedge clk) begin
        pointer_q <= (group_select & group_valid & enter_ready) | (~group_select & next);
        if (rst) pointer_q <= {DEGREE{1'b0}};
    end

endmodule

`default_nettype wire
