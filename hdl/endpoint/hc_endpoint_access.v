// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_endpoint_access: decodes an access of the bus of an endpoint, and follows it until it is done.
//
// An access is refused, takes effect at once (registers, doorbell of the own node), needs a turn of the
// memory port, or is a message to other nodes. A message is offered from the cycle after the access began
// until the network accepts it; a get then waits for its reply.
//
// Latency: done follows in the same cycle if nothing else is needed, with the turn of the memory port (a
// read: in the next cycle), with the acceptance of a put or add, or with the reply to a get.

`default_nettype none

module hc_endpoint_access #(
    parameter integer GETS = 1,  // 1: the memories of other nodes can be read
    parameter integer ADDS = 1   // 1: words in memories can be added to
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
    output wire       unsupported,        // the access is refused for another reason
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

    assign refused        = misplaced | !supported;
    assign outside        = access & misplaced;
    assign unsupported    = access & !misplaced & !supported;
    assign register_write = access & in_registers & access_write & !refused;
    assign doorbell       = access & rings;
    assign memory_request = access & in_memory & !reads_memory;
    assign memory_add     = access_region == ADD;

    reg  waits_q;  // for the reply to a get
    wire accepted = message_valid & message_ready;
    wire in_network = access_region[1] & !access_same & !refused;
    wire at_once  = refused | in_registers | rings;

    assign done = (access & at_once) | (memory_turn & access_write) | reads_memory | (accepted & access_write) | (waits_q & reply);

    always @(posedge clk) begin
        reads_memory  <= memory_turn & !access_write;
        message_valid <= message_valid ? !message_ready : access & in_network & !waits_q;
        waits_q       <= waits_q ? !reply : accepted & !access_write & GETS != 0;
        if (rst) begin
            reads_memory  <= 1'b0;
            message_valid <= 1'b0;
            waits_q       <= 1'b0;
        end
    end

endmodule

`default_nettype wire
