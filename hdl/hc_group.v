// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_group: the group of a dimension, through which messages enter it. The group selects one of the
// messages that request to enter, and offers it to all ports of the dimension until each port has
// taken it.
//
// Latency: none. Backpressure: a port takes the offered message when it is free, and a bit per port
// records this. The request is completed in the cycle in which the last port takes the message.
//
// Freedom from deadlock: each port must become free without waiting for this group. The order of
// dimensions and the bubble rule of hc_ring_port guarantee this.

`default_nettype none

module hc_group #(
    parameter integer SOURCES   = 1,  // number of inputs whose messages may enter, the local input first; 1 or more
    parameter integer LOWEST    = 0,  // number of the port of the first link input among them
    parameter integer PORTS     = 1,  // ports of the dimension that messages enter, 1 or more
    parameter integer BODY_BITS = 8   // bits of source id and payload, 1 or more
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire [SOURCES-1:0]           request,       // the input requests to enter its message
    input  wire [SOURCES-1:0]           valid,         // the header of that message is well formed
    input  wire [SOURCES*BODY_BITS-1:0] bodies,        // source id and payload of each input
    output wire [SOURCES-1:0]           grant,         // the last port takes this input's message now, if well formed
    output wire [PORTS-1:0]             port_request,  // the message is offered to this port
    output wire                         port_valid,    // the offered message is well formed
    output wire [BODY_BITS-1:0]         port_body,     // source id and payload of the offered message
    input  wire [PORTS-1:0]             port_grant     // the port takes a requested message now, if well formed
);

    generate
        if (PORTS < 1) begin : illegal_ports
            hc_group_PORTS_must_be_1_or_more illegal ();
        end
    endgenerate

    reg  [PORTS-1:0]   done_q;  // ports that have taken the message in earlier cycles
    wire [SOURCES-1:0] select;
    wire               select_valid;
    wire               all_done = &(done_q | port_grant);
    wire               complete = all_done & port_valid;
    // valid travels with its body through the arbiter, which is faster than selecting it afterwards.
    wire [SOURCES*(BODY_BITS+1)-1:0] words;

    genvar i;
    generate
        for (i = 0; i < SOURCES; i = i + 1) begin : source
            assign words[i*(BODY_BITS+1)+:BODY_BITS+1] = {valid[i], bodies[i*BODY_BITS+:BODY_BITS]};
        end
    endgenerate

    hc_tree_arbiter #(
        .REQUESTERS(SOURCES),
        .ALONE     (1),
        .LOWEST    (LOWEST),
        .WORD_BITS (BODY_BITS + 1)
    ) arbiter (
        .clk     (clk),
        .rst     (rst),
        .request (request),
        .complete(complete),
        .words   (words),
        .select  (select),
        .word    ({select_valid, port_body})
    );

    assign port_request = {PORTS{|request}} & ~done_q;
    assign port_valid   = (|request) & select_valid;
    // Not gated with valid, which comes late: the input of a malformed message
    // drops it in this cycle and ignores the grant.
    assign grant        = select & {SOURCES{all_done}};

    always @(posedge clk) begin
        // A lone port takes the message in the cycle of completion, so it needs no bit.
        done_q <= (done_q | (port_grant & {PORTS{port_valid}})) & {PORTS{!complete && PORTS > 1}};
        if (rst) done_q <= {PORTS{1'b0}};
    end

endmodule

`default_nettype wire
