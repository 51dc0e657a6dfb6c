// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_queue: a short first-in first-out queue whose head is an AXI4-Stream output.
//
// Latency: a written word is the head in the next cycle at the earliest.
// Backpressure: the writer looks at free_one or free_two, which are registers:
// a word that leaves in this cycle frees its slot for the next. Writing into a
// full queue loses the word.
//
// The words move up towards slot 0 as the head leaves. A slot loads whenever it
// is empty or the words move, so the load enables do not wait for `write`.

`default_nettype none

module hc_queue #(
    parameter integer WIDTH = 8,  // bits of a word, 1 or more
    parameter integer DEPTH = 2   // slots, 2 or more
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             write,
    input  wire [WIDTH-1:0] write_data,
    output wire             free_one,     // at least one slot is free
    output wire             free_two,     // at least two slots are free
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

    reg  [DEPTH-1:0]       valid_q;  // slots 0 .. n-1 hold the n words, 0 the oldest
    reg  [DEPTH*WIDTH-1:0] data_q;
    wire                   leave = valid_q[0] & m_axis_tready;

    genvar i;
    generate
        for (i = 0; i < DEPTH; i = i + 1) begin : slot
            wire below_valid;  // the slot before this one holds a word
            wire above_valid;  // the slot behind this one holds a word
            if (i == 0) begin : head
                assign below_valid = 1'b1;
            end else begin : tail
                assign below_valid = valid_q[i-1];
            end

            if (i == DEPTH - 1) begin : last
                assign above_valid = 1'b0;
                always @(posedge clk) if (!valid_q[i]) data_q[i*WIDTH+:WIDTH] <= write_data;
            end else begin : inner
                assign above_valid = valid_q[i+1];
                always @(posedge clk)
                    if (m_axis_tready | !valid_q[i])
                        data_q[i*WIDTH+:WIDTH] <=
                            above_valid ? data_q[(i+1)*WIDTH+:WIDTH] : write_data;
            end

            always @(posedge clk) begin
                if (leave) valid_q[i] <= above_valid | (write & valid_q[i]);
                else valid_q[i] <= valid_q[i] | (write & below_valid);
                if (rst) valid_q[i] <= 1'b0;
            end
        end
    endgenerate

    assign free_one      = !valid_q[DEPTH-1];
    assign free_two      = !valid_q[DEPTH-2];
    assign m_axis_tvalid = valid_q[0];
    assign m_axis_tdata  = data_q[WIDTH-1:0];

endmodule

`default_nettype wire
