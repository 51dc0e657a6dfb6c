// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_programmable_port: an output port that is known only at run time to be a ring port
// or one that messages only enter. With its hc_ring_slots it behaves like hc_ring_port
// or hc_entry_port in every cycle: on a port on which nothing continues, the output slot
// and the waiting slot are a queue of two.
//
// The output slot, the waiting slot of the group, and whether the waiting slots are full.
// What comes from links waits in the hc_ring_slot of its link, so that one word per cycle
// is brought to the port.
//
// Latency: one cycle.

`default_nettype none

module hc_programmable_port #(
    parameter integer WC_BITS   = 3,  // bits of wc
    parameter integer BODY_BITS = 8   // bits of source id and payload
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire                         continue_ask,      // a message asks to continue here
    input  wire                         continue_accept,   // it does, and is well formed
    input  wire                         transfer_accept,   // the first of another distance that asks is
    input  wire [WC_BITS+BODY_BITS-1:0] ring_word,         // what the output slot takes if not from the group
    input  wire                         group_select,      // the group enters, if the waiting slot is free
    input  wire                         group_accept,
    input  wire [WC_BITS-1:0]           group_weight,
    input  wire [BODY_BITS-1:0]         group_body,
    output reg                          continue_full_q,   // the waiting slot of what continues is full
    output reg                          enter_full_q,      // that of what enters is
    output wire                         m_axis_tvalid,
    input  wire                         m_axis_tready,
    output wire [WC_BITS+BODY_BITS-1:0] m_axis_tdata
);

    reg                          output_full_q;
    reg                          from_group_q;  // what waits to enter is of the group
    reg  [WC_BITS+BODY_BITS-1:0] output_q;
    reg  [BODY_BITS-1:0]         group_q;

    wire load      = !output_full_q | m_axis_tready;
    wire first     = continue_full_q | continue_ask;
    wire continues = continue_full_q | continue_accept;
    wire enters    = enter_full_q | (group_select ? group_accept : transfer_accept);

    // What the output slot takes from the group, if it takes it from there.
    wire                 from_group = !first & (enter_full_q ? from_group_q : group_select);
    wire [BODY_BITS-1:0] body       = enter_full_q ? group_q : group_body;

    always @(posedge clk) begin
        if (load) output_q <= from_group ? {group_weight, body} : ring_word;
        if (!enter_full_q) begin
            group_q      <= group_body;
            from_group_q <= group_select;
        end
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
