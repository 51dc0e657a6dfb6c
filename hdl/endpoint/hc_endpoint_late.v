// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_endpoint_late: stands between the message of an access and the network, and keeps what an access that ends
// late leaves behind.
//
// A message that was offered cannot be taken back, because copies of it may have left. So it stays on offer. The
// reply to a get that has ended late is owed: the node sends no other get until it has come. So a reply is that
// of the only get under way, and the queues of gets have a place for each node.
//
// Latency: none. Backpressure: a message waits for one that was left behind, a get for the reply that is owed,
// and all for the cables of the chip.

`default_nettype none

module hc_endpoint_late #(
    parameter integer DEST_BITS    = 6,  // bits of tdest
    parameter integer ADDRESS_BITS = 12  // bits of a byte address in the memory, 8 or more
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire                    linked,           // the cables of the chip have been up; stays 1 until rst
    input  wire                    late,             // the access ends late in this cycle
    input  wire                    reply,            // a reply is delivered
    input  wire                    message_valid,    // of the access, which holds it until it is done
    output wire                    message_ready,
    input  wire [DEST_BITS-1:0]    message_dest,
    input  wire                    message_add,
    input  wire                    message_write,
    input  wire [3:0]              message_strobes,
    input  wire [ADDRESS_BITS-3:0] message_address,
    input  wire [31:0]             message_data,
    output wire                    offer_valid,      // to the network
    input  wire                    offer_ready,
    output wire [DEST_BITS-1:0]    offer_dest,
    output wire                    offer_add,
    output wire                    offer_write,
    output wire [3:0]              offer_strobes,
    output wire [ADDRESS_BITS-3:0] offer_address,
    output wire [31:0]             offer_data,
    output wire                    left,             // the message of an access that has ended is on offer
    output wire                    owed              // a reply to a get has not come
);

    localparam integer MESSAGE_BITS = DEST_BITS + ADDRESS_BITS + 36;

    reg                     left_q;
    reg                     owed_q;
    reg  [MESSAGE_BITS-1:0] message_q;  // that was left behind
    wire [MESSAGE_BITS-1:0] message = {message_dest, message_add, message_write, message_strobes, message_address, message_data};
    wire                    offered = message_valid & linked & (message_write | !owed_q) & !left_q;

    assign message_ready = offered & offer_ready;
    assign offer_valid   = offered | left_q;
    assign left          = left_q;
    assign owed          = owed_q;
    assign {offer_dest, offer_add, offer_write, offer_strobes, offer_address, offer_data} = left_q ? message_q : message;

    always @(posedge clk) begin
        if (!left_q) message_q <= message;
        left_q <= left_q ? !offer_ready : late & offered & !offer_ready;
        owed_q <= owed_q ? !reply : offer_valid & offer_ready & !offer_write;
        if (rst) begin
            left_q <= 1'b0;
            owed_q <= 1'b0;
        end
    end

endmodule

`default_nettype wire
