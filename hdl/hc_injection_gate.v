// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_injection_gate: self-clocked injection.
//
// Every node hears every broadcast, so its own deliveries tell it its fair share. The
// balance gains 1 with every delivery and owes COST with every injection; the gate opens
// while it is not negative, and stays open for a message that has asked. A silence
// ends a frame, and one window later balances are filled up to the quota, unless that
// window is stuck: then it was a receiver that was silent. All nodes
// choose the same quota, by the number of messages that the frame had: larger ones
// after short frames, the same two times after a long frame, and then the first one again.
//
// What depends on the machine is constant since reset: constants of a generated router,
// and registers of one that is told its machine at run time.
//
// Latency: handshakes count one cycle late, because they are the end of long paths;
// open comes from a register.

`default_nettype none

module hc_injection_gate #(
    parameter integer QUOTA_BITS   = 15,             // the largest quota is at most 2**QUOTA_BITS
    parameter integer BALANCE_BITS = QUOTA_BITS + 5, // two's complement
    parameter integer COUNT_BITS   = 1               // bits of the most deliveries in a cycle
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [BALANCE_BITS-1:0] cost,           // nodes - 1, 1 or more
    input  wire [BALANCE_BITS-1:0] cap,            // what stays in a long frame, less 1: ones from bit 0 on
    input  wire [QUOTA_BITS-1:4]   largest,        // the largest quota less 1: ones from bit 0 on
    input  wire                    shortest_ends,  // from hc_timer
    input  wire                    window_ends,
    input  wire                    raised,         // from hc_congestion: the level is 1 or more
    input  wire                    low,            // never with stuck
    input  wire                    stuck,
    input  wire                    offered,        // the local input is valid
    input  wire                    injected,       // it completes a handshake
    input  wire [COUNT_BITS-1:0]   delivered,      // so many local outputs do
    output reg                     open,
    output wire                    open_next       // open, in the next cycle
);

    localparam integer FIRST = 4;   // the first quota is 2**FIRST
    localparam integer LONG  = 13;  // messages of a frame are below 2**(LONG + 1)

    // What was seen in the cycle before.
    reg                     injected_q;
    reg  [COUNT_BITS-1:0]   delivered_q;

    // The frame.
    reg                     begins_q;  // the shortest window begins
    reg                     armed_q;   // the last window ended a frame
    reg                     rests_q;   // it did, or filled the balance: then the next one ends none
    reg  [1:0]              late_q;    // one bit at most: the quota begins anew after this frame, or the next one
    reg  [LONG:0]           frame_q;   // messages
    wire                    long_frame = frame_q[LONG] & |frame_q[LONG-1:LONG-3] & begins_q;  // 9,216
    wire                    arms  = window_ends & low & !rests_q;
    wire                    fills = window_ends & armed_q & !stuck;
    wire                    much        = frame_q[LONG] | frame_q[LONG-1] & |frame_q[LONG-2:LONG-4];  // 4,608
    wire                    long_enough = much | raised & |frame_q[LONG:10];  // 1,024
    wire                    brief       = ~|frame_q[LONG:6];                  // less than 64
    wire                    middle      = ~|frame_q[LONG:9];                  // less than 512

    // The quota less 1 as ones from bit 0 on, but for those that are always there, and how
    // often it is still to be doubled.
    reg  [QUOTA_BITS-1:FIRST] quota_q;
    reg  [1:0]                grow_q;
    wire [QUOTA_BITS-1:0]     quota = {quota_q, {FIRST{1'b1}}};

    // The balance is 8 quotas or more if it has a one beyond the quota's, moved by 3.
    reg  [BALANCE_BITS-1:0] balance_q;
    wire                    rich     = !balance_q[BALANCE_BITS-1] &
                                       |(balance_q[QUOTA_BITS+3:FIRST+3] & {1'b1, ~quota_q});
    reg  [COUNT_BITS-1:0]   earn_q;   // of what was delivered in the cycle before
    wire [BALANCE_BITS-1:0] change   = injected_q ? -cost : {BALANCE_BITS{1'b0}};
    wire [BALANCE_BITS-1:0] sum      = balance_q + change + {{BALANCE_BITS - COUNT_BITS{1'b0}}, earn_q};
    wire                    owes     = sum[BALANCE_BITS-1];

    wire                    waiting  = offered & open & !injected;

    assign open_next = !owes | fills | waiting;

    always @(posedge clk) begin
        injected_q  <= injected;
        delivered_q <= delivered;
        open        <= open_next;

        begins_q    <= shortest_ends;
        frame_q     <= frame_q + {{LONG{1'b0}}, injected_q} + {{LONG + 1 - COUNT_BITS{1'b0}}, delivered_q};
        if (window_ends) armed_q <= arms;
        if (window_ends) rests_q <= arms | fills;
        if (|grow_q) begin
            grow_q  <= grow_q - 1'b1;
            quota_q <= {quota_q[QUOTA_BITS-2:FIRST], 1'b1} & largest;
        end
        if (arms) begin
            frame_q <= {LONG + 1{1'b0}};
            late_q  <= {long_enough & ~|late_q, late_q[1]};
            grow_q  <= brief ? 2'd3 : middle ? 2'd2 : 2'd1;
        end
        if (long_frame) begin
            frame_q <= {LONG + 1{1'b0}};
            late_q  <= 2'b01;
        end
        if (long_frame | arms & (|late_q | long_enough)) grow_q <= 2'd0;
        if (long_frame | arms & late_q[0]) quota_q <= {QUOTA_BITS - FIRST{1'b0}};

        earn_q    <= delivered & {COUNT_BITS{!rich}};
        balance_q <= sum;
        if (long_frame & !owes) balance_q <= sum & cap;
        if (fills) balance_q <= {{BALANCE_BITS - QUOTA_BITS{1'b0}}, quota} | (sum & {BALANCE_BITS{!owes}});

        if (rst) begin
            injected_q  <= 1'b0;
            delivered_q <= {COUNT_BITS{1'b0}};
            open        <= 1'b1;
            begins_q    <= 1'b0;
            armed_q     <= 1'b0;
            rests_q     <= 1'b0;
            late_q      <= 2'b00;
            frame_q     <= {LONG + 1{1'b0}};
            quota_q     <= {QUOTA_BITS - FIRST{1'b0}};
            grow_q      <= 2'd0;
            earn_q      <= {COUNT_BITS{1'b0}};
            balance_q   <= {{BALANCE_BITS - FIRST{1'b0}}, {FIRST{1'b1}}};
        end
    end

endmodule

`default_nettype wire
