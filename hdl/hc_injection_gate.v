// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_injection_gate: self-clocked injection.
//
// Every node hears every broadcast, so its own deliveries tell it its fair share.
// The balance gains 1 with every delivery, up to CAP, and pays COST with every
// injection; the gate opens while it is not negative, and stays open for a message
// that has asked. A lenient cycle forgives a
// debt, and a silence fills the balance up. A message that waits at the open gate
// for 2**PATIENCE_BITS cycles has delivery paused for 2**PAUSE_BITS cycles, which
// the whole network feels.
//
// Latency: handshakes count one cycle late, because they are the end of long paths;
// open and pause come from registers.

`default_nettype none

module hc_injection_gate #(
    parameter integer                    BALANCE_BITS  = 9,    // two's complement, holds -2 COST .. CAP
    parameter         [BALANCE_BITS-1:0] COST          = 15,   // nodes - 1, 1 or more
    parameter         [BALANCE_BITS-1:0] CAP           = 128,  // largest balance, a power of two
    parameter integer                    PATIENCE_BITS = 7,    // PAUSE_BITS or more
    parameter integer                    PAUSE_BITS    = 4     // 1 or more
) (
    input  wire clk,
    input  wire rst,
    input  wire offered,    // the local input is valid
    input  wire injected,   // it completes a handshake
    input  wire delivered,  // the local output completes a handshake
    input  wire lenient,    // from hc_congestion
    input  wire silence,
    output wire open,
    output wire pause       // delivery must not take a message
);

`ifndef __ICARUS__
    generate
        if (CAP == {BALANCE_BITS{1'b0}} || |(CAP & (CAP - 1'b1))) begin : illegal_cap
            $error("hc_injection_gate: CAP must be a power of two");
        end
        if (PATIENCE_BITS < PAUSE_BITS) begin : illegal_patience
            $error("hc_injection_gate: PATIENCE_BITS must be PAUSE_BITS or more");
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

    // Below 2**PATIENCE_BITS the count is the wait, from there on the pause.
    reg  [PATIENCE_BITS:0]  wait_q;
    wire                    counts = pause ? !(&wait_q[PAUSE_BITS-1:0]) : waiting_q;

    always @(posedge clk) begin
        injected_q  <= injected;
        delivered_q <= delivered;
        waiting_q   <= offered & open & !injected;
        balance_q   <= sum;
        wait_q      <= wait_q + 1'b1;
        if (lenient & sum[BALANCE_BITS-1]) balance_q <= {BALANCE_BITS{1'b0}};
        if (silence) balance_q <= CAP;
        if (!counts) wait_q <= {PATIENCE_BITS + 1{1'b0}};
        if (rst) begin
            injected_q  <= 1'b0;
            delivered_q <= 1'b0;
            waiting_q   <= 1'b0;
            balance_q   <= CAP;
            wait_q      <= {PATIENCE_BITS + 1{1'b0}};
        end
    end

    assign open  = !negative | waiting_q;
    assign pause = wait_q[PATIENCE_BITS];

endmodule

`default_nettype wire
