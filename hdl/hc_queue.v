// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_queue: a short first-in first-out queue whose head is an AXI4-Stream output.
//
// Latency: a written word is the head in the next cycle at the earliest.
// Backpressure: the writer looks at room_one or room_two, which are registers: a
// word that leaves in this cycle frees its slot for the next. Writing into a full
// queue loses the word.
//
// The words move up towards slot 0, the head, when it leaves. A slot loads
// whenever it is empty or the words move, so no load enable waits for `write`.

`default_nettype none

module hc_queue #(
    parameter integer WIDTH = 8,  // bits of a word, 1 or more
    parameter integer DEPTH = 2   // slots, 2 or more
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             write,
    input  wire [WIDTH-1:0] write_data,
    output wire             room_one,  // a slot is free
    output wire             room_two,  // two slots are free
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

    reg  [DEPTH-1:0]       level_q;  // bit n: more than n words
    reg  [DEPTH*WIDTH-1:0] slots_q;  // slot 0 lowest
    wire                   leave = level_q[0] & m_axis_tready;

    genvar i;
    generate
        for (i = 0; i < DEPTH; i = i + 1) begin : slot
            if (i == DEPTH - 1) begin : last
                always @(posedge clk) if (!level_q[i]) slots_q[i*WIDTH+:WIDTH] <= write_data;
            end else begin : inner
                always @(posedge clk)
                    if (m_axis_tready | !level_q[i])
                        slots_q[i*WIDTH+:WIDTH] <=
                            level_q[i+1] ? slots_q[(i+1)*WIDTH+:WIDTH] : write_data;
            end
        end
    endgenerate

    always @(posedge clk) begin
        if (write & !leave) level_q <= {level_q[DEPTH-2:0], 1'b1};
        if (!write & leave) level_q <= {1'b0, level_q[DEPTH-1:1]};
        if (rst) level_q <= {DEPTH{1'b0}};
    end

    assign room_one      = !level_q[DEPTH-1];
    assign room_two      = !level_q[DEPTH-2];
    assign m_axis_tvalid = level_q[0];
    assign m_axis_tdata  = slots_q[WIDTH-1:0];

endmodule

`default_nettype wire
