// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_injection_gate: self-clocked injection.
//
// Every node hears every broadcast, so its own deliveries tell it its fair share.
// The balance gains 1 with every delivery, up to CAP, and pays COST with every
// injection; the gate is open while it is not negative. A cycle in which no
// stream of the router but the local input is valid refills it to CAP, unless
// the network is held up: an output that was valid and not ready in every cycle
// of an epoch of 2**EPOCH_BITS cycles holds refills for 2**HOLD_BITS - 1 epochs.
//
// Latency: open is a register.

`default_nettype none

module hc_injection_gate #(
    parameter integer                    BALANCE_BITS = 6,   // two's complement, holds -COST .. CAP
    parameter         [BALANCE_BITS-1:0] COST         = 15,  // nodes - 1, 1 or more
    parameter         [BALANCE_BITS-1:0] CAP          = 16,  // largest balance, a power of two
    parameter integer                    EPOCH_BITS   = 5,   // 1 or more
    parameter integer                    HOLD_BITS    = 8,   // 1 or more
    parameter integer                    LINKS        = 4    // links of the router, 1 or more
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             injected,     // the local input completed a handshake
    input  wire [LINKS-1:0] link_arrive,  // a link input is valid
    input  wire [LINKS-1:0] link_valid,   // a link output is valid
    input  wire [LINKS-1:0] link_ready,
    input  wire             local_valid,  // the local output is valid
    input  wire             local_ready,
    output wire             open
);

`ifndef __ICARUS__
    generate
        if (CAP == {BALANCE_BITS{1'b0}} || |(CAP & (CAP - 1'b1))) begin : illegal_cap
            $error("hc_injection_gate: CAP must be a power of two");
        end
    endgenerate
`endif

    // Watch for outputs that do not move.
    reg  [EPOCH_BITS-1:0] epoch_q;      // cycle of the epoch
    reg  [LINKS:0]        still_q;      // not moved in the cycles of the epoch before this one
    reg  [HOLD_BITS-1:0]  hold_q;       // epochs for which refills are still held
    wire [LINKS:0]        still;        // not moved up to and with this cycle
    wire                  epoch_first = ~|epoch_q;
    wire                  epoch_last  = &epoch_q;

    assign still = (still_q | {LINKS + 1{epoch_first}}) &
                   {local_valid & !local_ready, link_valid & ~link_ready};

    always @(posedge clk) begin
        epoch_q <= epoch_q + 1'b1;
        still_q <= still;
        if (epoch_last) begin
            if (|still) hold_q <= {HOLD_BITS{1'b1}};
            else if (|hold_q) hold_q <= hold_q - 1'b1;
        end
        if (rst) begin
            epoch_q <= {EPOCH_BITS{1'b0}};
            hold_q  <= {HOLD_BITS{1'b0}};
        end
    end

    // The balance. CAP is a power of two and the largest value, so a common one
    // of the two means that the cap is reached, unless the balance is negative.
    reg  [BALANCE_BITS-1:0] balance_q;
    wire                    refill  = ~|hold_q & ~|link_arrive & ~|link_valid & !local_valid;
    wire                    at_cap  = !balance_q[BALANCE_BITS-1] & |(balance_q & CAP);
    wire                    earn    = local_valid & local_ready & !at_cap;
    wire [BALANCE_BITS-1:0] payment = injected ? ~COST + 1'b1 : {BALANCE_BITS{1'b0}};

    always @(posedge clk) begin
        balance_q <= balance_q + payment + {{BALANCE_BITS - 1{1'b0}}, earn};
        if (rst | refill) balance_q <= CAP;
    end

    assign open = !balance_q[BALANCE_BITS-1];

endmodule

`default_nettype wire
