// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_prove_queue: what a link input with a queue of two slots is given and has to do.
//
// Nothing is assumed. Proved: it is ready when a slot is free; a malformed message leaves in
// its first cycle at the head, is counted once and copied nowhere; a well-formed one leaves
// as soon as all its copies are made, which with hc_prove_output says that it does not leave
// before; messages come to the head in their order and as they are.

`default_nettype none

module hc_prove_queue #(
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
    // Wires and registers of the design.
    input  wire [TARGETS-1:0]                   making,      // this copy is made in this cycle
    input  wire [TARGETS-1:0]                   ask,         // copies still to be made
    input  wire                                 accept,      // the head is well formed
    input  wire                                 odd,         // it is in the odd slot
    input  wire [2*BODY_BITS-1:0]               bodies,      // of the slots, the even one lowest
    input  wire [2*WC_BITS-1:0]                 weights,     // to go on with; with CONTINUES
    input  wire                                 waits,       // a message is behind the head
    input  wire                                 waits_accept,
    input  wire                                 waits_on,    // it goes on; with CONTINUES
    // The queue as it should be.
    output wire [1:0]                           full,        // the head, and what is behind it
    output reg  [WD_BITS+WC_BITS+BODY_BITS-1:0] head,
    output reg  [WD_BITS+WC_BITS+BODY_BITS-1:0] behind,
    output wire                                 asks,        // a head that is well formed
    output reg  [TARGETS-1:0]                   made,        // its copies that are made
    output wire                                 continues    // the head asks to continue
);

    reg  [1:0]         count;
    reg                dropped_q;

    wire [WC_BITS-1:0] wc          = head[BODY_BITS+:WC_BITS];
    wire [WC_BITS-1:0] behind_wc   = behind[BODY_BITS+:WC_BITS];
    wire               good        = head[BODY_BITS+WC_BITS+:WD_BITS] == DIMENSION && wc != 0 && wc <= LARGEST;
    wire               behind_good = behind[BODY_BITS+WC_BITS+:WD_BITS] == DIMENSION
                                     && behind_wc != 0 && behind_wc <= LARGEST;
    wire [TARGETS-1:0] wanted      = CONTINUES != 0 && wc <= 1 ? {TARGETS{1'b1}} >> 1 : {TARGETS{1'b1}};
    wire [TARGETS-1:0] now         = made | making;
    wire               comes       = tvalid && tready;
    wire               leaves      = full[0] && (!good || now == wanted);

    assign full = {count == 2, count != 0};
    assign asks = full[0] && good;

    always @(posedge clk) begin
        count     <= count + comes - leaves;
        dropped_q <= full[0] && !good && !rst;
        made      <= asks && !leaves ? now : {TARGETS{1'b0}};
        if (leaves) head <= behind;
        if (comes && (count == 0 || (count == 1 && leaves))) head <= tdata;
        if (comes && count == 1) behind <= tdata;
        if (rst) begin
            count <= 2'd0;
            made  <= {TARGETS{1'b0}};
        end
    end

    // Contract.
    always @* if (live) begin
        assert (tready == (count < 2));
        assert (header_error == dropped_q);
    end

    // Invariants: what the registers say of the head and of what is behind it.
    wire [TARGETS-1:0] asking = full[0] ? wanted & ~made : {TARGETS{1'b0}};
    always @* if (live) begin
        assert (count <= 2);
        assert (ask == asking);
        assert (waits == full[1]);
        assert (made == 0 || asks);
        if (full[0]) begin
            assert (accept == good);
            assert (bodies[odd*BODY_BITS+:BODY_BITS] == head[BODY_BITS-1:0]);
            assert ((made & ~wanted) == 0 && made != wanted);
        end
        if (full[1]) begin
            assert (waits_accept == behind_good);
            assert (bodies[!odd*BODY_BITS+:BODY_BITS] == behind[BODY_BITS-1:0]);
        end
    end
    generate
        if (CONTINUES != 0) begin : on
            assign continues = full[0] && wc > 1 && !made[TARGETS-1];
            always @* if (live) begin
                if (full[0]) assert (weights[odd*WC_BITS+:WC_BITS] == wc - 1'b1);
                if (full[1]) assert (weights[!odd*WC_BITS+:WC_BITS] == behind_wc - 1'b1);
                if (full[1]) assert (waits_on == (behind_wc > 1));
            end
        end else begin : ends
            assign continues = 1'b0;
        end
    endgenerate

    always @* cover (live && header_error && asks && tvalid && tready);
    always @* cover (live && full[1] && !tready);
    generate
        if (TARGETS > 1) begin : several
            always @* cover (live && made != 0 && leaves);
        end
    endgenerate

endmodule

`default_nettype wire
