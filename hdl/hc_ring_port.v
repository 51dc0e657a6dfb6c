// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_ring_port: an output port of distance rho in a dimension with D >= 2. Its
// links form rings, on which messages continue.
//
// An output slot, which is the AXI4-Stream output, and a waiting slot for each
// class of messages: one for a message that continues and one for a message that
// enters the ring.
//
// Latency: one cycle. Backpressure: a message is taken if the waiting slot of its
// class is free, which is a register. Freedom from deadlock: the bubble rule. The
// output slot takes a message that enters only if nothing waits to continue or asks
// to, so the waiting slot of those, which is part of the ring, stays free.

`default_nettype none

module hc_ring_port #(
    parameter integer ENTRANTS   = 1,  // messages that may enter the ring, 1 or more
    parameter integer FROM_GROUP = 1,  // 1 if entrant 0 is the group of the dimension, else 0
    parameter integer WIDTH      = 8   // bits of wc, source id and payload
) (
    input  wire                      clk,
    input  wire                      rst,
    input  wire                      continue_ask,
    input  wire                      continue_accept,
    input  wire [WIDTH-1:0]          continue_word,
    output wire                      continue_made,  // does not look at continue_accept
    input  wire [ENTRANTS-1:0]       enter_ask,
    input  wire [ENTRANTS-1:0]       enter_accept,
    input  wire [ENTRANTS*WIDTH-1:0] enter_words,
    output wire [ENTRANTS-1:0]       enter_made,  // does not look at enter_accept
    output wire                      m_axis_tvalid,
    input  wire                      m_axis_tready,
    output wire [WIDTH-1:0]          m_axis_tdata
);

`ifndef __ICARUS__
    generate
        if (ENTRANTS < 1) begin : illegal_entrants
            $error("hc_ring_port: ENTRANTS must be 1 or more");
        end
    endgenerate
`endif

    reg                 output_full_q;
    reg                 continue_full_q;
    reg                 enter_full_q;
    reg  [WIDTH-1:0]    output_q;
    reg  [WIDTH-1:0]    continue_q;
    reg  [WIDTH-1:0]    enter_q;

    wire [ENTRANTS-1:0] enter_select;
    wire [ENTRANTS-1:0] enter_turn;
    wire [WIDTH-1:0]    enter_word;
    wire                entered = !enter_full_q & |(enter_select & enter_accept);

    hc_arbiter #(
        .REQUESTERS(ENTRANTS)
    ) arbiter (
        .clk      (clk),
        .rst      (rst),
        .request  (enter_ask),
        .completed(entered),
        .select   (enter_select),
        .turn     (enter_turn)
    );

    hc_choice #(
        .WORDS(ENTRANTS),
        .WIDTH(WIDTH)
    ) word_select (
        .request(enter_ask),
        .turn   (enter_turn),
        .select (enter_select),
        .words  (enter_words),
        .word   (enter_word)
    );

    assign continue_made = continue_ask & !continue_full_q;
    // A group that enters alone looks at enter_made only while it asks; leaving
    // the request out keeps it off the longest path.
    generate
        if (ENTRANTS == 1 && FROM_GROUP != 0) begin : lone_group
            assign enter_made = !enter_full_q;
        end else begin : selected
            assign enter_made = {ENTRANTS{!enter_full_q}} & enter_select;
        end
    endgenerate

    // What the output slot takes. Each bit is chosen in two LUTs of four inputs: if nothing
    // continues, `going_on` is free to carry which of the two that enter. The word that enters
    // comes last, because it has been through an arbiter.
    wire             load     = !output_full_q | m_axis_tready;
    wire             first    = continue_full_q | continue_ask;
    wire             waits    = first ? continue_full_q : enter_full_q;
    wire [WIDTH-1:0] going_on = waits ? {WIDTH{!first}} | continue_q : {WIDTH{first}} & continue_word;
    wire [WIDTH-1:0] chosen   = first ? going_on : (going_on & enter_q) | (~going_on & enter_word);

    wire             continues = continue_full_q | (continue_ask & continue_accept);
    wire             enters    = enter_full_q | entered;

    // The waiting slots follow what asks for as long as they are free.
    always @(posedge clk) begin
        if (load) output_q <= chosen;
        if (!continue_full_q) continue_q <= continue_word;
        if (!enter_full_q) enter_q <= enter_word;

        if (load) output_full_q <= first ? continues : enters;
        continue_full_q <= continues & !load;
        enter_full_q    <= enters & (first | !load);
        if (rst) begin
            output_full_q   <= 1'b0;
            continue_full_q <= 1'b0;
            enter_full_q    <= 1'b0;
        end
    end

    assign m_axis_tvalid = output_full_q;
    assign m_axis_tdata  = output_q;

endmodule

`default_nettype wire
