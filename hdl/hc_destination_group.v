// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_destination_group: the group of a dimension for messages with destinations. It selects one of
// the messages that request to enter the dimension, and offers it to the ports that its field
// selects.
//
// It differs from an hc_group of all ports of the dimension in one point: a message is completed
// when the ports that it enters have taken it. Latency, backpressure and freedom from deadlock:
// as in hc_group.

`default_nettype none

module hc_destination_group #(
    parameter integer             SOURCES     = 1,  // inputs whose messages may enter, the local input first; 1 or more
    parameter integer             LOWEST      = 0,  // number of the port of the first link input among them
    parameter integer             RHO         = 1,  // largest distance of a link of the dimension, 1 or more
    parameter integer             PORTS       = 2,  // ports of the dimension: 2 RHO, or 2 RHO - 1 if m = 2 RHO
    parameter integer             LARGEST     = 1,  // largest weight: D of the dimension, 1 or more
    parameter integer             WC_BITS     = 1,  // bits of a weight, 1 or more
    // Entering weight of broadcasts, by port. 0: they do not enter on the port.
    parameter [PORTS*WC_BITS-1:0] WEIGHTS     = {PORTS * WC_BITS{1'b1}},
    parameter integer             X_BITS      = 1,  // bits of x in the field: the number that floor(m / 2) needs
    parameter integer             PASSED_BITS = 8   // bits of the fields of lower dimensions, source id and payload
) (
    input  wire                              clk,
    input  wire                              rst,
    input  wire [SOURCES-1:0]                request,         // the input requests to enter its message
    input  wire [SOURCES-1:0]                valid,           // the header of that message is well formed
    input  wire [SOURCES*(X_BITS+1+PASSED_BITS)-1:0] bodies,  // body of each input; first the field of this dimension
    output wire [SOURCES-1:0]                grant,           // last port takes the input's message now, if well formed
    output wire [PORTS-1:0]                  port_request,    // the message is offered to this port
    output wire                              port_valid,      // the offered message is well formed
    output wire [PORTS*WC_BITS-1:0]          port_weights,    // weight of the message on each port
    output wire                              port_spread,     // header bit `spread` of the message
    output wire [PASSED_BITS-1:0]            port_body,       // fields of lower dimensions, source id and payload
    input  wire [PORTS-1:0]                  port_grant       // the port takes an offered message now, if well formed
);

    localparam integer BODY_BITS = X_BITS + 1 + PASSED_BITS;
    localparam integer WORD_BITS = 1 + PORTS + BODY_BITS;

    reg  [PORTS-1:0]   done_q;    // ports that have taken the message in earlier cycles, or were ready to
    wire [SOURCES-1:0] select;
    wire [SOURCES-1:0] all_done;  // every port that the message enters has taken it by the end of this cycle
    wire [X_BITS:0]    field;
    wire [PORTS-1:0]   ports;
    wire               select_valid;
    wire               complete = &(done_q | port_grant | ~ports) & port_valid;
    // Ports and completion are decided for every message in parallel with the arbiter. Deciding them after
    // the selection puts them on the longest path: 100 instead of 116 MHz in a router of a 4x4 torus.
    wire [SOURCES*WORD_BITS-1:0] words;

    genvar i;
    generate
        for (i = 0; i < SOURCES; i = i + 1) begin : source
            wire [BODY_BITS-1:0]     body = bodies[i*BODY_BITS+:BODY_BITS];
            wire [PORTS-1:0]         entered;
            wire [PORTS*WC_BITS-1:0] unused_weights;
            wire                     unused_spread;

            hc_entry #(
                .RHO    (RHO),
                .LARGEST(LARGEST),
                .X_BITS (X_BITS),
                .PORTS  (PORTS),
                .WC_BITS(WC_BITS),
                .WEIGHTS(WEIGHTS)
            ) entry (
                .field  (body[PASSED_BITS+:X_BITS+1]),
                .ports  (entered),
                .weights(unused_weights),
                .spread (unused_spread)
            );

            assign all_done[i]                   = &(done_q | port_grant | ~entered);
            assign words[i*WORD_BITS+:WORD_BITS] = {valid[i], entered, body};
        end
    endgenerate

    hc_tree_arbiter #(
        .REQUESTERS(SOURCES),
        .ALONE     (1),
        .LOWEST    (LOWEST),
        .WORD_BITS (WORD_BITS)
    ) arbiter (
        .clk     (clk),
        .rst     (rst),
        .request (request),
        .complete(complete),
        .words   (words),
        .select  (select),
        .word    ({select_valid, ports, field, port_body})
    );

    wire [PORTS-1:0] unused_ports;

    hc_entry #(
        .RHO    (RHO),
        .LARGEST(LARGEST),
        .X_BITS (X_BITS),
        .PORTS  (PORTS),
        .WC_BITS(WC_BITS),
        .WEIGHTS(WEIGHTS)
    ) entry (
        .field  (field),
        .ports  (unused_ports),
        .weights(port_weights),
        .spread (port_spread)
    );

    assign port_request = {PORTS{|request}} & ports & ~done_q;
    assign port_valid   = (|request) & select_valid;
    // Not gated with valid, as in hc_group.
    assign grant        = select & all_done;

    always @(posedge clk) begin
        // The bit of a port that the message does not enter has no effect. A lone port needs none.
        done_q <= (done_q | (port_grant & {PORTS{port_valid}})) & {PORTS{!complete && PORTS > 1}};
        if (rst) done_q <= {PORTS{1'b0}};
    end

endmodule

`default_nettype wire
