// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_injection_gate: self-clocked injection.
//
// Every node hears every broadcast, so its own deliveries tell it its fair share.
// The balance gains 1 with every delivery, up to CAP, and owes COST with every
// injection; the gate opens while it is not negative, and stays open for a message
// that has asked. A lenient cycle forgives a debt, and a silence fills the balance up.
// A message that waits at the open gate for the whole window of its patience has
// delivery paused afterwards, which the whole network feels. Windows are those of
// hc_timer; that of a pause is not longer than that of the patience.
//
// Latency: handshakes count one cycle late, because they are the end of long paths;
// open and pause come from registers.

`default_nettype none

module hc_injection_gate #(
    parameter integer                    BALANCE_BITS = 9,   // two's complement, holds -2 COST .. CAP
    parameter         [BALANCE_BITS-1:0] COST         = 15,  // nodes - 1, 1 or more
    parameter         [BALANCE_BITS-1:0] CAP          = 128  // largest balance, a power of two
) (
    input  wire clk,
    input  wire rst,
    input  wire patience_ends,  // from hc_timer
    input  wire pause_ends,
    input  wire offered,        // the local input is valid
    input  wire injected,       // it completes a handshake
    input  wire delivered,      // the local output completes a handshake
    input  wire lenient,        // from hc_congestion
    input  wire silence,
    output reg  open,
    output reg  pause           // delivery must not take a message
);

`ifndef __ICARUS__
    generate
        if (CAP == {BALANCE_BITS{1'b0}} || |(CAP & (CAP - 1'b1))) begin : illegal_cap
            $error("hc_injection_gate: CAP must be a power of two");
        end
    endgenerate
`endif

    // What was seen in the cycle before.
    reg                     injected_q;
    reg                     delivered_q;
    reg                     waiting_q;

    // CAP is a power of two and the largest value, so a common one of the two
    // means that the cap is reached, unless the balance is negative.
    reg  [BALANCE_BITS-1:0] balance_q;
    wire                    negative = balance_q[BALANCE_BITS-1];
    wire                    earn     = delivered_q & (negative | ~|(balance_q & CAP));
    wire [BALANCE_BITS-1:0] change   = injected_q ? ~COST : {BALANCE_BITS{1'b0}};
    wire [BALANCE_BITS-1:0] sum      = balance_q + change + {{BALANCE_BITS - 1{1'b0}}, injected_q} +
                                       {{BALANCE_BITS - 1{1'b0}}, earn};

    wire                    owes     = sum[BALANCE_BITS-1] & !lenient & !silence;

    wire                    waiting  = offered & open & !injected;
    reg                     waited_q;  // in every cycle since the window began

    always @(posedge clk) begin
        injected_q  <= injected;
        delivered_q <= delivered;
        waiting_q   <= waiting;
        open        <= !owes | waiting;
        balance_q   <= sum;
        waited_q    <= waiting_q & (waited_q | patience_ends);
        if (pause_ends) pause <= waited_q & patience_ends;
        if (lenient & sum[BALANCE_BITS-1]) balance_q <= {BALANCE_BITS{1'b0}};
        if (silence) balance_q <= CAP;
        if (rst) begin
            injected_q  <= 1'b0;
            delivered_q <= 1'b0;
            waiting_q   <= 1'b0;
            open        <= 1'b1;
            balance_q   <= CAP;
            waited_q    <= 1'b0;
            pause       <= 1'b0;
        end
    end

endmodule

`default_nettype wire
