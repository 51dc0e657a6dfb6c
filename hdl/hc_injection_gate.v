// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_injection_gate: self-clocked injection.
//
// Every node hears every broadcast, so its own deliveries tell it its fair share.
// The balance gains 1 with every delivery, up to CAP, and pays COST with every
// injection; the gate is open while it is not negative. After 2**QUIET_BITS
// cycles without a delivery, and until the next one, the balance stays at CAP.
//
// Latency: open is a register.

`default_nettype none

module hc_injection_gate #(
    parameter integer                          BALANCE_BITS = 6,  // two's complement, holds -COST .. CAP
    parameter         [BALANCE_BITS-1:0]       COST         = 15, // nodes - 1, 1 or more
    parameter         [BALANCE_BITS-1:0]       CAP          = 16, // largest balance, a power of two
    parameter integer                          QUIET_BITS   = 5   // 1 or more
) (
    input  wire clk,
    input  wire rst,
    input  wire injected,   // the local input completed a handshake
    input  wire delivered,  // the local output completed a handshake
    output wire open
);

    reg [BALANCE_BITS-1:0] balance_q;
    reg [QUIET_BITS-1:0]   silence_q;  // cycles without a delivery
    reg                    quiet_q;

    // CAP is a power of two and the largest value, so a common one of the two
    // means that the cap is reached, unless the balance is negative.
    wire                    at_cap = !balance_q[BALANCE_BITS-1] & |(balance_q & CAP);
    wire [BALANCE_BITS-1:0] pay    = injected ? ~COST + 1'b1 : {BALANCE_BITS{1'b0}};
    wire [BALANCE_BITS-1:0] gain   = {{BALANCE_BITS - 1{1'b0}}, delivered & !at_cap};

    always @(posedge clk) begin
        balance_q <= balance_q + pay + gain;
        if (rst | quiet_q) balance_q <= CAP;

        if (rst | delivered) begin
            silence_q <= {QUIET_BITS{1'b0}};
            quiet_q   <= 1'b0;
        end else begin
            if (!(&silence_q)) silence_q <= silence_q + 1'b1;
            quiet_q <= &silence_q;
        end
    end

    assign open = !balance_q[BALANCE_BITS-1];

endmodule

`default_nettype wire
