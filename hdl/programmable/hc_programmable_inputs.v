// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_programmable_inputs: all link inputs of a programmable router.
//
// Latency and backpressure: as in hc_programmable_input.

`default_nettype none

module hc_programmable_inputs #(
    parameter integer DIMENSIONS   = 4,      // largest number of dimensions of a machine, 1 or more
    parameter integer DEGREE       = 16,     // number of ports, 1 or more
    parameter integer WD_BITS      = 3,      // bits of wd, 1 or more
    parameter integer WC_BITS      = 3,      // bits of wc, 1 or more
    parameter integer DESTINATION_BITS = 0,  // spread and route: 1 + (DIMENSIONS - 1) (WC_BITS + 1); 0 without them
    parameter integer CARRIED_BITS = 8       // bits of a body: spread and route, tlast, source id and payload
) (
    input  wire                                             clk,
    input  wire                                             rst,
    input  wire                                             will_run,          // the router runs in the next cycle
    input  wire [DEGREE*(2*WC_BITS+3+WD_BITS)-1:0]          ports,             // port constants, from hc_weight_engine
    input  wire [DIMENSIONS*(2*WC_BITS+1)-1:0]              rings,             // {rho, m} of each dimension, 1 lowest
    input  wire [DEGREE-1:0]                                s_axis_tvalid,
    output wire [DEGREE-1:0]                                s_axis_tready,
    input  wire [DEGREE*(WD_BITS+WC_BITS+CARRIED_BITS)-1:0] s_axis_tdata,
    output wire [DEGREE-1:0]                                there,             // the machine has the port
    output wire [DEGREE-1:0]                                full,              // the slot holds a message
    output wire [DEGREE*(WC_BITS+CARRIED_BITS)-1:0]         words,             // {wc of continuation, body} by link
    output wire [DEGREE*(CARRIED_BITS-DESTINATION_BITS)-1:0] bodies,           // tlast, source id and payload by link
    output wire [DEGREE-1:0]                                valid,             // the head is well formed
    output wire [DEGREE-1:0]                                deliver_request,   // the head requests delivery
    input  wire [DEGREE-1:0]                                deliver_grant,
    output wire [DIMENSIONS*DEGREE-1:0]                     group_request,     // by dimension, dimension 1 lowest
    input  wire [DIMENSIONS*DEGREE-1:0]                     group_grant,
    output wire [DEGREE-1:0]                                transfer_request,  // from a link shorter than rho
    input  wire [DEGREE-1:0]                                transfer_grant,
    output wire [DEGREE-1:0]                                continue_request,  // from a link of distance rho
    input  wire [DEGREE-1:0]                                continue_grant,
    output wire [DEGREE-1:0]                                header_error
);

    localparam LINK_BITS = WD_BITS + WC_BITS + CARRIED_BITS;
    localparam WORD_BITS = WC_BITS + CARRIED_BITS;
    localparam BODY_BITS = CARRIED_BITS - DESTINATION_BITS;
    localparam PORT_BITS = 2 * WC_BITS + 3 + WD_BITS;

    wire [DEGREE-1:0] unused_grant = group_grant[(DIMENSIONS-1)*DEGREE+:DEGREE];

    assign group_request[(DIMENSIONS-1)*DEGREE+:DEGREE] = {DEGREE{1'b0}};

    genvar p, j;
    generate
        for (p = 0; p < DEGREE; p = p + 1) begin : in
            wire [DIMENSIONS+1:0] request;
            wire [DIMENSIONS+1:0] grant;

            hc_programmable_input #(
                .DIMENSIONS  (DIMENSIONS),
                .WD_BITS     (WD_BITS),
                .WC_BITS     (WC_BITS),
                .DESTINATION_BITS(DESTINATION_BITS),
                .CARRIED_BITS(CARRIED_BITS)
            ) link_input (
                .clk          (clk),
                .rst          (rst),
                .will_run     (will_run),
                .dimension    (ports[p*PORT_BITS+:WD_BITS]),
                .largest      (ports[p*PORT_BITS+WD_BITS+3+WC_BITS+:WC_BITS]),
                .farthest     (ports[p*PORT_BITS+WD_BITS+2]),
                .rings        (rings),
                .s_axis_tvalid(s_axis_tvalid[p]),
                .s_axis_tready(s_axis_tready[p]),
                .wd           (s_axis_tdata[p*LINK_BITS+WORD_BITS+:WD_BITS]),
                .wc           (s_axis_tdata[p*LINK_BITS+CARRIED_BITS+:WC_BITS]),
                .body         (s_axis_tdata[p*LINK_BITS+:CARRIED_BITS]),
                .there        (there[p]),
                .full         (full[p]),
                .word         (words[p*WORD_BITS+:WORD_BITS]),
                .valid        (valid[p]),
                .request      (request),
                .grant        (grant),
                .header_error (header_error[p])
            );

            assign bodies[p*BODY_BITS+:BODY_BITS] = words[p*WORD_BITS+:BODY_BITS];
            assign deliver_request[p] = request[0];
            assign grant[0]           = deliver_grant[p];
            assign {continue_request[p], transfer_request[p]} = request[DIMENSIONS+:2];
            assign grant[DIMENSIONS+:2]                       = {continue_grant[p], transfer_grant[p]};
            for (j = 1; j < DIMENSIONS; j = j + 1) begin : target
                assign group_request[(j-1)*DEGREE+p] = request[j];
                assign grant[j]                      = group_grant[(j-1)*DEGREE+p];
            end
        end
    endgenerate

endmodule

`default_nettype wire
