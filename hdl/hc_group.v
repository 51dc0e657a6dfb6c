// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_group: the entry into a dimension. Selects one of the messages that enter it and offers
// it to all ports of the dimension until each has taken it.
//
// Latency: none. Backpressure: a port takes the offer when it has room, and a bit per port
// records it; the requester is completed in the cycle in which the last port takes the message.
// Freedom from deadlock requires that the ports drain independently of this group, which the
// order of dimensions and the bubble rule of the ring ports guarantee.

`default_nettype none

module hc_group #(
    parameter integer SOURCES = 1,  // messages that may enter, the local one first, 1 or more
    parameter integer LOWEST  = 0,  // the port of the first link among them
    parameter integer PORTS   = 1,  // ports of the dimension that are entered, 1 or more
    parameter integer WIDTH   = 8   // bits of source id and payload
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire [SOURCES-1:0]       ask,
    input  wire [SOURCES-1:0]       accept,  // the header of the source is well formed
    input  wire [SOURCES*WIDTH-1:0] bodies,
    output wire [SOURCES-1:0]       made,    // the message of this source has entered
    output wire [PORTS-1:0]         offer,   // the port is asked to take the message
    output wire                     offer_accept,
    output wire [WIDTH-1:0]         offer_body,
    input  wire [PORTS-1:0]         room     // the port takes what it is offered in this cycle
);

    generate
        if (PORTS < 1) begin : illegal_ports
            hc_group_PORTS_must_be_1_or_more illegal ();
        end
    endgenerate

    reg  [PORTS-1:0]   taken_q;  // ports that took it in earlier cycles
    wire [SOURCES-1:0] select;
    wire               accepted;
    wire               all_room = &(taken_q | room);
    wire               completed = all_room & offer_accept;
    // Whether a body is accepted goes with it, which is sooner than by what is selected of all.
    wire [SOURCES*(WIDTH+1)-1:0] words;

    genvar i;
    generate
        for (i = 0; i < SOURCES; i = i + 1) begin : source
            assign words[i*(WIDTH+1)+:WIDTH+1] = {accept[i], bodies[i*WIDTH+:WIDTH]};
        end
    endgenerate

    hc_tree_arbiter #(
        .REQUESTERS(SOURCES),
        .ALONE     (1),
        .LOWEST    (LOWEST),
        .WIDTH     (WIDTH + 1)
    ) arbiter (
        .clk      (clk),
        .rst      (rst),
        .request  (ask),
        .completed(completed),
        .words    (words),
        .select   (select),
        .word     ({accepted, offer_body})
    );

    assign offer        = {PORTS{|ask}} & ~taken_q;
    assign offer_accept = (|ask) & accepted;
    // Not gated with accept, which comes late: the input of a malformed message
    // drops it in this cycle and does not look at made.
    assign made         = select & {SOURCES{all_room}};

    always @(posedge clk) begin
        // A lone port never has to be remembered.
        taken_q <= (taken_q | (room & {PORTS{offer_accept}})) & {PORTS{!completed && PORTS > 1}};
        if (rst) taken_q <= {PORTS{1'b0}};
    end

endmodule

`default_nettype wire
