// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_endpoint_memory: gives the memory port of a node to one requester at a time, and adds.
//
// Requesters are the message that the network delivers, the oldest get in the queue, and the access of
// the own bus. An add reads the word in its turn, and holds the port for two more cycles, in which the sum
// is computed and written.
//
// Latency: a turn comes in the cycle of the request if the port is free and no other requester is
// preferred. The word read is in mem_rdata in the next cycle.
//
// Fairness: a requester waits for at most one turn of each other requester.

`default_nettype none

module hc_endpoint_memory #(
    parameter integer ADDRESS_BITS = 12,  // bits of a byte address in the memory, 8 or more
    parameter integer ADDS         = 1    // 1: words can be added to
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire                    delivered_request,
    input  wire                    delivered_add,      // if not, the request writes
    input  wire [3:0]              delivered_strobes,
    input  wire [ADDRESS_BITS-3:0] delivered_address,
    input  wire [31:0]             delivered_data,
    output wire                    delivered_turn,
    input  wire                    get_request,
    input  wire [ADDRESS_BITS-3:0] get_address,
    output wire                    get_turn,
    input  wire                    own_request,
    input  wire                    own_add,            // if neither this nor own_write, the request reads
    input  wire                    own_write,
    input  wire [3:0]              own_strobes,
    input  wire [ADDRESS_BITS-3:0] own_address,
    input  wire [31:0]             own_data,
    output wire                    own_turn,
    output wire                    mem_en,
    output wire [3:0]              mem_we,
    output wire [ADDRESS_BITS-3:0] mem_addr,
    output wire [31:0]             mem_wdata,
    input  wire [31:0]             mem_rdata
);

    wire held;  // by an add

    hc_arbiter #(
        .REQUESTERS(3)
    ) arbiter (
        .clk     (clk),
        .rst     (rst),
        .request ({own_request, get_request, delivered_request} & {3{!held}}),
        .complete(1'b1),
        .select  ({own_turn, get_turn, delivered_turn})
    );

    wire                    turn       = own_turn | get_turn | delivered_turn;
    wire                    add        = own_turn ? own_add : delivered_turn & delivered_add;
    wire                    write      = own_turn ? own_write & !own_add : delivered_turn & !delivered_add;
    wire [3:0]              strobes    = own_turn ? own_strobes : delivered_strobes;
    wire [ADDRESS_BITS-3:0] in_or_own  = own_turn ? own_address : delivered_address;
    wire [ADDRESS_BITS-3:0] address    = get_turn ? get_address : in_or_own;
    wire [31:0]             data       = own_turn ? own_data : delivered_data;

    generate
        if (ADDS != 0) begin : adds
            reg                     sums_q;     // first cycle in which the port is held: the word has been read
            reg                     stores_q;   // second cycle: the sum is written
            reg  [ADDRESS_BITS-3:0] address_q;
            reg  [31:0]             sum_q;      // the summand, then the sum

            always @(posedge clk) begin
                if (!held) address_q <= address;
                sum_q    <= sums_q ? sum_q + mem_rdata : data;
                sums_q   <= add;
                stores_q <= sums_q;
                if (rst) begin
                    sums_q   <= 1'b0;
                    stores_q <= 1'b0;
                end
            end

            assign held      = sums_q | stores_q;
            assign mem_en    = turn | stores_q;
            assign mem_we    = {4{stores_q}} | (strobes & {4{write}});
            assign mem_addr  = stores_q ? address_q : address;
            assign mem_wdata = stores_q ? sum_q : data;
        end else begin : no_adds
            wire unused = &{1'b0, add, mem_rdata};

            assign held      = 1'b0;
            assign mem_en    = turn;
            assign mem_we    = strobes & {4{write}};
            assign mem_addr  = address;
            assign mem_wdata = data;
        end
    endgenerate

endmodule

`default_nettype wire
