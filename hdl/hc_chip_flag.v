// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chip_flag: a bit of one clock as another clock sees it, late.
//
// from_flag is the output of a register, so that it has no glitches. first_q can be metastable after an
// edge near a change. It has a whole cycle to settle until second_q takes it.
//
// Latency: two edges of to_clk, or three if the first edge reads the old value.
//
// Constraints: none but that the path to first_q needs no setup. ASYNC_REG keeps both registers close.

`default_nettype none

module hc_chip_flag (
    input  wire from_flag,
    input  wire to_clk,
    output wire to_flag
);

    (* ASYNC_REG = "TRUE" *) reg first_q;
    (* ASYNC_REG = "TRUE" *) reg second_q;

    always @(posedge to_clk) begin
        first_q  <= from_flag;
        second_q <= first_q;
    end

    assign to_flag = second_q;

endmodule

`default_nettype wire
