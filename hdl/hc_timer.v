// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_timer: counts cycles since reset and tells which windows end with this one.
//
// A window of 2**n cycles ends every 2**n cycles. Those of standstill, silence and
// memory are 2**SCALE_BITS times as long per level; the memory has none at level 0.
//
// Latency: combinational from the level, which comes from registers.

`default_nettype none

module hc_timer #(
    parameter integer STANDSTILL_BITS = 3,   // 1 or more
    parameter integer SILENCE_BITS    = 5,   // STANDSTILL_BITS or more
    parameter integer MEMORY_BITS     = 11,  // more than SILENCE_BITS
    parameter integer SCALE_BITS      = 3,   // 1 or more
    parameter integer PAUSE_BITS      = 4,   // 1 or more
    parameter integer PATIENCE_BITS   = 7,   // more than PAUSE_BITS
    parameter integer BITS            = 20   // of the longest window, PATIENCE_BITS or MEMORY_BITS + 3 SCALE_BITS
) (
    input  wire       clk,
    input  wire       rst,
    input  wire [3:1] level,  // bit e: the level is e or more
    output wire       standstill_ends,
    output wire       silence_ends,
    output wire       memory_ends,
    output wire       pause_ends,
    output wire       patience_ends
);

`ifndef __ICARUS__
    generate
        if (STANDSTILL_BITS > SILENCE_BITS) begin : illegal_standstill
            $error("hc_timer: STANDSTILL_BITS must be SILENCE_BITS or less");
        end
        if (PATIENCE_BITS <= PAUSE_BITS) begin : illegal_patience
            $error("hc_timer: PATIENCE_BITS must be more than PAUSE_BITS");
        end
        if (SILENCE_BITS >= MEMORY_BITS) begin : illegal_silence
            $error("hc_timer: SILENCE_BITS must be less than MEMORY_BITS");
        end
        if (BITS < PATIENCE_BITS || BITS < MEMORY_BITS + 3 * SCALE_BITS) begin : illegal_bits
            $error("hc_timer: BITS must be those of the longest window");
        end
    endgenerate
`endif

    reg [BITS-1:0] count_q;

    always @(posedge clk) begin
        count_q <= count_q + 1'b1;
        if (rst) count_q <= {BITS{1'b0}};
    end

    // The bits of the shortest window of a kind, and for each level those that it is
    // longer by, where they count.
    wire [3:1] standstill_longer;
    wire [3:1] silence_longer;
    wire [3:2] memory_longer;

    genvar e;
    generate
        for (e = 1; e <= 3; e = e + 1) begin : raised
            assign standstill_longer[e] = &count_q[STANDSTILL_BITS+(e-1)*SCALE_BITS+:SCALE_BITS] | !level[e];
            assign silence_longer[e]    = &count_q[SILENCE_BITS+(e-1)*SCALE_BITS+:SCALE_BITS] | !level[e];
            if (e > 1) begin : again
                assign memory_longer[e] = &count_q[MEMORY_BITS+(e-1)*SCALE_BITS+:SCALE_BITS] | !level[e];
            end
        end
    endgenerate

    assign standstill_ends = &count_q[STANDSTILL_BITS-1:0] & (&standstill_longer);
    assign silence_ends    = &count_q[SILENCE_BITS-1:0] & (&silence_longer);
    assign memory_ends     = silence_ends & level[1] & (&memory_longer) &
                             (&count_q[MEMORY_BITS+SCALE_BITS-1:SILENCE_BITS+SCALE_BITS]);
    assign pause_ends      = &count_q[PAUSE_BITS-1:0];
    assign patience_ends   = pause_ends & (&count_q[PATIENCE_BITS-1:PAUSE_BITS]);

endmodule

`default_nettype wire
