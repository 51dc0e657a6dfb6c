// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_endpoint_requests: queues the gets of other nodes, and answers them one by one.
//
// Latency: a get that arrives in cycle t requests the memory port from cycle t + 2 on, if it is the oldest
// and the reply register is free. The reply is offered from the second cycle after the turn on.
//
// Backpressure: none. The queue has a place for a get of every other node, and each waits for one get at
// most. It is a memory of the next power of two, whose read port is registered, so it can be a block RAM.

`default_nettype none

module hc_endpoint_requests #(
    parameter integer NODES        = 4,   // nodes of the network, 2 or more
    parameter integer DEST_BITS    = 6,   // bits of tdest
    parameter integer ADDRESS_BITS = 12   // bits of a byte address in the memory, 8 or more
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire                    get,             // a get arrives
    input  wire [ADDRESS_BITS-3:0] get_address,
    input  wire [DEST_BITS-1:0]    get_dest,        // destination of the reply
    output wire                    memory_request,
    output wire [ADDRESS_BITS-3:0] memory_address,
    input  wire                    memory_turn,
    input  wire [31:0]             mem_rdata,
    output reg                     reply_valid,     // the reply register waits for the network
    input  wire                    reply_ready,     // which accepts it
    output reg  [DEST_BITS-1:0]    reply_dest,
    output reg  [31:0]             reply_data,
    output wire [15:0]             count            // gets in the queue
);

    localparam integer COUNT_BITS = $clog2(NODES);                          // of 0 to NODES - 1
    localparam integer PLACE_BITS = NODES > 2 ? $clog2(NODES - 1) : 1;
    localparam integer WORD_BITS  = DEST_BITS + ADDRESS_BITS - 2;

    reg  [WORD_BITS-1:0]  places [0:(1<<PLACE_BITS)-1];  // {destination, address}
    reg  [PLACE_BITS-1:0] in_q;     // place of the next get
    reg  [PLACE_BITS-1:0] out_q;    // place of the oldest get
    reg  [COUNT_BITS-1:0] count_q;
    reg  [WORD_BITS-1:0]  oldest_q;
    reg                   known_q;  // oldest_q is the oldest get
    reg                   reads_q;  // the word for the reply has been read
    wire [DEST_BITS-1:0]  oldest_dest;

    assign {oldest_dest, memory_address} = oldest_q;
    assign memory_request = known_q & !reads_q & !reply_valid;
    assign count          = {{16 - COUNT_BITS{1'b0}}, count_q};

    always @(posedge clk) begin
        if (get) places[in_q] <= {get_dest, get_address};
        oldest_q <= places[out_q];
    end

    always @(posedge clk) begin
        if (get) in_q <= in_q + 1'b1;
        if (memory_turn) begin
            out_q      <= out_q + 1'b1;
            reply_dest <= oldest_dest;
        end
        if (get & !memory_turn) count_q <= count_q + 1'b1;
        if (memory_turn & !get) count_q <= count_q - 1'b1;
        known_q <= |count_q & !memory_turn;
        reads_q <= memory_turn;
        if (reads_q) reply_data <= mem_rdata;
        reply_valid <= reads_q | (reply_valid & !reply_ready);
        if (rst) begin
            in_q        <= {PLACE_BITS{1'b0}};
            out_q       <= {PLACE_BITS{1'b0}};
            count_q     <= {COUNT_BITS{1'b0}};
            known_q     <= 1'b0;
            reads_q     <= 1'b0;
            reply_valid <= 1'b0;
        end
    end

endmodule

`default_nettype wire
