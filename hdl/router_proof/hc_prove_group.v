// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_prove_group: invariants of a group of a router. While some ports have taken a
// message and others have not, it is that of the source whose turn it is at the arbiter;
// so no other can be selected before all have taken it.

`default_nettype none

module hc_prove_group #(
    parameter integer SOURCES = 1,
    parameter integer PORTS   = 1,
    parameter integer TURNS   = 1   // bits of a turn: sources after the first, but at least 1
) (
    input  wire               live,
    input  wire [SOURCES-1:0] waits,  // the message has been there in the cycle before
    input  wire [SOURCES-1:0] made,   // and is in the group no more
    input  wire               open,   // of the injection gate, for source 0
    input  wire [PORTS-1:0]   taken,  // registers of the design
    input  wire [TURNS-1:0]   turn,    // bit i: it is the turn of source i + 1 or a lower one, not of 0
    output wire [SOURCES-1:0] first   // it is the turn of this source
);

    wire [TURNS:0]   reached = {turn, turn == 0};
    wire [TURNS-1:0] lower = ~turn;  // ones from bit 0 on
    assign first = reached[SOURCES-1:0] & ~(reached[SOURCES-1:0] << 1);

    wire [SOURCES-1:0] asks = waits & ~made & ~(open ? {SOURCES{1'b0}} : {{SOURCES - 1{1'b0}}, 1'b1});

    always @* if (live) begin
        assert (taken == 0 || (first & asks) != 0);
        assert (taken != {PORTS{1'b1}});
        assert (~|(lower & (lower + 1'b1)));
    end

    generate
        if (PORTS > 1) begin : several
            always @* cover (live && taken != 0);
        end
    endgenerate

endmodule

`default_nettype wire
