// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_programmable_injection: accepts the messages of the node while the programmable router is open
// and its clock (hc_pace) permits it.
//
// When the router closes, a message that has requested groups is still accepted. From then on the
// local input offers nothing, so this router does not delay the clocks of its neighbours.
//
// Latency: none. Backpressure: that of hc_local_input, with destinations that of
// hc_programmable_local.

`default_nettype none

module hc_programmable_injection #(
    parameter integer DIMENSIONS  = 4,       // largest number of dimensions of a machine, 1 or more
    parameter integer DEGREE      = 16,      // number of ports, 1 or more
    parameter integer WC_BITS     = 3,       // bits of wc, of rho, and of x in a field
    parameter integer DESTINATION_BITS = 0,  // bits of spread and route; 0: every message is a broadcast
    parameter integer TDEST_BITS  = 1,       // bits of tdest; 1 without destinations
    parameter integer DIGITS_BITS = 1,       // bits of an address, which has DIMENSIONS digits; 1 without destinations
    parameter integer LOCAL_BITS  = 8,       // bits of body: BODY_BITS, and the fields of all dimensions above them
    parameter integer BODY_BITS   = 8        // bits of tlast, source id and payload
) (
    input  wire                                clk,
    input  wire                                rst,
    input  wire                                configured,    // the router accepts messages of its node
    input  wire [DIMENSIONS*(2*WC_BITS+1)-1:0] rings,         // {rho, m} of each dimension, dimension 1 lowest
    input  wire [DEGREE-1:0]                   there,         // the machine has the port
    input  wire [2*DEGREE-1:0]                 link_pace,     // pace of the neighbour on each port
    input  wire                                hold,          // the clock must not tick, see hc_ring_mark
    output wire [1:0]                          pace,          // ticks of this clock, modulo 4
    output wire                                tick,          // the clock ticks at the end of this cycle
    output wire                                open,          // a message is accepted, or may request groups
    input  wire                                s_axis_tvalid,
    output wire                                s_axis_tready,
    input  wire [BODY_BITS-1:0]                s_axis_tdata,
    input  wire [TDEST_BITS-1:0]               s_axis_tdest,  // ignored without destinations
    input  wire [DIGITS_BITS-1:0]              node_digits,   // address of this node; ignored without destinations
    output wire [LOCAL_BITS-1:0]               body,          // fields of all dimensions, tlast, source id and payload
    output wire [DIMENSIONS-1:0]               request,       // bit i: requests the group of dimension i + 1
    input  wire [DIMENSIONS-1:0]               grant,         // the group takes this copy in this cycle
    output wire                                destination_error
);

    wire [2*DEGREE-1:0] paces;  // paces of the neighbours; on ports without one the pace of this router, never behind
    wire                pace_open;
    reg                 waiting_q;
    wire                open_valid   = s_axis_tvalid & open;
    wire                valid;   // a message with a legal destination is valid
    wire                single;  // for a single node
    wire                inject;  // completes a handshake

    assign open = configured | waiting_q;
    always @(posedge clk) waiting_q <= valid & pace_open & !s_axis_tready & !rst;

    hc_pace #(
        .DEGREE(DEGREE),
        .TURN  (DESTINATION_BITS == 0 ? 1 : 8)
    ) neighbour_clock (
        .clk      (clk),
        .rst      (rst),
        .link_pace(paces),
        .valid    (valid),
        .single   (single),
        .inject   (inject),
        .hold     (hold),
        .pace     (pace),
        .tick     (tick),
        .open     (pace_open)
    );

    genvar p;
    generate
        for (p = 0; p < DEGREE; p = p + 1) begin : link
            assign paces[2*p+:2] = there[p] ? link_pace[2*p+:2] : pace;
        end

        if (DESTINATION_BITS == 0) begin : broadcast
            wire unused = &{1'b0, rings, s_axis_tdest, node_digits};

            assign valid             = open_valid;
            assign single            = 1'b0;
            assign inject            = s_axis_tready;  // high only with the last copy, so with a valid message
            assign body              = s_axis_tdata;
            assign destination_error = 1'b0;

            hc_local_input #(
                .DIMENSIONS(DIMENSIONS)
            ) local_input (
                .clk          (clk),
                .rst          (rst),
                .s_axis_tvalid(valid),
                .s_axis_tready(s_axis_tready),
                .open         (pace_open),
                .request      (request),
                .grant        (grant)
            );
        end else begin : destination
            wire [DIMENSIONS*(WC_BITS+1)-1:0] fields;

            assign body = {fields, s_axis_tdata};

            hc_programmable_local #(
                .DIMENSIONS(DIMENSIONS),
                .DIGIT_BITS(DIGITS_BITS / DIMENSIONS),
                .X_BITS    (WC_BITS)
            ) local_input (
                .clk              (clk),
                .rst              (rst),
                .rings            (rings),
                .s_axis_tvalid    (open_valid),
                .s_axis_tready    (s_axis_tready),
                .s_axis_tdest     (s_axis_tdest),
                .node_digits      (node_digits),
                .open             (pace_open),
                .fields           (fields),
                .valid            (valid),
                .single           (single),
                .inject           (inject),
                .request          (request),
                .grant            (grant),
                .destination_error(destination_error)
            );
        end
    endgenerate

endmodule

`default_nettype wire
