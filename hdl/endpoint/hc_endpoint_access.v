// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_endpoint_access: decodes an access of the bus of an endpoint, and follows it until it is done.
//
// An access is refused, takes effect at once (registers, doorbell of the own node), needs a turn of the
// memory port, or is a message to other nodes. A message is offered from the cycle after the access began
// until the network accepts it; a get then waits for its reply. With TIMEOUT an access to other nodes that
// is not done in this many cycles is refused; hc_endpoint_late keeps what it leaves behind.
//
// Latency: done follows in the same cycle if nothing else is needed, with the turn of the memory port (a
// read: in the next cycle), with the acceptance of a put or add, or with the reply to a get.

`default_nettype none

module hc_endpoint_access #(
    parameter integer GETS    = 1,  // 1: the memories of other nodes can be read
    parameter integer ADDS    = 1,  // 1: words in memories can be added to
    parameter integer TIMEOUT = 0   // cycles after which an access to other nodes ends, 2 or more; 0: it has no limit
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       access,             // all of the access is held until it is done
    input  wire       access_write,
    input  wire [1:0] access_region,
    input  wire [3:0] access_strobes,
    input  wire       access_legal,       // every digit of the destination is legal
    input  wire       access_same,        // the destination is this node
    input  wire       access_set,         // the destination is a set of nodes
    input  wire       access_zero,        // there is no destination: all its bits are 0
    input  wire       offset_doorbell,    // the offset is that of the doorbell
    input  wire       register_exists,    // the offset is that of a register
    input  wire       register_writable,  // which can be written
    output wire       done,
    output wire       refused,
    output wire       outside,            // the access is refused because of its destination
    output wire       unsupported,        // the access is one that the endpoint does not have
    output wire       late,               // the access is refused because its time is over
    output wire       register_write,
    output wire       doorbell,           // the access is a put to the doorbell of this node
    output wire       memory_request,     // the access is one of the own memory
    output wire       memory_add,         // it adds
    input  wire       memory_turn,        // it has the turn of the memory port
    output reg        reads_memory,       // the word read has arrived
    output reg        message_valid,      // the message of the access is offered
    input  wire       message_ready,      // the network accepts it
    input  wire       reply               // the reply to a get is delivered
);

    localparam [1:0] MEMORY = 2'd0, REGISTERS = 2'd1, PUT_GET = 2'd2, ADD = 2'd3;  // regions

    wire in_registers = access_region == REGISTERS;
    wire whole        = &access_strobes;
    wire rings        = access_region == PUT_GET & access_same & access_write & offset_doorbell;
    wire adds         = access_write & whole & ADDS != 0;
    wire misplaced    = access_region[1] ? !access_legal : !access_zero;
    reg  supported;
    reg  in_memory;

    // No access of the memory that is not refused needs more than this, so that its request comes early.
    always @*
        case (access_region)
            MEMORY: begin
                supported = 1'b1;
                in_memory = access_zero;
            end
            REGISTERS: begin
                supported = register_exists & (!access_write | (register_writable & whole));
                in_memory = 1'b0;
            end
            PUT_GET: begin
                supported = access_write | access_same | (!access_set & GETS != 0);
                in_memory = access_same & !rings;
            end
            default: begin  // ADD
                supported = adds;
                in_memory = access_same & adds;
            end
        endcase

    wire illegal = misplaced | !supported;
    assign refused        = illegal | late;
    assign outside        = access & misplaced;
    assign unsupported    = access & !misplaced & !supported;
    assign register_write = access & in_registers & access_write & !illegal;
    assign doorbell       = access & rings;
    assign memory_request = access & in_memory & !reads_memory;
    assign memory_add     = access_region == ADD;

    reg  waits_q;  // for the reply to a get
    wire over;     // the time of the access is over
    wire accepted   = message_valid & message_ready;
    wire in_network = access_region[1] & !access_same & !illegal;
    wire at_once    = illegal | in_registers | rings;
    wire answered   = (accepted & access_write) | (waits_q & reply);

    assign late = over & !answered;
    assign done = (access & at_once) | (memory_turn & access_write) | reads_memory | answered | over;

    always @(posedge clk) begin
        reads_memory  <= memory_turn & !access_write;
        message_valid <= message_valid ? !(message_ready | over) : access & in_network & !waits_q;
        waits_q       <= waits_q ? !(reply | over) : accepted & !access_write & !over & GETS != 0;
        if (rst) begin
            reads_memory  <= 1'b0;
            message_valid <= 1'b0;
            waits_q       <= 1'b0;
        end
    end

    generate
        if (TIMEOUT < 0 || TIMEOUT == 1) begin : illegal_timeout
            hc_endpoint_access_TIMEOUT_must_be_0_or_2_or_more illegal ();
        end
        if (TIMEOUT > 1) begin : limited
            localparam integer          TIMER_BITS = $clog2(TIMEOUT);
            localparam integer          MOST       = TIMEOUT - 1;
            localparam [TIMER_BITS-1:0] LAST       = MOST[TIMER_BITS-1:0];

            reg  [TIMER_BITS-1:0] timer_q;  // cycles since the one after the access began
            wire                  outward = message_valid | waits_q;

            assign over = outward & timer_q == LAST;

            always @(posedge clk) timer_q <= outward ? timer_q + 1'b1 : {TIMER_BITS{1'b0}};
        end else begin : unlimited
            assign over = 1'b0;
        end
    endgenerate

endmodule

`default_nettype wire
