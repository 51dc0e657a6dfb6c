// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_prove_local: what the local input of a router is given and has to do.
//
// Assumed: AXI4-Stream, what is offered stays until it is taken. Proved: a message is
// taken as soon as all its copies are made, which with hc_prove_output says that it is
// not taken before; the gate does not close before.

`default_nettype none

module hc_prove_local #(
    parameter integer GROUPS    = 1,
    parameter integer BODY_BITS = 6
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire                 live,
    input  wire                 tvalid,
    input  wire                 tready,
    input  wire [BODY_BITS-1:0] tdata,
    input  wire                 open,   // wire of the design: the gate
    input  wire [GROUPS-1:0]    needed, // wire of the design: copies still to be made, if the gate is open
    output wire [GROUPS-1:0]    made,   // copies made
    output reg                  waits   // the message has been there in the cycle before
);

    assign made = ~needed & {GROUPS{open}};

    reg [BODY_BITS-1:0] tdata_q;
    reg                 asked_q;  // and was let through

    always @(posedge clk) begin
        waits   <= tvalid && !tready && !rst;
        asked_q <= tvalid && !tready && open && !rst;
        tdata_q <= tdata;
    end

    always @* if (live && waits) assume (tvalid && tdata == tdata_q);

    // Contract.
    always @* if (live) begin
        if (tready) assert (tvalid && open);
        if (asked_q) assert (open);
    end

    // Invariants.
    always @* if (live) begin
        assert (made == 0 || (waits && open));
        assert (open ? needed != 0 : needed == 0);
        assert (!asked_q || waits);
    end

    always @* cover (live && waits && tready);

endmodule

`default_nettype wire
