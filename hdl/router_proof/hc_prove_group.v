// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_prove_group: invariants of a group of a router. While some ports have taken a
// message and others have not, it is that of the source that stands first in the order
// of the arbiter; so no other can be selected before all have taken it.

`default_nettype none

module hc_prove_group #(
    parameter integer SOURCES = 1,
    parameter integer PORTS   = 1,
    parameter integer PAIRS   = 1   // of sources, but at least 1
) (
    input  wire               live,
    input  wire [SOURCES-1:0] waits,  // the message has been there in the cycle before
    input  wire [SOURCES-1:0] made,   // and is in the group no more
    input  wire               open,   // of the injection gate, for source 0
    input  wire [PORTS-1:0]   taken,  // registers of the design
    input  wire [PAIRS-1:0]   ahead,
    output wire [SOURCES-1:0] first   // the source stands first
);

    genvar i, j;
    generate
        for (i = 0; i < SOURCES; i = i + 1) begin : row
            wire [SOURCES-1:0] behind;
            for (j = 0; j < SOURCES; j = j + 1) begin : column
                if (j < i) begin : lower
                    assign behind[j] = !ahead[i*(i-1)/2+j];
                end else if (j == i) begin : self
                    assign behind[j] = 1'b1;
                end else begin : upper
                    assign behind[j] = ahead[j*(j-1)/2+i];
                end
            end
            assign first[i] = &behind;
        end
    endgenerate

    wire [SOURCES-1:0] asks = waits & ~made & ~(open ? {SOURCES{1'b0}} : {{SOURCES - 1{1'b0}}, 1'b1});

    always @* if (live) begin
        assert (taken == 0 || (first & asks) != 0);
        assert (taken != {PORTS{1'b1}});
    end

    generate
        if (PORTS > 1) begin : several
            always @* cover (live && taken != 0);
        end
    endgenerate

endmodule

`default_nettype wire
