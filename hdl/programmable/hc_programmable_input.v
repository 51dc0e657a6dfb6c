// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_programmable_input: hc_link_input with one slot, for a port whose dimension is known only at
// run time. The two modules behave identically in every cycle.
//
// While the slot is empty, it follows the link. The head of the input is the message in the slot,
// or if the slot is empty, the message on the link. The message on the link stays in the slot if it
// has copies left at the end of the cycle. A malformed message never stays in the slot.
//
// With destinations the module behaves like hc_destination_link. In the messages that it passes on,
// the fields of the dimension of the port and of higher dimensions are 0.
//
// Latency: none through an empty slot. Backpressure: s_axis_tready is a register, high while the
// slot is empty, the machine has the port, and the router runs.

`default_nettype none

module hc_programmable_input #(
    parameter integer DIMENSIONS   = 4,      // largest number of dimensions of a machine, 1 or more
    parameter integer WD_BITS      = 3,      // bits of wd, the dimension in a header
    parameter integer WC_BITS      = 3,      // bits of wc, the weight in a header
    parameter integer DESTINATION_BITS = 0,  // spread and route: 1 + (DIMENSIONS - 1) (WC_BITS + 1); 0 without them
    parameter integer CARRIED_BITS = 8       // bits of a body: spread and route, tlast, source id and payload
) (
    input  wire                            clk,
    input  wire                            rst,
    input  wire                            will_run,     // the router runs in the next cycle
    input  wire [WD_BITS-1:0]              dimension,    // dimension of the port; 0 if the machine lacks the port
    input  wire [WC_BITS-1:0]              largest,      // largest legal wc: D of the dimension
    input  wire                            farthest,     // the port has distance rho
    input  wire [DIMENSIONS*(2*WC_BITS+1)-1:0] rings,    // {rho, m} of each dimension, dimension 1 lowest
    input  wire                            s_axis_tvalid,
    output wire                            s_axis_tready,
    input  wire [WD_BITS-1:0]              wd,           // dimension of the message on the link
    input  wire [WC_BITS-1:0]              wc,           // weight of the message on the link
    input  wire [CARRIED_BITS-1:0]         body,         // body of the message on the link
    output wire                            there,        // the machine has the port
    output wire                            full,         // the slot holds a message
    output wire [WC_BITS+CARRIED_BITS-1:0] word,         // {wc of the continuation, body} of the head
    output wire                            valid,        // the header of the head is well formed
    output wire [DIMENSIONS+1:0]           request,      // requested: 0 delivery, then groups, transfer, continuation
    input  wire [DIMENSIONS+1:0]           grant,        // the target takes this copy now, if the head is well formed
    output reg                             header_error  // high in the cycle after a malformed message was dropped
);

    reg                         ready_q;
    reg  [DIMENSIONS+1:0]       copies_q;   // targets of a message with steps left, in the configured machine
    reg  [DIMENSIONS+1:0]       pending_q;  // copies left: of the message in the slot, or of the next message
    reg  [WC_BITS+CARRIED_BITS-1:0] slot_q;

    wire               fits;  // wc is at most D
    wire [WC_BITS-1:0] next_wc;

    hc_wc_step #(
        .WC_BITS(WC_BITS)
    ) step (
        .wc     (wc),
        .largest(largest),
        .fits   (fits),
        .next_wc(next_wc)
    );

    wire                    routable;  // no distance on the link is above floor(m / 2)
    wire [DIMENSIONS-1:0]   wanted;    // the message on the link has this target
    wire [CARRIED_BITS-1:0] carried;   // the message on the link, without the fields that do not count

    wire legal   = routable && wd == dimension && |wc && fits;
    wire onward  = !ready_q | s_axis_tvalid & |(wc >> 1);
    wire [DIMENSIONS+1:0] rest = request & ~grant;
    wire stays   = valid & |rest;

    assign request = pending_q & {{2{onward}}, {DIMENSIONS{!ready_q}} | {DIMENSIONS{s_axis_tvalid}} & wanted};
    assign valid   = !ready_q | legal;
    assign word    = ready_q ? {next_wc, carried} : slot_q;
    assign there   = copies_q[0];
    assign full    = there & !ready_q & !rst;
    assign s_axis_tready = ready_q;

    genvar g;
    generate
        if (DESTINATION_BITS == 0) begin : broadcast
            wire unused = &{1'b0, rings};

            assign routable = 1'b1;
            assign wanted   = {DIMENSIONS{1'b1}};
            assign carried  = body;
        end else if (DIMENSIONS == 1) begin : one_ring
            wire unused = &{1'b0, rings};

            assign routable = 1'b1;
            assign wanted   = body[CARRIED_BITS-1] | ~|(wc >> 1);
            assign carried  = body;
        end else begin : destination
            localparam integer FIELD_BITS = WC_BITS + 1;
            localparam integer ROUTE_BITS = DESTINATION_BITS - 1;
            localparam integer BODY_BITS  = CARRIED_BITS - DESTINATION_BITS;
            localparam integer MOST       = 2 ** WC_BITS - 1;

            wire [ROUTE_BITS-1:0] route;  // 0 where it does not count
            wire [DIMENSIONS-1:1] too_far;
            wire [DIMENSIONS-1:0] targets;
            wire [DIMENSIONS-1:1] unused_all;
            wire                  unused_legal;
            wire                  unused = &{1'b0, rings};  // rho, and the highest dimension
            wire                  spreads = body[CARRIED_BITS-1] | ~|(wc >> 1);

            for (g = 1; g < DIMENSIONS; g = g + 1) begin : field
                wire [WC_BITS-1:0] half = rings[(g-1)*(2*WC_BITS+1)+1+:WC_BITS];  // floor(m / 2)

                assign route[(g-1)*FIELD_BITS+:FIELD_BITS] =
                    body[BODY_BITS+(g-1)*FIELD_BITS+:FIELD_BITS] & {FIELD_BITS{copies_q[g]}};
                assign too_far[g] = route[(g-1)*FIELD_BITS+:WC_BITS] > half;
            end
            hc_spread #(
                .DIMENSIONS (DIMENSIONS - 1),
                .FARTHEST   ({DIMENSIONS - 1{MOST[15:0]}}),
                .FIELDS_BITS(ROUTE_BITS)
            ) spread (
                .fields (route),
                .targets(targets),
                .all    (unused_all),
                .legal  (unused_legal)
            );
            assign routable = ~|too_far;
            assign wanted   = targets & {DIMENSIONS{spreads}};
            assign carried  = {body[CARRIED_BITS-1], route, body[BODY_BITS-1:0]};
        end
    endgenerate

    integer i;
    always @(posedge clk) begin
        copies_q[0] <= |dimension;
        for (i = 1; i < DIMENSIONS; i = i + 1) copies_q[i] <= dimension > i[WD_BITS-1:0];
        copies_q[DIMENSIONS]   <= |(largest >> 1) & !farthest;
        copies_q[DIMENSIONS+1] <= |(largest >> 1) & farthest;

        if (ready_q) slot_q <= {next_wc, carried};
        ready_q      <= |dimension & will_run & (rst | !stays);
        pending_q    <= rst | !stays ? copies_q : rest;
        header_error <= s_axis_tvalid & ready_q & !legal;
        if (rst) header_error <= 1'b0;
    end

endmodule

`default_nettype wire
