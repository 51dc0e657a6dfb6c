// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_prove_input: what a link input of a router is given and has to do.
//
// Assumed: AXI4-Stream, what is offered stays until it is taken. Proved: a malformed
// message is taken at once, counted once and copied nowhere; a well-formed one is
// taken as soon as all its copies are made, which with hc_prove_output says that it is
// not taken before.

`default_nettype none

module hc_prove_input #(
    parameter integer               WD_BITS   = 1,
    parameter integer               WC_BITS   = 1,
    parameter integer               BODY_BITS = 6,
    parameter         [WD_BITS-1:0] DIMENSION = 1,
    parameter         [WC_BITS-1:0] LARGEST   = 1,  // D of the dimension
    parameter integer               CONTINUES = 0,  // 1 if D >= 2, else 0
    parameter integer               TARGETS   = 1   // delivery, groups, continuation
) (
    input  wire                                 clk,
    input  wire                                 rst,
    input  wire                                 live,
    input  wire                                 tvalid,
    input  wire                                 tready,
    input  wire [WD_BITS+WC_BITS+BODY_BITS-1:0] tdata,
    input  wire                                 header_error,
    input  wire [TARGETS-1:0]                   made,      // register of the design: copies made
    output reg                                  waits,     // the message has been there in the cycle before
    output wire                                 continues  // it asks to continue
);

    wire [WD_BITS-1:0] wd   = tdata[BODY_BITS+WC_BITS+:WD_BITS];
    wire [WC_BITS-1:0] wc   = tdata[BODY_BITS+:WC_BITS];
    wire               good = wd == DIMENSION && wc != 0 && wc <= LARGEST;
    wire [TARGETS-1:0] wanted;
    reg  [WD_BITS+WC_BITS+BODY_BITS-1:0] tdata_q;
    reg                                  dropped_q;

    generate
        if (CONTINUES != 0) begin : on
            assign wanted    = {wc > 1, {TARGETS - 1{1'b1}}};
            assign continues = tvalid && wc > 1 && !made[TARGETS-1];
        end else begin : ends
            assign wanted    = {TARGETS{1'b1}};
            assign continues = 1'b0;
        end
    endgenerate

    always @(posedge clk) begin
        waits     <= tvalid && !tready && !rst;
        tdata_q   <= tdata;
        dropped_q <= tvalid && !good && !rst;
    end

    always @* if (live && waits) assume (tvalid && tdata == tdata_q);

    // Contract.
    always @* if (live) begin
        assert (header_error == dropped_q);
        assert (tvalid || !tready);
        if (tvalid && !good) assert (tready);
    end

    // Invariants.
    always @* if (live) begin
        assert (made == 0 || waits);
        assert ((made & ~wanted) == 0 || !waits);
        if (waits) begin
            assert (good);
            assert ((wanted & ~made) != 0);
        end
    end

    always @* cover (live && header_error && tvalid && tready && good);
    generate
        if (TARGETS > 1) begin : several
            always @* cover (live && waits && made != 0 && tready);
        end
    endgenerate

endmodule

`default_nettype wire
