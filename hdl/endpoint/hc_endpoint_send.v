// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_endpoint_send: shares the way into the network between the message of the own access and the reply to
// the get of another node.
//
// Latency: none. Backpressure: what is offered stays until the network accepts it.
//
// Fairness: the message and the reply alternate if both wait.

`default_nettype none

module hc_endpoint_send #(
    parameter integer DEST_BITS    = 6,   // bits of tdest, 2 to 32
    parameter integer ADDRESS_BITS = 12,  // bits of a byte address in the memory, 8 or more
    parameter integer PAYLOAD_BITS = 48   // bits of a message, 0 to 2 of them for its kind
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [DEST_BITS-1:0]    own_dest,         // destination of the reply to a get of this node
    input  wire                    message_valid,    // all of the message is held until it is accepted
    output wire                    message_ready,
    input  wire [DEST_BITS-1:0]    message_dest,
    input  wire                    message_add,      // an add, if it writes
    input  wire                    message_write,    // a put or an add; if not, a get
    input  wire [3:0]              message_strobes,
    input  wire [ADDRESS_BITS-3:0] message_address,
    input  wire [31:0]             message_data,
    input  wire                    reply_valid,
    output wire                    reply_ready,
    input  wire [DEST_BITS-1:0]    reply_dest,
    input  wire [31:0]             reply_data,
    output wire                    m_axis_tvalid,
    input  wire                    m_axis_tready,
    output wire [PAYLOAD_BITS-1:0] m_axis_tdata,
    output wire [DEST_BITS-1:0]    m_axis_tdest
);

    localparam integer FULL_BITS = ADDRESS_BITS + 36;  // of a message with two bits for its kind

    wire message;  // the message is offered
    wire reply;    // the reply is offered

    hc_arbiter #(
        .REQUESTERS(2)
    ) arbiter (
        .clk     (clk),
        .rst     (rst),
        .request ({reply_valid, message_valid}),
        .complete(m_axis_tready),
        .select  ({reply, message})
    );

    wire [1:0]              kind    = {reply | !message_write, reply | message_add};
    wire [3:0]              strobes = message_strobes & {4{!reply & message_write}};
    wire [ADDRESS_BITS-3:0] address = message_address & {ADDRESS_BITS - 2{!reply}};
    wire [31:0]             asker   = {{32 - DEST_BITS{1'b0}}, own_dest};
    wire [31:0]             sent    = message_write ? message_data : asker;
    wire [31:0]             data    = reply ? reply_data : sent;
    wire [FULL_BITS-1:0]    full    = {kind, strobes, address, data};

    assign message_ready = m_axis_tready & message;
    assign reply_ready   = m_axis_tready & reply;
    assign m_axis_tvalid = message_valid | reply_valid;
    assign m_axis_tdata  = full[PAYLOAD_BITS-1:0];
    assign m_axis_tdest  = reply ? reply_dest : message_dest;

    generate
        if (PAYLOAD_BITS < FULL_BITS) begin : fewer_kinds
            wire unused = &{1'b0, full[FULL_BITS-1:PAYLOAD_BITS]};
        end
    endgenerate

endmodule

`default_nettype wire
