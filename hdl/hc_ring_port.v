// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_ring_port: an output port of distance rho in a dimension with D >= 2. Its
// links form rings, on which messages continue.
//
// Latency: one cycle. Backpressure and freedom from deadlock: the bubble rule. A
// message that continues goes first, always, and needs one free slot. One that
// enters the ring needs two, so entering never takes the last free slot of a ring.

`default_nettype none

module hc_ring_port #(
    parameter integer ENTRANTS   = 1,  // messages that may enter the ring, 1 or more
    parameter integer FROM_GROUP = 1,  // 1 if entrant 0 is the group of the dimension, else 0
    parameter integer WIDTH      = 8,  // bits of wc, source id and payload
    parameter integer DEPTH      = 3   // slots of the queue, 2 or more; 3 enter at full rate
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

    wire                room_one;
    wire                room_two;
    wire [ENTRANTS-1:0] enter_select;
    wire [WIDTH-1:0]    enter_word;
    wire                enter_room = !continue_ask & room_two;
    wire                entered = enter_room & |(enter_select & enter_accept);

    hc_arbiter #(
        .REQUESTERS(ENTRANTS)
    ) arbiter (
        .clk      (clk),
        .rst      (rst),
        .request  (enter_ask),
        .completed(entered),
        .select   (enter_select)
    );

    hc_select #(
        .WORDS(ENTRANTS),
        .WIDTH(WIDTH)
    ) word_select (
        .select(enter_select),
        .words (enter_words),
        .word  (enter_word)
    );

    assign continue_made = continue_ask & room_one;
    // A group that enters alone looks at enter_made only while it asks; leaving
    // the request out keeps it off the longest path.
    generate
        if (ENTRANTS == 1 && FROM_GROUP != 0) begin : lone_group
            assign enter_made = enter_room;
        end else begin : selected
            assign enter_made = {ENTRANTS{enter_room}} & enter_select;
        end
    endgenerate

    hc_queue #(
        .WIDTH(WIDTH),
        .DEPTH(DEPTH)
    ) queue (
        .clk          (clk),
        .rst          (rst),
        .write        (continue_ask ? continue_accept & room_one : entered),
        .write_data   (continue_ask ? continue_word : enter_word),
        .room_one     (room_one),
        .room_two     (room_two),
        .m_axis_tvalid(m_axis_tvalid),
        .m_axis_tready(m_axis_tready),
        .m_axis_tdata (m_axis_tdata)
    );

endmodule

`default_nettype wire
