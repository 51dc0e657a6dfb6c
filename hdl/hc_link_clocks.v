// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_link_clocks: one direction of a link between nodes with clocks of their own, a queue with two clocks.
//
// The memory is written with s_clk and read with m_clk; its output register holds the word that is
// offered. Each side counts its words modulo twice the number of places, and sees the count of the other
// side late (hc_clock_crossing). A late count makes the queue look fuller to the writer and emptier to
// the reader than it is, never the other way round.
//
// Latency: a word is offered three edges of m_clk after the edge that ends its handshake, or four if the
// first stage of the crossing reads the old count. Throughput: a word per cycle of the slower clock.
//
// Backpressure: s_axis_tready and m_axis_tvalid are registers; a place is free again three or four edges
// of s_clk after its word went into the output register.
//
// Reset: either side may leave its reset first, after both have been in reset together for four cycles of
// the slower clock. Words that arrive while m_rst is still high wait in the memory.

`default_nettype none

module hc_link_clocks #(
    parameter integer WIDTH       = 1,  // bits of a word, 1 or more
    parameter integer PLACES_BITS = 4   // the memory has 2^PLACES_BITS places, 1 or more
) (
    input  wire             s_clk,
    input  wire             s_rst,          // synchronous to s_clk
    input  wire             s_axis_tvalid,
    output wire             s_axis_tready,
    input  wire [WIDTH-1:0] s_axis_tdata,
    input  wire             m_clk,
    input  wire             m_rst,          // synchronous to m_clk
    output wire             m_axis_tvalid,
    input  wire             m_axis_tready,
    output wire [WIDTH-1:0] m_axis_tdata
);

    generate
        if (WIDTH < 1) begin : illegal_width
            hc_link_clocks_WIDTH_must_be_1_or_more illegal ();
        end else if (PLACES_BITS < 1) begin : illegal_places_bits
            hc_link_clocks_PLACES_BITS_must_be_1_or_more illegal ();
        end
    endgenerate

    localparam integer    BITS = PLACES_BITS + 1;
    localparam [BITS-1:0] FULL = {1'b1, {PLACES_BITS{1'b0}}};

    // A word that is read was written cycles ago, hence no_rw_check.
    (* ram_style = "block", no_rw_check *) reg [WIDTH-1:0] memory[0:(1<<PLACES_BITS)-1];

    // The writer.
    reg             ready_q;
    reg  [BITS-1:0] write_q;                                        // words written
    wire            write  = s_axis_tvalid & ready_q;
    wire [BITS-1:0] writes = write_q + {{PLACES_BITS{1'b0}}, write};
    wire [BITS-1:0] reads_seen;                                     // words read, as the writer sees it

    always @(posedge s_clk) begin
        if (write) memory[write_q[PLACES_BITS-1:0]] <= s_axis_tdata;
        write_q <= writes;
        ready_q <= writes - reads_seen != FULL;
        if (s_rst) begin
            write_q <= {BITS{1'b0}};
            ready_q <= 1'b0;
        end
    end

    // The reader.
    reg              valid_q;
    reg  [WIDTH-1:0] data_q;                                        // the output register of the memory
    reg  [BITS-1:0]  read_q;                                        // words read
    wire [BITS-1:0]  writes_seen;                                   // words written, as the reader sees it
    wire             free  = !valid_q | m_axis_tready;
    wire             read  = read_q != writes_seen & free;
    wire [BITS-1:0]  reads = read_q + {{PLACES_BITS{1'b0}}, read};

    always @(posedge m_clk) begin
        if (read) data_q <= memory[read_q[PLACES_BITS-1:0]];
        read_q  <= reads;
        valid_q <= read | !free;
        if (m_rst) begin
            read_q  <= {BITS{1'b0}};
            valid_q <= 1'b0;
        end
    end

    hc_clock_crossing #(
        .WIDTH(BITS)
    ) write_crossing (
        .from_clk  (s_clk),
        .from_rst  (s_rst),
        .from_count(writes),
        .to_clk    (m_clk),
        .to_count  (writes_seen)
    );

    hc_clock_crossing #(
        .WIDTH(BITS)
    ) read_crossing (
        .from_clk  (m_clk),
        .from_rst  (m_rst),
        .from_count(reads),
        .to_clk    (s_clk),
        .to_count  (reads_seen)
    );

    assign s_axis_tready = ready_q;
    assign m_axis_tvalid = valid_q;
    assign m_axis_tdata  = data_q;

endmodule

`default_nettype wire
