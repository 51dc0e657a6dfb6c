// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_programmable_gate: hc_injection_gate, and what of hc_timer depends on the machine,
// for a machine that is known only at run time. It behaves like them in every cycle.
//
// Latency: handshakes count one cycle late, because they are the end of long paths;
// open and pause come from registers.

`default_nettype none

module hc_programmable_gate #(
    parameter integer COST_BITS     = 16,  // of the largest N - 1
    parameter integer CAP_BITS      = 7,   // the least cap is 2**CAP_BITS
    parameter integer PATIENCE_BITS = 6,   // the least patience is 2**PATIENCE_BITS cycles
    parameter integer PAUSE_BITS    = 4    // the least pause is 2**PAUSE_BITS, less than the patience by 4 times or more
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire [COST_BITS-1:0] cost,   // N - 1
    input  wire [COST_BITS-1:0] share,  // the power of two from N - 1 up, less 1
    input  wire [4:0]           steps,  // sum of all D
    input  wire                 offered,    // the local input is valid
    input  wire                 injected,   // it completes a handshake
    input  wire                 delivered,  // the local output completes a handshake
    input  wire                 lenient,    // from hc_congestion
    input  wire                 silence,
    output reg                  open,
    output reg                  pause       // delivery must not take a message
);

    // Wide enough for any machine: the balance is -2 COST .. CAP, CAP at most 2**LARGEST.
    localparam integer LARGEST      = COST_BITS > CAP_BITS ? COST_BITS : CAP_BITS;
    localparam integer BALANCE_BITS = LARGEST + 2;
    localparam integer TIMER_BITS   = COST_BITS + 3 > PATIENCE_BITS ? COST_BITS + 3 : PATIENCE_BITS;

    // N - 1 and the cap as balances, the cap being a power of two, and the patience
    // as ones where the timer counts.
    reg [BALANCE_BITS-1:0] owed;
    reg [BALANCE_BITS-1:0] cap;
    reg [TIMER_BITS-1:0]   patience;
    integer                i;
    always @* begin
        owed     = {BALANCE_BITS{1'b0}};
        cap      = {BALANCE_BITS{1'b0}};
        patience = {TIMER_BITS{1'b0}};
        for (i = 0; i < COST_BITS; i = i + 1) begin
            owed[i]       = cost[i];
            patience[i+3] = share[i];
        end
        for (i = 0; i < PATIENCE_BITS; i = i + 1) patience[i] = 1'b1;
        for (i = CAP_BITS; i <= LARGEST; i = i + 1)
            cap[i] = (i == CAP_BITS || share[i>COST_BITS ? COST_BITS-1 : i-1]) &&
                     (i >= COST_BITS || !share[i<COST_BITS ? i : 0]);
    end

    // The windows: 2**n cycles, n being the number of ones. The pause is the power of
    // two from twice the steps up.
    reg  [TIMER_BITS-1:0] count_q;
    wire                  patience_ends = &(count_q | ~patience);
    wire                  pause_ends    = &count_q[PAUSE_BITS-1:0] &
                                          (count_q[PAUSE_BITS] | steps <= 5'd8) &
                                          (count_q[PAUSE_BITS+1] | steps <= 5'd16);

    // What was seen in the cycle before.
    reg                     injected_q;
    reg                     delivered_q;
    reg                     waiting_q;

    // The cap is a power of two and the largest value, so a common one of the two
    // means that it is reached, unless the balance is negative.
    reg  [BALANCE_BITS-1:0] balance_q;
    wire                    negative = balance_q[BALANCE_BITS-1];
    wire                    earn     = delivered_q & (negative | ~|(balance_q & cap));
    wire [BALANCE_BITS-1:0] change   = ~owed & {BALANCE_BITS{injected_q}};
    wire [BALANCE_BITS-1:0] sum      = balance_q + change + {{BALANCE_BITS - 1{1'b0}}, injected_q} +
                                       {{BALANCE_BITS - 1{1'b0}}, earn};

    wire                    owes     = sum[BALANCE_BITS-1] & !lenient & !silence;

    wire                    waiting  = offered & open & !injected;
    reg                     waited_q;  // in every cycle since the window began

    always @(posedge clk) begin
        count_q     <= count_q + 1'b1;
        injected_q  <= injected;
        delivered_q <= delivered;
        waiting_q   <= waiting;
        open        <= !owes | waiting;
        balance_q   <= sum;
        waited_q    <= waiting_q & (waited_q | patience_ends);
        if (pause_ends) pause <= waited_q & patience_ends;
        if (lenient & sum[BALANCE_BITS-1]) balance_q <= {BALANCE_BITS{1'b0}};
        if (silence) balance_q <= cap;
        if (rst) begin
            count_q     <= {TIMER_BITS{1'b0}};
            injected_q  <= 1'b0;
            delivered_q <= 1'b0;
            waiting_q   <= 1'b0;
            open        <= 1'b1;
            balance_q   <= cap;
            waited_q    <= 1'b0;
            pause       <= 1'b0;
        end
    end

endmodule

`default_nettype wire
