// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_packets: reassembles packets. It receives the messages of several sources, and hands each
// packet to the receiver as a whole.
//
// In the merged deliveries of a node the packets of different sources alternate. The module stores
// the messages of each source in a queue. It hands out a packet after the last message of the
// packet has arrived. Packets are handed out in the order in which they became complete.
//
// Latency: two cycles from the last message of a packet to the first message on m_axis, which then
// has one message per cycle. Size: one block RAM of SOURCES * DEPTH words of WIDTH + 1 bits, where
// DEPTH is 2 ** DEPTH_BITS.
//
// Backpressure: tready is low while the queue of the source is full or PACKETS complete packets
// wait.
//
// Freedom from deadlock: a full queue always has a complete packet, so a receiver that keeps
// accepting never blocks the network. For this, a packet of more than DEPTH messages is handed out
// in parts of DEPTH messages, and packet_split is high for one cycle for each part that is cut off.

`default_nettype none

module hc_packets #(
    parameter integer SOURCES     = 2,  // number of sources, 1 to 2 ** SOURCE_BITS; source numbers are below it
    parameter integer SOURCE_BITS = 1,  // bits of a source number, 1 or more
    parameter integer DEPTH_BITS  = 4,  // each queue has 2 ** DEPTH_BITS messages; 1 or more
    parameter integer PACKETS     = 4,  // complete packets that can wait, 1 or more
    parameter integer WIDTH       = 8   // bits of the data of a message, 1 or more
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   s_axis_tvalid,
    output wire                   s_axis_tready,
    input  wire [SOURCE_BITS-1:0] s_axis_tid,    // source of the message
    input  wire                   s_axis_tlast,  // the message is the last of its packet
    input  wire [WIDTH-1:0]       s_axis_tdata,
    output wire                   m_axis_tvalid,
    input  wire                   m_axis_tready,
    output wire [SOURCE_BITS-1:0] m_axis_tid,    // source of the packet
    output wire                   m_axis_tlast,  // the message is the last of its packet, or of a part that was cut off
    output wire [WIDTH-1:0]       m_axis_tdata,
    output reg                    packet_split   // a part of a packet has been cut off
);

    generate
        if (SOURCES < 1 || SOURCES > 1 << SOURCE_BITS) begin : illegal_sources
            hc_packets_SOURCES_must_be_1_to_2_to_the_SOURCE_BITS illegal ();
        end
        if (DEPTH_BITS < 1) begin : illegal_depth
            hc_packets_DEPTH_BITS_must_be_1_or_more illegal ();
        end
        if (PACKETS < 1) begin : illegal_packets
            hc_packets_PACKETS_must_be_1_or_more illegal ();
        end
    endgenerate

    localparam integer COUNT_BITS = DEPTH_BITS + 1;

    reg  [WIDTH:0]                memory [0:(SOURCES<<DEPTH_BITS)-1];  // {last, data}
    reg  [SOURCES*COUNT_BITS-1:0] written_q;  // messages of each source, modulo 2 DEPTH
    reg  [SOURCES*COUNT_BITS-1:0] read_q;
    reg  [SOURCES*DEPTH_BITS-1:0] length_q;   // messages of each source that belong to an incomplete packet

    // The message on s_axis.
    wire [COUNT_BITS-1:0]  written = written_q[s_axis_tid*COUNT_BITS+:COUNT_BITS];
    wire [COUNT_BITS-1:0]  stored  = written - read_q[s_axis_tid*COUNT_BITS+:COUNT_BITS];
    wire [DEPTH_BITS-1:0]  length  = length_q[s_axis_tid*DEPTH_BITS+:DEPTH_BITS];
    wire                   ends    = s_axis_tlast | &length;
    wire                   take    = s_axis_tvalid & s_axis_tready;

    // The sources of the complete packets that wait, the first packet lowest.
    reg  [PACKETS-1:0]             waiting_q;  // bit n: more than n packets wait
    reg  [PACKETS*SOURCE_BITS-1:0] sources_q;
    wire                           push = take & ends;

    // The message on m_axis, and the next message.
    reg                    full_q;
    reg  [WIDTH:0]         word_q;
    reg  [SOURCE_BITS-1:0] source_q;
    reg                    begun_q;  // a packet has been handed out at least in part
    wire                   goes_on = begun_q & !word_q[WIDTH];  // and its last message has not been handed out
    wire [SOURCE_BITS-1:0] source = goes_on ? source_q : sources_q[SOURCE_BITS-1:0];
    wire [COUNT_BITS-1:0]  read   = read_q[source*COUNT_BITS+:COUNT_BITS];
    wire                   fetch  = (goes_on | waiting_q[0]) & (!full_q | m_axis_tready);
    wire                   pop    = fetch & !goes_on;

    assign s_axis_tready = !stored[DEPTH_BITS] & !waiting_q[PACKETS-1];

    always @(posedge clk) begin
        if (take) memory[{s_axis_tid, written[DEPTH_BITS-1:0]}] <= {ends, s_axis_tdata};
        if (fetch) word_q <= memory[{source, read[DEPTH_BITS-1:0]}];
    end

    always @(posedge clk) begin
        if (fetch) begin
            source_q <= source;
            begun_q  <= 1'b1;
        end
        full_q       <= fetch | (full_q & !m_axis_tready);
        packet_split <= take & ends & !s_axis_tlast;
        if (rst) begin
            begun_q      <= 1'b0;
            full_q       <= 1'b0;
            packet_split <= 1'b0;
        end
    end

    genvar n, i;
    generate
        for (i = 0; i < SOURCES; i = i + 1) begin : queue
            always @(posedge clk) begin
                if (take && s_axis_tid == i[SOURCE_BITS-1:0]) begin
                    written_q[i*COUNT_BITS+:COUNT_BITS] <= written + 1'b1;
                    length_q[i*DEPTH_BITS+:DEPTH_BITS]  <= ends ? {DEPTH_BITS{1'b0}} : length + 1'b1;
                end
                if (fetch && source == i[SOURCE_BITS-1:0]) read_q[i*COUNT_BITS+:COUNT_BITS] <= read + 1'b1;
                if (rst) begin
                    written_q[i*COUNT_BITS+:COUNT_BITS] <= {COUNT_BITS{1'b0}};
                    read_q[i*COUNT_BITS+:COUNT_BITS]    <= {COUNT_BITS{1'b0}};
                    length_q[i*DEPTH_BITS+:DEPTH_BITS]  <= {DEPTH_BITS{1'b0}};
                end
            end
        end
        for (n = 0; n < PACKETS; n = n + 1) begin : place
            wire                   above;  // more than n + 1 packets wait
            wire                   below;  // more than n - 1 packets wait
            wire [SOURCE_BITS-1:0] next;   // source of the packet behind this one
            wire                   free = pop ? !above : !waiting_q[n];  // after the pop
            if (n == PACKETS - 1) begin : highest
                assign above = 1'b0;
                assign next  = s_axis_tid;
            end else begin : lower
                assign above = waiting_q[n+1];
                assign next  = above ? sources_q[(n+1)*SOURCE_BITS+:SOURCE_BITS] : s_axis_tid;
            end
            if (n == 0) begin : first
                assign below = 1'b1;
            end else begin : later
                assign below = pop ? waiting_q[n] : waiting_q[n-1];
            end
            always @(posedge clk) begin
                if (pop | !waiting_q[n]) sources_q[n*SOURCE_BITS+:SOURCE_BITS] <= next;
                waiting_q[n] <= !free | (push & below);
                if (rst) waiting_q[n] <= 1'b0;
            end
        end
    endgenerate

    assign m_axis_tvalid = full_q;
    assign m_axis_tid    = source_q;
    assign m_axis_tlast  = word_q[WIDTH];
    assign m_axis_tdata  = word_q[WIDTH-1:0];

endmodule

`default_nettype wire
