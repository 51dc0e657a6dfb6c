// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_queue: a short first-in first-out queue whose head is an AXI4-Stream output.
//
// Latency: a written word is the head in the next cycle at the earliest.
// Backpressure: the writer looks at room, which is a register: a word that leaves
// in this cycle frees its slot for the next. Writing into a
// full queue loses the word.
//
// Words stay in the slot they are written to and the output selects the oldest.
// The slot that is written next takes whatever write_data holds, even without a
// write, so neither write nor m_axis_tready drives wide load enables.

`default_nettype none

module hc_queue #(
    parameter integer WIDTH = 8,  // bits of a word, 1 or more
    parameter integer DEPTH = 2   // slots, 2 or more
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             write,
    input  wire [WIDTH-1:0] write_data,
    output wire             room,  // a slot is free
    output wire             m_axis_tvalid,
    input  wire             m_axis_tready,
    output wire [WIDTH-1:0] m_axis_tdata
);

`ifndef __ICARUS__
    generate
        if (DEPTH < 2) begin : illegal_depth
            $error("hc_queue: DEPTH must be 2 or more");
        end
    endgenerate
`endif

    reg  [DEPTH-1:0]       level_q;    // bit n: more than n words
    reg  [DEPTH-1:0]       tail_q;     // one-hot: the slot that is written next
    reg  [DEPTH-1:0]       head_q;     // one-hot: the slot of the oldest word
    reg  [DEPTH*WIDTH-1:0] slots_q;
    wire                   leave = level_q[0] & m_axis_tready;

    genvar i;
    generate
        for (i = 0; i < DEPTH; i = i + 1) begin : slot
            always @(posedge clk)
                if (tail_q[i] & !level_q[DEPTH-1]) slots_q[i*WIDTH+:WIDTH] <= write_data;
        end
    endgenerate

    always @(posedge clk) begin
        if (write) tail_q <= {tail_q[DEPTH-2:0], tail_q[DEPTH-1]};
        if (leave) head_q <= {head_q[DEPTH-2:0], head_q[DEPTH-1]};
        if (write & !leave) level_q <= {level_q[DEPTH-2:0], 1'b1};
        if (!write & leave) level_q <= {1'b0, level_q[DEPTH-1:1]};
        if (rst) begin
            tail_q  <= {{DEPTH - 1{1'b0}}, 1'b1};
            head_q  <= {{DEPTH - 1{1'b0}}, 1'b1};
            level_q <= {DEPTH{1'b0}};
        end
    end

    hc_select #(
        .WORDS(DEPTH),
        .WIDTH(WIDTH)
    ) head_select (
        .select(head_q),
        .words (slots_q),
        .word  (m_axis_tdata)
    );

    assign room          = !level_q[DEPTH-1];
    assign m_axis_tvalid = level_q[0];

endmodule

`default_nettype wire
