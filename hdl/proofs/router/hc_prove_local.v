// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_prove_local: what the local input of a router is given and has to do.
//
// Assumed: AXI4-Stream, what is offered stays until it is taken. Proved: a message is
// taken as soon as all its copies are made, which with hc_prove_output says that it is
// not taken before; it asks only while the pace lets it, and then until it is taken.

`default_nettype none

module hc_prove_local #(
    parameter integer GROUPS    = 1,
    parameter integer DATA_BITS = 6
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire                 live,
    input  wire                 tvalid,   // with a destination: one that is legal
    input  wire                 tready,
    input  wire [DATA_BITS-1:0] tdata,    // with the destination
    input  wire [GROUPS-1:0]    targets,  // groups it is to be copied to
    input  wire                 open,     // the pace lets it ask
    input  wire [GROUPS-1:0]    made,     // register of the design: copies made, or not to be made
    output reg                  waits,    // the message has been there in the cycle before
    output wire [GROUPS-1:0]    asks      // and this copy of it is still to be made
);

    reg [DATA_BITS-1:0] tdata_q;
    reg                 asked_q;  // and could ask

    always @(posedge clk) begin
        waits   <= tvalid && !tready && !rst;
        asked_q <= tvalid && !tready && open && !rst;
        tdata_q <= tdata;
    end

    assign asks = targets & ~made & {GROUPS{waits}};

    always @* if (live && waits) assume (tvalid && tdata == tdata_q);

    // Contract.
    always @* if (live) begin
        assert (!tready || (tvalid && open));
        assert (!asked_q || open);
    end

    // Invariants.
    always @* if (live) begin
        assert (made == 0 || (waits && open));
        assert (!waits || asks != 0);
    end

    always @* cover (live && waits && tready);

endmodule

`default_nettype wire
