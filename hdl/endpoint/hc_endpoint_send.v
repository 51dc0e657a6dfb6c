// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_endpoint_send: shares the way into the network between the message of the own access and the reply to
// the get of another node.
//
// With TIMEOUT an access can end before its message is accepted, which hc_endpoint_late then keeps.
//
// Latency: none. Backpressure: what is offered stays until the network accepts it.
//
// Fairness: the message and the reply alternate if both wait.

`default_nettype none

module hc_endpoint_send #(
    parameter integer DEST_BITS    = 6,   // bits of tdest, 2 to 32
    parameter integer ADDRESS_BITS = 12,  // bits of a byte address in the memory, 8 or more
    parameter integer PAYLOAD_BITS = 48,  // bits of a message, 0 to 2 of them for its kind
    parameter integer TIMEOUT      = 0    // 0: an access lasts until its message is accepted
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [DEST_BITS-1:0]    own_dest,         // destination of the reply to a get of this node
    input  wire                    linked,           // messages can be sent; stays 1 until rst; 1 without TIMEOUT
    input  wire                    late,             // the access ends late in this cycle; 0 without TIMEOUT
    input  wire                    reply,            // a reply to this node is delivered
    output wire                    left,             // the message of an access that has ended is offered
    output wire                    owed,             // with TIMEOUT: a reply to this node has not come
    input  wire                    message_valid,    // all of the message is held until it is accepted, or the access ends
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

    // What is offered of the own bus.
    wire                    offer_valid;
    wire                    offer_ready;
    wire [DEST_BITS-1:0]    offer_dest;
    wire                    offer_add;
    wire                    offer_write;
    wire [3:0]              offer_strobes;
    wire [ADDRESS_BITS-3:0] offer_address;
    wire [31:0]             offer_data;

    generate
        if (TIMEOUT != 0) begin : limited
            hc_endpoint_late #(
                .DEST_BITS   (DEST_BITS),
                .ADDRESS_BITS(ADDRESS_BITS)
            ) behind (
                .clk            (clk),
                .rst            (rst),
                .linked         (linked),
                .late           (late),
                .reply          (reply),
                .message_valid  (message_valid),
                .message_ready  (message_ready),
                .message_dest   (message_dest),
                .message_add    (message_add),
                .message_write  (message_write),
                .message_strobes(message_strobes),
                .message_address(message_address),
                .message_data   (message_data),
                .offer_valid    (offer_valid),
                .offer_ready    (offer_ready),
                .offer_dest     (offer_dest),
                .offer_add      (offer_add),
                .offer_write    (offer_write),
                .offer_strobes  (offer_strobes),
                .offer_address  (offer_address),
                .offer_data     (offer_data),
                .left           (left),
                .owed           (owed)
            );
        end else begin : unlimited
            wire unused = &{1'b0, linked, late, reply};

            assign offer_valid   = message_valid;
            assign message_ready = offer_ready;
            assign {offer_dest, offer_add, offer_write} = {message_dest, message_add, message_write};
            assign {offer_strobes, offer_address, offer_data} = {message_strobes, message_address, message_data};
            assign {left, owed} = 2'b00;
        end
    endgenerate

    wire message;  // what the own bus offers is selected
    wire answer;   // the reply is selected

    hc_arbiter #(
        .REQUESTERS(2)
    ) arbiter (
        .clk     (clk),
        .rst     (rst),
        .request ({reply_valid, offer_valid}),
        .complete(m_axis_tready),
        .select  ({answer, message})
    );

    wire [1:0]              kind    = {answer | !offer_write, answer | offer_add};
    wire [3:0]              strobes = offer_strobes & {4{!answer & offer_write}};
    wire [ADDRESS_BITS-3:0] address = offer_address & {ADDRESS_BITS - 2{!answer}};
    wire [31:0]             asker   = {{32 - DEST_BITS{1'b0}}, own_dest};
    wire [31:0]             sent    = offer_write ? offer_data : asker;
    wire [31:0]             data    = answer ? reply_data : sent;
    wire [FULL_BITS-1:0]    full    = {kind, strobes, address, data};

    assign offer_ready   = m_axis_tready & message;
    assign reply_ready   = m_axis_tready & answer;
    assign m_axis_tvalid = offer_valid | reply_valid;
    assign m_axis_tdata  = full[PAYLOAD_BITS-1:0];
    assign m_axis_tdest  = answer ? reply_dest : offer_dest;

    generate
        if (PAYLOAD_BITS < FULL_BITS) begin : fewer_kinds
            wire unused = &{1'b0, full[FULL_BITS-1:PAYLOAD_BITS]};
        end
    endgenerate

endmodule

`default_nettype wire
