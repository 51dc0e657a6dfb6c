// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_local_input: accepts the messages of the node while the pace permits it, and copies each
// message to the group of every dimension.
//
// Each copy is made when its group takes it; a bit per group records this. Latency: none.
// Backpressure: tready is high in the cycle of the last copy. `open` must stay high until the
// message is accepted.
//
// Freedom from deadlock: each group must complete independently of the other groups.

`default_nettype none

module hc_local_input #(
    parameter integer DIMENSIONS = 1  // number of dimensions, 1 or more
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  s_axis_tvalid,
    output wire                  s_axis_tready,
    input  wire                  open,     // the pace permits the message to request groups, see hc_pace
    output wire [DIMENSIONS-1:0] request,  // bit i: the message requests the group of dimension i + 1
    input  wire [DIMENSIONS-1:0] grant     // the group takes this copy in this cycle; high only while it is requested
);

    generate
        if (DIMENSIONS == 1) begin : lone
            wire unused = &{1'b0, clk, rst};

            assign request       = s_axis_tvalid & open;
            assign s_axis_tready = grant;
        end else begin : several
            reg [DIMENSIONS-1:0] done_q;  // copies made in earlier cycles

            assign request       = {DIMENSIONS{s_axis_tvalid & open}} & ~done_q;
            assign s_axis_tready = &(done_q | grant);

            always @(posedge clk) begin
                done_q <= (done_q | grant) & {DIMENSIONS{!s_axis_tready}};
                if (rst) done_q <= {DIMENSIONS{1'b0}};
            end
        end
    endgenerate

endmodule

`default_nettype wire
