// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_delay: shows a value of some cycles ago, as registers on the way of a wire do.
//
// Latency: CYCLES cycles. The value is 0 in the first CYCLES cycles after reset. There is no
// backpressure, and nothing waits.

`default_nettype none

module hc_delay #(
    parameter integer WIDTH  = 2,  // bits of the value, 1 or more
    parameter integer CYCLES = 1   // registers in series, 1 or more
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [WIDTH-1:0] value,
    output wire [WIDTH-1:0] late  // value, CYCLES cycles ago
);

    generate
        if (CYCLES < 1) begin : illegal_cycles
            hc_delay_CYCLES_must_be_1_or_more illegal ();
        end
    endgenerate

    // Vivado would put the registers into one shift register, which is no way across the chip.
    (* shreg_extract = "no" *)
    reg  [CYCLES*WIDTH-1:0]     values_q;  // the latest value is lowest
    wire [(CYCLES+1)*WIDTH-1:0] values = {values_q, value};

    always @(posedge clk) values_q <= rst ? {CYCLES * WIDTH{1'b0}} : values[CYCLES*WIDTH-1:0];

    assign late = values[CYCLES*WIDTH+:WIDTH];

endmodule

`default_nettype wire
