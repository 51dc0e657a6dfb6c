// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_programmable_groups: the groups of all dimensions of a programmable router.
//
// A group selects one of the messages that request to enter its dimension. Broadcasts enter on all
// ports with an entering weight above 0. With destinations, the field of the message selects its
// ports: the ports of broadcasts if it means all nodes, else one port.
//
// Latency, backpressure and freedom from deadlock: as in hc_programmable_group.

`default_nettype none

module hc_programmable_groups #(
    parameter integer DIMENSIONS   = 4,      // largest number of dimensions of a machine, 1 to 4
    parameter integer DEGREE       = 16,     // number of ports, 1 to 16
    parameter integer WC_BITS      = 3,      // bits of wc, 1 or more
    parameter integer DESTINATION_BITS = 0,  // spread and route: 1 + (DIMENSIONS - 1) (WC_BITS + 1); 0 without them
    parameter integer LOCAL_BITS   = 8,      // bits of the local body: BODY_BITS, and WC_BITS more with destinations
    parameter integer CARRIED_BITS = 8       // bits of a body: spread and route, tlast, source id and payload
) (
    input  wire                                     clk,
    input  wire                                     rst,
    input  wire [DIMENSIONS*(2*WC_BITS+1)-1:0]      rings,          // {rho, m} of each dimension, dimension 1 lowest
    input  wire [2*DEGREE-1:0]                      numbers,        // number of the dimension of each port, modulo 4
    input  wire [DIMENSIONS-1:0]                    local_request,  // the node's message requests a group, by dimension
    output wire [DIMENSIONS-1:0]                    local_grant,
    input  wire [LOCAL_BITS-1:0]                    local_body,     // its body; begins with any destination fields
    input  wire [DIMENSIONS*DEGREE-1:0]             link_request,   // a link's message requests a group, by dimension
    input  wire [DEGREE-1:0]                        valid,          // that message is well formed
    output wire [DIMENSIONS*DEGREE-1:0]             link_grant,
    input  wire [DEGREE*(WC_BITS+CARRIED_BITS)-1:0] words,          // {wc of the continuation, body} of each link input
    // Of each dimension, modulo 4: {request, valid, complete, body}, and with destinations how the message
    // enters: {all, weight, counterclockwise, distance of the link}.
    output wire [4*(CARRIED_BITS+3)-1:0]            group_words,
    output wire [4*(2*WC_BITS+2)-1:0]               ways,
    input  wire [DEGREE-1:0]                        waits           // the port will not have taken its message
);

    localparam WORD_BITS  = WC_BITS + CARRIED_BITS;
    localparam GROUP_BITS = CARRIED_BITS + 3;
    localparam WAY_BITS   = 2 * WC_BITS + 2;
    localparam FIELD_BITS = WC_BITS + 1;
    localparam BODY_BITS  = CARRIED_BITS - DESTINATION_BITS;

    wire unused = &{1'b0, rings, words};  // broadcasts need no rings, and no group needs weights

    genvar p, j;
    generate
        for (j = 0; j < 4; j = j + 1) begin : dimension
            localparam integer NUMBER = (j + 3) % 4;  // number of the dimension, less 1
            if (NUMBER < DIMENSIONS) begin : there
                wire [DEGREE-1:0]    own;
                wire                 group_request;
                wire                 group_valid;
                wire                 group_complete;
                for (p = 0; p < DEGREE; p = p + 1) begin : at
                    assign own[p] = numbers[p*2+:2] == j[1:0];
                end
                // With destinations, the fields of this dimension and below, source id and payload.
                localparam integer GROUP_BODY_BITS =
                    DESTINATION_BITS > 0 ? (NUMBER + 1) * FIELD_BITS + BODY_BITS : CARRIED_BITS;
                wire [GROUP_BODY_BITS-1:0]        selected;
                wire [DEGREE*GROUP_BODY_BITS-1:0] bodies;
                for (p = 0; p < DEGREE; p = p + 1) begin : from
                    if (GROUP_BODY_BITS > CARRIED_BITS) begin : nothing  // there is no higher dimension
                        assign bodies[p*GROUP_BODY_BITS+:GROUP_BODY_BITS] = {GROUP_BODY_BITS{1'b0}};
                    end else begin : link
                        assign bodies[p*GROUP_BODY_BITS+:GROUP_BODY_BITS] = words[p*WORD_BITS+:GROUP_BODY_BITS];
                    end
                end
                // Each lower dimension has a port at least, and its ports have lower numbers.
                hc_programmable_group #(
                    .DEGREE   (DEGREE),
                    .LINKS    (NUMBER + 1 < DIMENSIONS && NUMBER + 1 < DEGREE ? DEGREE - NUMBER - 1 : 0),
                    .BODY_BITS(GROUP_BODY_BITS)
                ) group (
                    .clk          (clk),
                    .rst          (rst),
                    .local_request(local_request[NUMBER]),
                    .local_grant  (local_grant[NUMBER]),
                    .local_body   (local_body[GROUP_BODY_BITS-1:0]),
                    .link_request (link_request[NUMBER*DEGREE+:DEGREE]),
                    .link_valid   (valid),
                    .link_grant   (link_grant[NUMBER*DEGREE+:DEGREE]),
                    .link_bodies  (bodies),
                    .port_request (group_request),
                    .port_valid   (group_valid),
                    .port_complete(group_complete),
                    .port_body    (selected),
                    .waits        (waits & own)
                );
                if (DESTINATION_BITS == 0) begin : broadcast
                    assign group_words[j*GROUP_BITS+:GROUP_BITS] =
                        {group_request, group_valid, group_complete, selected};
                    assign ways[j*WAY_BITS+:WAY_BITS] = {WAY_BITS{1'b0}};
                end else begin : destination
                    wire [FIELD_BITS-1:0]   field = selected[GROUP_BODY_BITS-1-:FIELD_BITS];
                    wire [WC_BITS-1:0]      distance;
                    wire                    counterclockwise;
                    wire [WC_BITS-1:0]      steps;
                    wire                    to_all = ~|field[WC_BITS-1:0];
                    wire [CARRIED_BITS-1:0] group_body;  // body with the fields of lower dimensions only

                    hc_programmable_entry #(
                        .X_BITS(WC_BITS)
                    ) entry (
                        .m               (rings[NUMBER*(2*WC_BITS+1)+:WC_BITS+1]),
                        .rho             (rings[NUMBER*(2*WC_BITS+1)+WC_BITS+1+:WC_BITS]),
                        .field           (field),
                        .first           (distance),
                        .counterclockwise(counterclockwise),
                        .weight          (steps)
                    );
                    assign group_body = {to_all, {(DIMENSIONS - 1 - NUMBER) * FIELD_BITS{1'b0}},
                                     selected[0+:NUMBER*FIELD_BITS+BODY_BITS]};
                    assign group_words[j*GROUP_BITS+:GROUP_BITS] =
                        {group_request, group_valid, group_complete, group_body};
                    assign ways[j*WAY_BITS+:WAY_BITS] = {to_all, steps, counterclockwise, distance};
                end
            end else begin : none
                assign group_words[j*GROUP_BITS+:GROUP_BITS] = {GROUP_BITS{1'b0}};
                assign ways[j*WAY_BITS+:WAY_BITS]            = {WAY_BITS{1'b0}};
            end
        end
    endgenerate

endmodule

`default_nettype wire
