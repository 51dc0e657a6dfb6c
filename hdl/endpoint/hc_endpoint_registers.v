// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_endpoint_registers: the registers of an endpoint: who and where the node is, its barrier, doorbells
// and errors.
//
// Latency: none for reads; a write and an event show in the next cycle. An event wins over a write that
// clears it.

`default_nettype none

module hc_endpoint_registers #(
    parameter integer                 NODES        = 4,   // nodes of the network, 2 or more
    parameter integer                 NODE_BITS    = 2,   // bits of a node number, 1 to 32
    parameter integer                 DIMENSIONS   = 2,   // dimensions of the network, 1 to 16
    parameter integer                 DIGITS_BITS  = 2,   // bits of the digits of a node, 1 to 32
    parameter integer                 ADDRESS_BITS = 12,  // bits of a byte address in the memory, 8 or more
    parameter integer                 GETS         = 1,
    parameter integer                 ADDS         = 1,
    parameter integer                 TIMEOUT      = 0,   // 0: no access ends late, and no message is left behind
    parameter [32*DIMENSIONS-1:0]     RINGS        = {DIMENSIONS{32'h0001_0002}}  // {rho, m}, dimension 1 lowest
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [NODE_BITS-1:0]    node_id,          // constant
    input  wire [DIGITS_BITS-1:0]  node_digits,      // constant
    input  wire [ADDRESS_BITS-3:0] offset,           // number of a register
    output wire                    exists,           // there is a register at the offset
    output wire                    writable,         // it can be written
    output wire [31:0]             read_data,
    input  wire                    write,            // to an offset that is writable
    input  wire [31:0]             write_data,
    input  wire [7:0]              doorbells,        // events
    input  wire                    outside,
    input  wire                    unsupported,
    input  wire                    late,
    input  wire                    dropped,
    input  wire [15:0]             waiting_gets,     // gets of other nodes in the queue
    input  wire                    waiting_reply,    // a reply waits for the network
    input  wire                    left,             // the message of an access that ended late is on offer
    input  wire                    owed,             // a reply to this node has not come
    input  wire                    unlinked,         // messages wait for the cables of the chip
    output reg                     barrier_arrive,
    input  wire                    barrier_release,
    output wire                    irq
);

    generate
        if (DIMENSIONS < 1 || DIMENSIONS > 16) begin : illegal_dimensions
            hc_endpoint_registers_DIMENSIONS_must_be_1_to_16 illegal ();
        end
    endgenerate

    localparam integer VERSION    = 1;  // of the registers
    localparam integer WORD_BITS  = ADDRESS_BITS - 2;
    localparam [3:0]   ID = 0, NODE = 1, DIGITS = 2, COUNT = 3, BARRIER = 4, EVENTS = 5, ENABLE = 6, ERRORS = 7, WAITING = 8;

    reg  [8:0] events_q;
    reg  [8:0] enable_q;
    reg  [2:0] errors_q;
    wire       late_q;  // bit 3 of the errors

    // The registers above come first, and from offset 16 on those of the dimensions.
    wire [WORD_BITS-5:0] block = offset[WORD_BITS-1:4];
    wire [3:0]           place = offset[3:0];
    wire                 first = ~|block;
    wire                 rings = block == 1 && {28'd0, place} < DIMENSIONS;

    assign exists   = rings | (first & (!place[3] | place == WAITING));
    assign writable = first & (place == BARRIER | place == EVENTS | place == ENABLE | place == ERRORS);

    reg [31:0] first_data;
    reg [31:0] rings_data;
    integer    i;
    always @* begin
        case (place)
            ID:      first_data = {VERSION[7:0], 5'd0, TIMEOUT != 0, ADDS != 0, GETS != 0, ADDRESS_BITS[7:0], DIMENSIONS[7:0]};
            NODE:    first_data = {{32 - NODE_BITS{1'b0}}, node_id};
            DIGITS:  first_data = {{32 - DIGITS_BITS{1'b0}}, node_digits};
            COUNT:   first_data = NODES;
            BARRIER: first_data = {31'd0, barrier_arrive};
            EVENTS:  first_data = {23'd0, events_q};
            ENABLE:  first_data = {23'd0, enable_q};
            ERRORS:  first_data = {28'd0, late_q, errors_q};
            default: first_data = {12'd0, unlinked, owed, left, waiting_reply, waiting_gets};
        endcase
        rings_data = 32'd0;
        for (i = 0; i < DIMENSIONS; i = i + 1) if (place == i[3:0]) rings_data = RINGS[32*i+:32];
    end

    assign read_data = rings ? rings_data : first_data;

    wire       arrives      = write & place == BARRIER;
    wire [8:0] clear_events = write_data[8:0] & {9{write & place == EVENTS}};
    wire [2:0] clear_errors = write_data[2:0] & {3{write & place == ERRORS}};
    wire       unused       = &{1'b0, write_data[31:9]};

    always @(posedge clk) begin
        barrier_arrive <= (barrier_arrive | arrives) & !barrier_release;
        events_q       <= (events_q & ~clear_events) | {barrier_release, doorbells};
        errors_q       <= (errors_q & ~clear_errors) | {dropped, unsupported, outside};
        if (write & place == ENABLE) enable_q <= write_data[8:0];
        if (rst) begin
            barrier_arrive <= 1'b0;
            events_q       <= 9'd0;
            errors_q       <= 3'd0;
            enable_q       <= 9'd0;
        end
    end

    generate
        if (TIMEOUT != 0) begin : limited
            reg error_q;

            assign late_q = error_q;

            always @(posedge clk) begin
                error_q <= (error_q & !(write & place == ERRORS & write_data[3])) | late;
                if (rst) error_q <= 1'b0;
            end
        end else begin : unlimited
            wire unused_late = &{1'b0, late};
            assign late_q = 1'b0;
        end
    endgenerate

    assign irq = |(events_q & enable_q);

endmodule

`default_nettype wire
