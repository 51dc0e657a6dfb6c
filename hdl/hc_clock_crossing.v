// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_clock_crossing: a count of one clock as another clock sees it, late but in order.
//
// The count goes up by at most 1 per cycle, modulo 2^WIDTH. In Gray code such a step changes one bit,
// also from the largest count to 0. launched_q holds the count in Gray code, so nothing but the outputs
// of registers crosses. An edge of the other clock near the change of a bit reads the old or the new
// count, and so a count that was true.
//
// first_q can be metastable after such an edge. It has a whole cycle to settle until second_q takes it.
// Both need no reset: three cycles after the reset of from_clk they hold 0.
//
// Latency: launched_q is from_count of the previous cycle. to_count follows it by two edges of to_clk, or
// by three if the first edge reads the old count.
//
// Constraints: the path from launched_q to first_q needs a delay, and a difference between the delays of
// its bits, below a cycle of from_clk. ASYNC_REG keeps the registers of a bit close together.

`default_nettype none

module hc_clock_crossing #(
    parameter integer WIDTH = 2  // bits of the count, 2 or more
) (
    input  wire             from_clk,
    input  wire             from_rst,    // synchronous to from_clk
    input  wire [WIDTH-1:0] from_count,
    input  wire             to_clk,
    output wire [WIDTH-1:0] to_count
);

    generate
        if (WIDTH < 2) begin : illegal_width
            hc_clock_crossing_WIDTH_must_be_2_or_more illegal ();
        end
    endgenerate

    reg [WIDTH-1:0] launched_q;
    (* ASYNC_REG = "TRUE" *) reg [WIDTH-1:0] first_q;
    (* ASYNC_REG = "TRUE" *) reg [WIDTH-1:0] second_q;

    always @(posedge from_clk) begin
        launched_q <= from_count ^ (from_count >> 1);
        if (from_rst) launched_q <= {WIDTH{1'b0}};
    end

`ifdef HC_METASTABILITY
    // In simulation, first_q takes the old or the new value of a bit that has changed within the last
    // HC_METASTABILITY units of time.
    reg  [WIDTH-1:0] before_q;
    reg  [31:0]      chance_q;
    reg  [63:0]      changed_q;
    wire [WIDTH-1:0] missed        = (launched_q ^ before_q) & chance_q[WIDTH-1:0];
    wire             unused_chance = ^chance_q;

    always @(posedge from_clk) begin
        before_q  <= launched_q;
        changed_q <= $time;
    end
    always @(posedge to_clk) begin
        chance_q <= $random;
        first_q  <= $time - changed_q <= `HC_METASTABILITY ? launched_q ^ missed : launched_q;
    end
`else
    always @(posedge to_clk) first_q <= launched_q;
`endif
    always @(posedge to_clk) second_q <= first_q;

    // Back to binary: bit i is the parity of the bits from i on.
    genvar i;
    generate
        for (i = 0; i < WIDTH; i = i + 1) begin : binary
            assign to_count[i] = ^second_q[WIDTH-1:i];
        end
    endgenerate

endmodule

`default_nettype wire
