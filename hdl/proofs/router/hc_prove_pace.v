// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_prove_pace: proves that the clock of a router (hc_pace) follows its rule.
//
// Assumed: nothing about the paces of neighbours. Proved: the clock ticks, the credit changes, and
// the local input may request as the section "Pace" of docs/architecture.md in hcgen defines, or
// with destinations the section "Pace" of docs/addressed-messages.md.

`default_nettype none

module hc_prove_pace #(
    parameter integer DEGREE       = 1,
    parameter integer LEAD         = 1,  // ticks by which a neighbour that is behind is behind
    parameter integer PACE_BITS    = 2,  // the pace counts modulo 2 ** PACE_BITS
    parameter integer UNICAST_COST = 1,  // cost of a message to a single node
    parameter integer TURN         = 1,  // cost of every other message, and what a tick adds
    parameter integer CAP          = 2,
    parameter integer DONE_REST    = 1,  // largest rest with which the router is done with its tick
    parameter integer CREDIT_BITS  = 2
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   live,
    input  wire [PACE_BITS*DEGREE-1:0] link_pace,
    input  wire                   valid,    // a message to other nodes
    input  wire                   single,   // the message is for a single node
    input  wire                   inject,
    input  wire                   hold,     // a ring port holds the clock
    input  wire [PACE_BITS-1:0]   pace,
    output wire                   due,      // the router is not done with its tick while the node offers a message
    // A wire and registers of the design.
    input  wire                   open,
    input  wire [CREDIT_BITS-1:0] rest      // credit less the cost of the previous cycle's injection
);

    reg  [PACE_BITS-1:0] ticks;
    reg  [7:0] has;
    reg  [7:0] paid_q;  // cost of the previous cycle's injection
    wire [7:0] cost = single ? UNICAST_COST : TURN;
    wire [7:0] left = has - paid_q;
    wire [7:0] more = left + TURN;
    wire       done = !due || !valid;
    reg        behind;

    assign due = left > DONE_REST;

    integer i;
    always @* begin
        behind = 1'b0;
        for (i = 0; i < DEGREE; i = i + 1)
            if ((link_pace[PACE_BITS*i+:PACE_BITS] + LEAD) % (1 << PACE_BITS) == ticks) behind = 1'b1;
    end

    always @(posedge clk) begin
        paid_q <= inject ? cost : 8'd0;
        has    <= left;
        if (done && !behind && !hold) begin
            ticks <= ticks + 1'b1;
            has   <= more > CAP ? CAP : more;
        end
        if (rst) begin
            paid_q <= 8'd0;
            has    <= TURN;
            ticks  <= 0;
        end
    end

    // Contract.
    always @* if (live) begin
        assert (pace == ticks);
        if (valid || TURN == UNICAST_COST) assert (open == (left >= cost));
    end

    // Invariants.
    always @* if (live) begin
        assert (rest == left);
        assert (has <= CAP && paid_q <= has);
    end

    always @* cover (live && pace == 2 && valid && !open && done && behind);
    generate
        if (TURN != UNICAST_COST) begin : singles
            always @* cover (live && inject && single && due);
        end
    endgenerate

endmodule

`default_nettype wire
