// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_link_credits: a link with many registers on the way, in one direction.
//
// A word travels through registers to a memory at the far end, which has a place for each credit of
// the near end. A word takes a credit when it crosses the near end. When it crosses the far end, its
// credit goes back through as many registers. There are 2 LATENCY + 1 credits, because a credit is
// back 2 LATENCY + 1 cycles after it was taken if the receiver is ready. So the link moves a word in
// every cycle.
//
// Latency: LATENCY cycles for a word, of which two are those of the memory, and LATENCY cycles for a
// credit. Backpressure: tready is a register, high while there is a credit. Size: a block RAM of at
// least 2 LATENCY + 1 words.
//
// Freedom from deadlock: the link keeps the order of words and waits for nothing but its receiver. A
// credit is a place of this memory, and not a slot of the router behind it.

`default_nettype none

module hc_link_credits #(
    parameter integer WIDTH   = 8,  // bits of a word, 1 or more
    parameter integer LATENCY = 3   // cycles in each direction, 3 or more
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             s_axis_tvalid,
    output wire             s_axis_tready,
    input  wire [WIDTH-1:0] s_axis_tdata,
    output wire             m_axis_tvalid,
    input  wire             m_axis_tready,
    output wire [WIDTH-1:0] m_axis_tdata
);

    generate
        if (LATENCY < 3) begin : illegal_latency
            hc_link_credits_LATENCY_must_be_3_or_more illegal ();
        end
    endgenerate

    localparam integer          PLACES       = 2 * LATENCY + 1;
    localparam integer          ADDRESS_BITS = $clog2(PLACES);
    localparam integer          TRAVEL       = LATENCY - 2;  // registers between the near end and the memory
    localparam [ADDRESS_BITS:0] ALL          = PLACES[ADDRESS_BITS:0];
    localparam [ADDRESS_BITS:0] ONE          = {{ADDRESS_BITS{1'b0}}, 1'b1};

    // The near end. The credit is counted as a negative number, so its sign is tready.
    reg  [ADDRESS_BITS:0] credit_q;
    wire                  take = s_axis_tvalid & s_axis_tready;  // a word crosses the near end
    wire                  back;                                  // a credit arrives
    wire [ADDRESS_BITS:0] change = back ? ~{ADDRESS_BITS + 1{1'b0}} : ONE;

    assign s_axis_tready = credit_q[ADDRESS_BITS];

    always @(posedge clk) begin
        if (take ^ back) credit_q <= credit_q + change;
        if (rst) credit_q <= -ALL;
    end

    // The way to the far end.
    wire arrives;

    hc_delay #(
        .WIDTH (1),
        .CYCLES(TRAVEL)
    ) valid (
        .clk  (clk),
        .rst  (rst),
        .value(take),
        .late (arrives)
    );

    (* shreg_extract = "no" *)  // as in hc_delay
    reg  [TRAVEL*WIDTH-1:0]     words_q;  // the latest word is lowest
    wire [(TRAVEL+1)*WIDTH-1:0] words = {words_q, s_axis_tdata};

    always @(posedge clk) words_q <= words[TRAVEL*WIDTH-1:0];

    // The memory, whose oldest word waits in the register with which it is read. The number of words
    // in it is never a multiple of its size, except 0.
    (* ram_style = "block" *)
    reg  [WIDTH-1:0]        memory [0:(1<<ADDRESS_BITS)-1];
    reg  [WIDTH-1:0]        word_q;
    reg                     full_q;  // word_q holds a word
    reg  [ADDRESS_BITS-1:0] write_q;
    reg  [ADDRESS_BITS-1:0] read_q;
    wire                    fetch = (write_q != read_q) & (!full_q | m_axis_tready);

    always @(posedge clk) begin
        if (arrives) memory[write_q] <= words[TRAVEL*WIDTH+:WIDTH];
        if (fetch) word_q <= memory[read_q];
    end

    always @(posedge clk) begin
        if (arrives) write_q <= write_q + 1'b1;
        if (fetch) read_q <= read_q + 1'b1;
        full_q <= fetch | (full_q & !m_axis_tready);
        if (rst) begin
            write_q <= {ADDRESS_BITS{1'b0}};
            read_q  <= {ADDRESS_BITS{1'b0}};
            full_q  <= 1'b0;
        end
    end

    assign m_axis_tvalid = full_q;
    assign m_axis_tdata  = word_q;

    // The way back.
    hc_delay #(
        .WIDTH (1),
        .CYCLES(LATENCY)
    ) credit (
        .clk  (clk),
        .rst  (rst),
        .value(m_axis_tvalid & m_axis_tready),
        .late (back)
    );

endmodule

`default_nettype wire
