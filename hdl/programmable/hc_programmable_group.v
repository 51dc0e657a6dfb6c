// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_programmable_group: hc_group for a dimension whose ports are known only at run time.
//
// A port belongs to one dimension. So the bit that records that it has taken the message is at the
// port, and serves all groups. The group only sees whether a port still waits.
//
// Latency: none. Backpressure and freedom from deadlock: as in hc_group.

`default_nettype none

module hc_programmable_group #(
    parameter integer DEGREE    = 16,  // number of ports of the router, 1 or more
    parameter integer LINKS     = 15,  // link inputs whose messages may enter: the highest numbers; less than DEGREE
    parameter integer BODY_BITS = 8    // bits of source id and payload
) (
    input  wire                        clk,
    input  wire                        rst,
    input  wire                        local_request,  // the message of the node requests to enter
    output wire                        local_grant,    // the last port takes that message in this cycle
    input  wire [BODY_BITS-1:0]        local_body,
    input  wire [DEGREE-1:0]           link_request,   // the message of the link input requests to enter
    input  wire [DEGREE-1:0]           link_valid,     // that message is well formed
    output wire [DEGREE-1:0]           link_grant,     // the last port takes that message now, if it is well formed
    input  wire [DEGREE*BODY_BITS-1:0] link_bodies,
    output wire                        port_request,   // a message is offered to the ports
    output wire                        port_valid,     // the offered message is well formed
    output wire                        port_complete,  // that message is well formed, and the last port takes it now
    output wire [BODY_BITS-1:0]        port_body,
    input  wire [DEGREE-1:0]           waits           // a port of this dimension has not taken it after this cycle
);

    // The local input and the links, lowest first.
    wire [DEGREE:0]                 requests = {link_request >> (DEGREE - LINKS), local_request};
    wire [DEGREE:0]                 valids   = {link_valid >> (DEGREE - LINKS), 1'b1};
    wire [(DEGREE+1)*BODY_BITS-1:0] bodies   = {link_bodies >> (DEGREE - LINKS) * BODY_BITS, local_body};
    // valid travels with its word through the arbiter, which is faster than selecting it afterwards.
    wire [(LINKS+1)*(BODY_BITS+1)-1:0] words;
    wire                               select_valid;
    // Not gated with valid: see hc_group.
    wire [LINKS:0]                  select;
    wire                            all_done = ~|waits;
    wire [DEGREE:0]                 grants   = {{DEGREE - LINKS{1'b0}}, select & {LINKS + 1{all_done}}};
    wire                            unused   = &{1'b0, requests, valids, bodies};  // inputs of links that may not enter

    assign local_grant   = grants[0];
    assign link_grant    = grants[DEGREE:1] << (DEGREE - LINKS);
    assign port_request  = |requests[LINKS:0];
    assign port_valid    = port_request & select_valid;
    assign port_complete = port_valid & all_done;

    genvar i;
    generate
        for (i = 0; i <= LINKS; i = i + 1) begin : entrant
            assign words[i*(BODY_BITS+1)+:BODY_BITS+1] = {valids[i], bodies[i*BODY_BITS+:BODY_BITS]};
        end
    endgenerate

    hc_tree_arbiter #(
        .REQUESTERS(LINKS + 1),
        .ALONE     (1),
        .LOWEST    (DEGREE - LINKS),
        .WORD_BITS (BODY_BITS + 1)
    ) arbiter (
        .clk     (clk),
        .rst     (rst),
        .request (requests[LINKS:0]),
        .complete(port_complete),
        .words   (words),
        .select  (select),
        .word    ({select_valid, port_body})
    );

endmodule

`default_nettype wire
