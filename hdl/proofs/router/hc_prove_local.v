// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_prove_local: proves the contract of the local input of a router.
//
// Assumed: the rule of AXI4-Stream that an offered message stays until it is taken. Proved: a
// message is taken as soon as all its copies are made; hc_prove_output proves that it is not taken
// earlier. A message requests only while the pace permits it, and from then on until it is taken.

`default_nettype none

module hc_prove_local #(
    parameter integer DIMENSIONS = 1,
    parameter integer DATA_BITS  = 6
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  live,
    input  wire                  tvalid,   // a message is offered; with destinations, its destination is legal
    input  wire                  tready,
    input  wire [DATA_BITS-1:0]  tdata,    // payload, and the destination if there is one
    input  wire [DIMENSIONS-1:0] targets,  // groups that the message is to be copied to
    input  wire                  open,     // the pace permits the message to request
    input  wire [DIMENSIONS-1:0] done,     // register of the design: copies made, or not to be made
    output reg                   waits,    // the message was valid in the previous cycle
    output wire [DIMENSIONS-1:0] request   // this copy of that message is still to be made
);

    reg [DATA_BITS-1:0] tdata_q;
    reg                 requested_q;  // that message could request

    always @(posedge clk) begin
        waits       <= tvalid && !tready && !rst;
        requested_q <= tvalid && !tready && open && !rst;
        tdata_q     <= tdata;
    end

    assign request = targets & ~done & {DIMENSIONS{waits}};

    always @* if (live && waits) assume (tvalid && tdata == tdata_q);

    // Contract.
    always @* if (live) begin
        assert (!tready || (tvalid && open));
        assert (!requested_q || open);
    end

    // Invariants.
    always @* if (live) begin
        assert (done == 0 || (waits && open));
        assert (!waits || request != 0);
    end

    always @* cover (live && waits && tready);

endmodule

`default_nettype wire
