// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_link_slices: a link with register slices on the way, in one direction.
//
// Each slice is a queue with two places. It is ready if it held fewer than two words at the start of
// the cycle, and offers its oldest word of the start of the cycle. tvalid, tdata and tready of each
// slice are registers. The link moves a word in every cycle, also behind backpressure.
//
// Latency: STAGES cycles. Backpressure: tready is low while both places of the first slice are
// taken; the link holds 2 STAGES words.
//
// Freedom from deadlock: the link keeps the order of words and waits for nothing but its receiver.

`default_nettype none

module hc_link_slices #(
    parameter integer WIDTH  = 8,  // bits of a word, 1 or more
    parameter integer STAGES = 1   // register slices in series, 1 or more
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
        if (STAGES < 1) begin : illegal_stages
            hc_link_slices_STAGES_must_be_1_or_more illegal ();
        end
    endgenerate

    // What the slices offer, the near end lowest.
    wire [STAGES:0]             valid;
    wire [STAGES:0]             ready;
    wire [(STAGES+1)*WIDTH-1:0] data;

    assign valid[0]        = s_axis_tvalid;
    assign data[WIDTH-1:0] = s_axis_tdata;
    assign ready[STAGES]   = m_axis_tready;

    genvar i;
    generate
        for (i = 0; i < STAGES; i = i + 1) begin : slice
            reg              full_q;   // it holds a word
            reg              ready_q;  // it holds fewer than two words
            reg  [WIDTH-1:0] head_q;   // the oldest word
            reg  [WIDTH-1:0] tail_q;   // the other word
            wire             arrives = valid[i] & ready_q;
            wire             stays   = full_q & !ready[i+1];  // the oldest word

            always @(posedge clk) begin
                if (!stays) head_q <= ready_q ? data[i*WIDTH+:WIDTH] : tail_q;
                if (ready_q) tail_q <= data[i*WIDTH+:WIDTH];
            end

            always @(posedge clk) begin
                full_q  <= stays | arrives | !ready_q;
                ready_q <= !(stays & (arrives | !ready_q));
                if (rst) begin
                    full_q  <= 1'b0;
                    ready_q <= 1'b1;
                end
            end

            assign ready[i]                 = ready_q;
            assign valid[i+1]               = full_q;
            assign data[(i+1)*WIDTH+:WIDTH] = head_q;
        end
    endgenerate

    assign s_axis_tready = ready[0];
    assign m_axis_tvalid = valid[STAGES];
    assign m_axis_tdata  = data[STAGES*WIDTH+:WIDTH];

endmodule

`default_nettype wire
