// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_endpoint_receive: takes the messages that the network delivers to an endpoint.
//
// A put to the doorbell, a get and a reply are accepted in their first cycle, any other put and an add in
// the cycle in which they have the turn of the memory port. Nothing here waits for the sender of the node:
// a queue has a place for every get, and a reply finds the access that waits for it.
//
// Latency: none.

`default_nettype none

module hc_endpoint_receive #(
    parameter integer ADDRESS_BITS = 12,  // bits of a byte address in the memory, 8 or more
    parameter integer PAYLOAD_BITS = 48,  // bits of a message, those of its kind included
    parameter integer GETS         = 1,   // 1: there are gets and replies
    parameter integer ADDS         = 1    // 1: there are adds
) (
    input  wire                    s_axis_tvalid,
    output wire                    s_axis_tready,
    input  wire [PAYLOAD_BITS-1:0] s_axis_tdata,
    output wire                    memory_request,  // the message is one for the memory
    output wire                    memory_add,      // it adds
    input  wire                    memory_turn,     // it has the turn of the memory port
    output wire                    doorbell,        // a put to the doorbell
    output wire                    get,             // a get; its data has the destination of the reply
    output wire                    reply,           // a reply
    output wire [3:0]              strobes,         // fields of the message
    output wire [ADDRESS_BITS-3:0] address,
    output wire [31:0]             data
);

    localparam integer KIND = ADDRESS_BITS + 34;  // lowest bit of the kind

    wire answers;  // a get or a reply
    wire adds;

    generate
        if (GETS != 0) begin : with_gets
            assign answers = s_axis_tdata[KIND+1];
            assign get     = s_axis_tvalid & answers & !s_axis_tdata[KIND];
            assign reply   = s_axis_tvalid & answers & s_axis_tdata[KIND];
        end else begin : without_gets
            assign answers = 1'b0;
            assign get     = 1'b0;
            assign reply   = 1'b0;
        end
        if (ADDS != 0) begin : with_adds
            assign adds = s_axis_tdata[KIND];
        end else begin : without_adds
            assign adds = 1'b0;
        end
    endgenerate

    assign {strobes, address, data} = s_axis_tdata[KIND-1:0];

    wire writes = s_axis_tvalid & !answers;  // a put or an add
    wire rings  = !adds & &address;
    assign doorbell       = writes & rings;
    assign memory_request = writes & !rings;
    assign memory_add     = adds;
    assign s_axis_tready  = memory_turn | !memory_request;

endmodule

`default_nettype wire
