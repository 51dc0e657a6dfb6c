// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_queue: a short first-in first-out queue whose head is an AXI4-Stream output.
//
// Latency: a written word is the head in the next cycle at the earliest.
// Backpressure: the writer looks at room, which is a register: a word that leaves
// in this cycle frees its slot for the next. Writing into a full queue loses the
// word.
//
// In a short queue the words move up towards slot 0, the head, when it leaves. A slot
// loads whenever it is empty or the words move, so no load enable waits for `write`.
// In a deep one they stay in a memory, from which a register for the head is loaded:
// that takes as many LUTs as a queue of 4 or 5 slots where there is block RAM.

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

    // Below that a synthesizer finds block RAM too large for the words, and a memory of
    // flip-flops is larger than slots that move.
    localparam integer DEEP = (DEPTH >= 8 && DEPTH * WIDTH >= 128) ? 1 : 0;

    reg  [DEPTH-1:0] level_q;  // bit n: more than n words

    genvar i;
    generate
        if (DEEP == 0) begin : moving
            reg [DEPTH*WIDTH-1:0] slots_q;  // slot 0 lowest

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

            assign m_axis_tdata = slots_q[WIDTH-1:0];
        end else begin : memory
            localparam integer PLACE_BITS = $clog2(DEPTH);

            // A power of two of places, so that the numbers of places begin anew by
            // themselves. The head has one, too, but is not read there.
            reg [WIDTH-1:0]      words [0:(1<<PLACE_BITS)-1];
            reg [PLACE_BITS-1:0] free_q;  // place of the word written next
            reg [PLACE_BITS-1:0] second_q;  // place of the word behind the head
            reg [WIDTH-1:0]      head_q;
            wire                 leave = level_q[0] & m_axis_tready;

            always @(posedge clk) begin
                words[free_q] <= write_data;  // for good only if `write`
                if (m_axis_tready | !level_q[0])
                    head_q <= level_q[1] ? words[second_q] : write_data;

                if (write) free_q <= free_q + 1'b1;
                if (leave) second_q <= second_q + 1'b1;
                if (rst) begin
                    free_q   <= {PLACE_BITS{1'b0}};
                    second_q <= {{PLACE_BITS - 1{1'b0}}, 1'b1};
                end
            end

            assign m_axis_tdata = head_q;
        end
    endgenerate

    // Written with AND and OR, so that write, which comes late, is no slow reset or enable. A
    // word that leaves has a level below; what is written goes on top.
    always @(posedge clk) begin
        level_q <= (m_axis_tready ? {1'b0, level_q[DEPTH-1:1]} : level_q) |
                   ({DEPTH{write}} & (m_axis_tready ? {level_q[DEPTH-1:1], 1'b1} : {level_q[DEPTH-2:0], 1'b1}));
        if (rst) level_q <= {DEPTH{1'b0}};
    end

    assign room          = !level_q[DEPTH-1];
    assign m_axis_tvalid = level_q[0];

endmodule

`default_nettype wire
