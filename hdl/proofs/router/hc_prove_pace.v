// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_prove_pace: the neighbour clock of a router.
//
// Nothing is assumed of the paces of neighbours. Proved: the pace advances, the credit
// counts and the local input may ask as docs/architecture.md of hcgen says under "Pace".

`default_nettype none

module hc_prove_pace #(
    parameter integer LINKS       = 1,
    parameter integer REFILL      = 1,
    parameter integer CAP         = 2,
    parameter integer CREDIT_BITS = 2
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   live,
    input  wire [2*LINKS-1:0]     link_pace,
    input  wire                   offered,
    input  wire                   injected,
    input  wire                   held,     // by a ring port
    input  wire [1:0]             pace,
    output wire                   due,      // it is not done with its tick while it offers a message
    // A wire and registers of the design.
    input  wire                   open,
    input  wire [CREDIT_BITS-1:0] rest      // credit, less what was injected in the cycle before
);

    reg  [1:0] ticks;
    reg  [7:0] has;
    reg        injected_q;
    wire [7:0] left = has - injected_q;
    wire [7:0] more = left + REFILL;
    wire       done = !due || !offered;
    reg        behind;

    assign due = more > CAP;

    integer i;
    always @* begin
        behind = 1'b0;
        for (i = 0; i < LINKS; i = i + 1) if ((link_pace[2*i+:2] + 1) % 4 == ticks) behind = 1'b1;
    end

    always @(posedge clk) begin
        injected_q <= injected;
        has        <= left;
        if (done && !behind && !held) begin
            ticks <= ticks + 2'd1;
            has   <= more > CAP ? CAP : more;
        end
        if (rst) begin
            injected_q <= 1'b0;
            has        <= 8'd1;
            ticks      <= 2'd0;
        end
    end

    // Contract.
    always @* if (live) begin
        assert (pace == ticks);
        assert (open == (left != 0));
    end

    // Invariants.
    always @* if (live) begin
        assert (rest == left);
        assert (has <= CAP && (!injected_q || has != 0));
    end

    always @* cover (live && pace == 2'd2 && offered && !open && done && behind);

endmodule

`default_nettype wire
