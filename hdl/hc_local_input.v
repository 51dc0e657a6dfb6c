// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_local_input: takes the messages of the node itself, while the injection
// gate is open, and has them copied to the group of every dimension.
//
// Each copy is made whenever its group has room; a bit per group tells that it is still
// to be made and the gate is open, so that no more than that bit stands before an arbiter.
// Backpressure: tready is raised in the cycle of the last copy. Once open for a
// message the gate stays open until that message is taken.

`default_nettype none

module hc_local_input #(
    parameter integer GROUPS = 1  // number of dimensions, 1 or more
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              s_axis_tvalid,
    output wire              s_axis_tready,
    input  wire              open,       // of the injection gate
    input  wire              open_next,  // it will be in the next cycle
    output wire [GROUPS-1:0] ask,        // bit i: group of dimension i + 1
    input  wire [GROUPS-1:0] made        // this copy is made in this cycle
);

    wire [GROUPS-1:0] needed;  // copies still to be made; none while the gate is closed

    generate
        if (GROUPS == 1) begin : lone
            wire unused = &{1'b0, clk, rst, open_next};

            assign needed = open;
        end else begin : several
            reg  [GROUPS-1:0] needed_q;
            wire              waits = s_axis_tvalid & open & !s_axis_tready;

            always @(posedge clk) begin
                needed_q <= waits ? needed_q & ~made : {GROUPS{open_next}};
                if (rst) needed_q <= {GROUPS{1'b1}};
            end

            assign needed = needed_q;
        end
    endgenerate

    assign ask           = {GROUPS{s_axis_tvalid}} & needed;
    assign s_axis_tready = open & (&(~needed | made));

endmodule

`default_nettype wire
