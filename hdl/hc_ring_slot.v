// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_ring_slot: the waiting slot of a programmable router for what goes on from one link
// in the ring of its dimension. It belongs to the ring port on which messages of the link
// go on, as the slot of what continues if the link has distance rho, else as one of those
// of what enters, of which at most one is full.
//
// It stands before the way to the ring port, not behind: whatever waits and whatever
// asks, the output slot takes one word per cycle, so one way is enough.
//
// Latency: none to `going`.

`default_nettype none

module hc_ring_slot #(
    parameter integer WIDTH = 8  // bits of wc, source id and payload
) (
    input  wire             clk,
    input  wire             farthest,       // distance rho: what goes on continues
    input  wire             continues,      // the message of the link asks to continue
    input  wire             winner,         // or it is first of those that enter, by hc_ring_arbiter,
    input  wire             select,         // and the group does not enter before it
    input  wire [WIDTH-1:0] word,
    input  wire             first,          // something continues at the ring port, or waits to
    input  wire             continue_full,  // of the ring port
    input  wire             enter_full,
    output wire             transfer_made,  // the message is taken, if it is accepted
    output wire             continue_made,
    output wire [WIDTH-1:0] going           // to the output slot, if that takes nothing of the group, or 0
);

    reg  [WIDTH-1:0] word_q;
    reg              entered_q;  // what waits to enter waits here

    wire full    = farthest ? continue_full : enter_full;
    wire waiting = farthest ? continue_full : enter_full & entered_q & !first;
    wire asking  = continues & !continue_full | winner & !enter_full & !first;

    assign continue_made = continues & !continue_full;
    assign transfer_made = select & !enter_full;
    assign going = (word_q & {WIDTH{waiting}}) | (word & {WIDTH{asking}});

    // It follows the link for as long as it is free.
    always @(posedge clk) begin
        if (!full) word_q <= word;
        if (!enter_full) entered_q <= winner;
    end

endmodule

`default_nettype wire
