// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_timer: counts cycles since reset and tells which windows end with this one.
//
// A window of 2**n cycles ends every 2**n cycles. Those of standstill and silence
// are 2**SCALE_BITS times as long per level; bit e of their outputs is for level e.
//
// Latency: from registers.

`default_nettype none

module hc_timer #(
    parameter integer STANDSTILL_BITS = 3,   // 1 or more
    parameter integer SILENCE_BITS    = 5,   // STANDSTILL_BITS or more
    parameter integer SCALE_BITS      = 3,   // 1 or more
    parameter integer PAUSE_BITS      = 4,   // 1 or more
    parameter integer PATIENCE_BITS   = 7,   // PAUSE_BITS or more
    parameter integer MEMORY_BITS     = 14   // the most of all
) (
    input  wire       clk,
    input  wire       rst,
    output wire [2:0] standstill_ends,
    output wire [2:0] silence_ends,
    output wire       pause_ends,
    output wire       patience_ends,
    output wire       memory_ends
);

`ifndef __ICARUS__
    generate
        if (STANDSTILL_BITS > SILENCE_BITS) begin : illegal_standstill
            $error("hc_timer: STANDSTILL_BITS must be SILENCE_BITS or less");
        end
        if (PATIENCE_BITS < PAUSE_BITS) begin : illegal_patience
            $error("hc_timer: PATIENCE_BITS must be PAUSE_BITS or more");
        end
        if (MEMORY_BITS < PATIENCE_BITS || MEMORY_BITS < SILENCE_BITS + 2 * SCALE_BITS) begin : illegal_memory
            $error("hc_timer: MEMORY_BITS must be the most of all");
        end
    endgenerate
`endif

    reg [MEMORY_BITS-1:0] count_q;

    always @(posedge clk) begin
        count_q <= count_q + 1'b1;
        if (rst) count_q <= {MEMORY_BITS{1'b0}};
    end

    genvar e;
    generate
        for (e = 0; e <= 2; e = e + 1) begin : level
            assign standstill_ends[e] = &count_q[STANDSTILL_BITS+e*SCALE_BITS-1:0];
            assign silence_ends[e]    = &count_q[SILENCE_BITS+e*SCALE_BITS-1:0];
        end
    endgenerate

    assign pause_ends    = &count_q[PAUSE_BITS-1:0];
    assign patience_ends = &count_q[PATIENCE_BITS-1:0];
    assign memory_ends   = &count_q;

endmodule

`default_nettype wire
