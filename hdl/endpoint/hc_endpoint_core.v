// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_endpoint_core: the endpoint of a node, between its bus, its memory and the local streams of its router, see
// docs/endpoints.md. A bridge passes on the accesses of the bus, one at a time.
//
// Freedom from deadlock: every access ends if the network delivers what it accepts, because receiving never
// waits for sending. With TIMEOUT every access ends in any case.

`default_nettype none

module hc_endpoint_core #(
    parameter integer             NODES        = 4,   // nodes of the network, 2 or more
    parameter integer             NODE_BITS    = 2,   // bits of a node number, 1 to 31
    parameter integer             DIMENSIONS   = 2,   // dimensions of the network, 1 to 16
    parameter integer             DIGITS_BITS  = 2,   // bits of the digits of a node, 1 to 31
    parameter integer             DEST_BITS    = 4,   // bits of tdest: those of the digits, and one for each dimension
    parameter integer             ADDRESS_BITS = 12,  // bits of a byte address in the memory, 8 or more
    parameter integer             PAYLOAD_BITS = 47,  // bits of a message: its kind, strobes, word address and data
    parameter integer             GETS         = 0,   // 1: nodes can read the memories of others, which needs hc_endpoint_requests
    parameter integer             ADDS         = 1,   // 1: nodes can add to words
    parameter integer             TIMEOUT      = 0,   // cycles after which an access to others ends late, which needs hc_endpoint_late; 0: none does
    parameter [32*DIMENSIONS-1:0] RINGS        = {DIMENSIONS{32'h0001_0002}}  // {rho, m} of each dimension, dimension 1 lowest
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [NODE_BITS-1:0]    node_id,          // constant
    input  wire [DIGITS_BITS-1:0]  node_digits,      // constant
    input  wire [DEST_BITS-1:0]    own_dest,         // tdest of this node, constant
    input  wire                    access,           // an access is under way; all of it is held until it is done
    input  wire                    access_write,
    input  wire [1:0]              access_region,
    input  wire [ADDRESS_BITS-3:0] access_offset,    // in words
    input  wire [3:0]              access_strobes,
    input  wire [31:0]             access_data,
    input  wire [DEST_BITS-1:0]    access_dest,
    input  wire                    access_legal,     // every digit of the destination is legal
    input  wire                    access_same,      // the destination is this node
    input  wire                    access_set,       // the destination is a set of nodes
    input  wire                    access_zero,      // there is no destination: all its bits are 0
    output wire                    done,             // the access ends in this cycle
    output wire                    refused,          // with done: as a bus error
    output wire [31:0]             read_data,        // with done
    output wire                    irq,
    output wire                    mem_en,
    output wire [3:0]              mem_we,
    output wire [ADDRESS_BITS-3:0] mem_addr,
    output wire [31:0]             mem_wdata,
    input  wire [31:0]             mem_rdata,
    output wire                    m_axis_tvalid,
    input  wire                    m_axis_tready,
    output wire [PAYLOAD_BITS-1:0] m_axis_tdata,
    output wire [DEST_BITS-1:0]    m_axis_tdest,
    input  wire                    s_axis_tvalid,
    output wire                    s_axis_tready,
    input  wire [PAYLOAD_BITS-1:0] s_axis_tdata,
    output wire                    barrier_arrive,
    input  wire                    barrier_release,
    input  wire                    dropped,          // the router has dropped a message of this node
    input  wire                    linked            // messages can be sent; stays 1 until rst; 1 without TIMEOUT
);

    localparam integer KIND_BITS = GETS != 0 ? 2 : ADDS != 0 ? 1 : 0;

    generate
        if (NODES < 2) begin : illegal_nodes
            hc_endpoint_core_NODES_must_be_2_or_more illegal ();
        end
        if (ADDRESS_BITS < 8) begin : illegal_address_bits
            hc_endpoint_core_ADDRESS_BITS_must_be_8_or_more illegal ();
        end
        if (DEST_BITS != DIGITS_BITS + DIMENSIONS) begin : illegal_dest_bits
            hc_endpoint_core_DEST_BITS_must_be_the_sum_of_DIGITS_BITS_and_DIMENSIONS illegal ();
        end
        if (PAYLOAD_BITS != KIND_BITS + ADDRESS_BITS + 34) begin : illegal_payload_bits
            hc_endpoint_core_PAYLOAD_BITS_must_be_those_of_a_message illegal ();
        end
    endgenerate

    // The access of the own bus.
    wire        register_exists;
    wire        register_writable;
    wire        register_write;
    wire [31:0] register_data;
    wire        outside;
    wire        unsupported;
    wire        late;
    wire        own_doorbell;
    wire        own_request;
    wire        own_add;
    wire        own_turn;
    wire        reads_memory;
    wire        message_valid;
    wire        message_ready;

    // The message that the network delivers.
    wire                    delivered_request;
    wire                    delivered_add;
    wire                    delivered_turn;
    wire                    delivered_doorbell;
    wire                    get;
    wire                    reply;
    wire [3:0]              delivered_strobes;
    wire [ADDRESS_BITS-3:0] delivered_address;
    wire [31:0]             delivered_data;

    // The gets of other nodes.
    wire                    get_request;
    wire [ADDRESS_BITS-3:0] get_address;
    wire                    get_turn;
    wire                    reply_valid;
    wire                    reply_ready;
    wire [DEST_BITS-1:0]    reply_dest;
    wire [31:0]             reply_data;
    wire [15:0]             waiting_gets;

    wire [7:0] own_bells       = access_data[7:0] & {8{own_doorbell & access_strobes[0]}};
    wire [7:0] delivered_bells = delivered_data[7:0] & {8{delivered_doorbell & delivered_strobes[0]}};

    hc_endpoint_access #(
        .GETS   (GETS),
        .ADDS   (ADDS),
        .TIMEOUT(TIMEOUT)
    ) own (
        .clk              (clk),
        .rst              (rst),
        .access           (access),
        .access_write     (access_write),
        .access_region    (access_region),
        .access_strobes   (access_strobes),
        .access_legal     (access_legal),
        .access_same      (access_same),
        .access_set       (access_set),
        .access_zero      (access_zero),
        .offset_doorbell  (&access_offset),
        .register_exists  (register_exists),
        .register_writable(register_writable),
        .done             (done),
        .refused          (refused),
        .outside          (outside),
        .unsupported      (unsupported),
        .late             (late),
        .register_write   (register_write),
        .doorbell         (own_doorbell),
        .memory_request   (own_request),
        .memory_add       (own_add),
        .memory_turn      (own_turn),
        .reads_memory     (reads_memory),
        .message_valid    (message_valid),
        .message_ready    (message_ready),
        .reply            (reply)
    );

    // A read of another node ends with its reply, which is the only message that ends a read.
    assign read_data = reads_memory ? mem_rdata : access_region[1] ? delivered_data : register_data;

    hc_endpoint_receive #(
        .ADDRESS_BITS(ADDRESS_BITS),
        .PAYLOAD_BITS(PAYLOAD_BITS),
        .GETS        (GETS),
        .ADDS        (ADDS)
    ) receive (
        .s_axis_tvalid (s_axis_tvalid),
        .s_axis_tready (s_axis_tready),
        .s_axis_tdata  (s_axis_tdata),
        .memory_request(delivered_request),
        .memory_add    (delivered_add),
        .memory_turn   (delivered_turn),
        .doorbell      (delivered_doorbell),
        .get           (get),
        .reply         (reply),
        .strobes       (delivered_strobes),
        .address       (delivered_address),
        .data          (delivered_data)
    );

    hc_endpoint_memory #(
        .ADDRESS_BITS(ADDRESS_BITS),
        .ADDS        (ADDS)
    ) memory (
        .clk              (clk),
        .rst              (rst),
        .delivered_request(delivered_request),
        .delivered_add    (delivered_add),
        .delivered_strobes(delivered_strobes),
        .delivered_address(delivered_address),
        .delivered_data   (delivered_data),
        .delivered_turn   (delivered_turn),
        .get_request      (get_request),
        .get_address      (get_address),
        .get_turn         (get_turn),
        .own_request      (own_request),
        .own_add          (own_add),
        .own_write        (access_write),
        .own_strobes      (access_strobes),
        .own_address      (access_offset),
        .own_data         (access_data),
        .own_turn         (own_turn),
        .mem_en           (mem_en),
        .mem_we           (mem_we),
        .mem_addr         (mem_addr),
        .mem_wdata        (mem_wdata),
        .mem_rdata        (mem_rdata)
    );

    generate
        if (GETS != 0) begin : gets
            hc_endpoint_requests #(
                .NODES       (NODES),
                .DEST_BITS   (DEST_BITS),
                .ADDRESS_BITS(ADDRESS_BITS)
            ) requests (
                .clk           (clk),
                .rst           (rst),
                .get           (get),
                .get_address   (delivered_address),
                .get_dest      (delivered_data[DEST_BITS-1:0]),
                .memory_request(get_request),
                .memory_address(get_address),
                .memory_turn   (get_turn),
                .mem_rdata     (mem_rdata),
                .reply_valid   (reply_valid),
                .reply_ready   (reply_ready),
                .reply_dest    (reply_dest),
                .reply_data    (reply_data),
                .count         (waiting_gets)
            );
        end else begin : no_gets
            wire unused = &{1'b0, get, get_turn, reply_ready};

            assign get_request  = 1'b0;
            assign get_address  = {ADDRESS_BITS - 2{1'b0}};
            assign reply_valid  = 1'b0;
            assign reply_dest   = {DEST_BITS{1'b0}};
            assign reply_data   = 32'd0;
            assign waiting_gets = 16'd0;
        end
    endgenerate

    wire left;
    wire owed;

    hc_endpoint_send #(
        .DEST_BITS   (DEST_BITS),
        .ADDRESS_BITS(ADDRESS_BITS),
        .PAYLOAD_BITS(PAYLOAD_BITS),
        .TIMEOUT     (TIMEOUT)
    ) send (
        .clk            (clk),
        .rst            (rst),
        .own_dest       (own_dest),
        .linked         (linked),
        .late           (late),
        .reply          (reply),
        .left           (left),
        .owed           (owed),
        .message_valid  (message_valid),
        .message_ready  (message_ready),
        .message_dest   (access_dest),
        .message_add    (access_region[0]),
        .message_write  (access_write),
        .message_strobes(access_strobes),
        .message_address(access_offset),
        .message_data   (access_data),
        .reply_valid    (reply_valid),
        .reply_ready    (reply_ready),
        .reply_dest     (reply_dest),
        .reply_data     (reply_data),
        .m_axis_tvalid  (m_axis_tvalid),
        .m_axis_tready  (m_axis_tready),
        .m_axis_tdata   (m_axis_tdata),
        .m_axis_tdest   (m_axis_tdest)
    );

    hc_endpoint_registers #(
        .NODES       (NODES),
        .NODE_BITS   (NODE_BITS),
        .DIMENSIONS  (DIMENSIONS),
        .DIGITS_BITS (DIGITS_BITS),
        .ADDRESS_BITS(ADDRESS_BITS),
        .GETS        (GETS),
        .ADDS        (ADDS),
        .TIMEOUT     (TIMEOUT),
        .RINGS       (RINGS)
    ) registers (
        .clk            (clk),
        .rst            (rst),
        .node_id        (node_id),
        .node_digits    (node_digits),
        .offset         (access_offset),
        .exists         (register_exists),
        .writable       (register_writable),
        .read_data      (register_data),
        .write          (register_write),
        .write_data     (access_data),
        .doorbells      (own_bells | delivered_bells),
        .outside        (outside),
        .unsupported    (unsupported),
        .late           (late),
        .dropped        (dropped),
        .waiting_gets   (waiting_gets),
        .waiting_reply  (reply_valid),
        .left           (left),
        .owed           (owed),
        .unlinked       (!linked),
        .barrier_arrive (barrier_arrive),
        .barrier_release(barrier_release),
        .irq            (irq)
    );

endmodule

`default_nettype wire
