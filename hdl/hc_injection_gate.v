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
// A pause between messages may look like a silence. The frame that it ends is shorter than
// one before, though the quota has grown since. Then the quota does not grow, once; and if
// the next window is no silence either, that one was false: nothing is filled, and the
// first quota comes again.
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
    output wire                    misled,         // if the window ends: the silence before it was false
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
    wire                    fills = window_ends & armed_q & !stuck & !misled;
    wire                    much        = frame_q[LONG] | frame_q[LONG-1] & |frame_q[LONG-2:LONG-4];  // 4,608
    wire [10:7]             reached     = {|frame_q[LONG:10], |frame_q[LONG:9],
                                           |frame_q[LONG:8], |frame_q[LONG:7]};  // bit n: 2**n messages
    wire                    long_enough = much | raised & reached[10];  // 1,024
    wire                    brief       = ~|frame_q[LONG:6];            // less than 64
    wire                    middle      = !reached[9];                  // less than 512

    // Frames that are shorter than the last one after which the quota has grown. They are
    // neither late nor long enough, so late_q stays 0.
    reg  [10:7]             grown_q;    // what that one had reached; 0 if quotas have begun anew, or will
    reg                     shorter_q;  // the last frame was shorter
    reg                     held_q;     // and the quota did not grow after it
    wire                    shorter = |(grown_q & ~reached);
    wire                    holds   = shorter & !held_q;

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

    assign misled    = armed_q & shorter_q & !low;
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
            if (!holds) grown_q <= reached;
            shorter_q <= shorter;
            held_q    <= holds;
        end
        if (long_frame) begin
            frame_q <= {LONG + 1{1'b0}};
            late_q  <= 2'b01;
        end
        // In the cycle that tells a false silence grow_q is 0: it counts down in the first three of a window.
        if (long_frame | arms & (|late_q | long_enough) | window_ends & misled) begin
            grow_q  <= 2'd0;
            grown_q <= 4'b0000;
        end
        if (arms & holds) grow_q <= 2'd0;
        if (long_frame | arms & late_q[0] | window_ends & misled) quota_q <= {QUOTA_BITS - FIRST{1'b0}};

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
            grown_q     <= 4'b0000;
            shorter_q   <= 1'b0;
            held_q      <= 1'b0;
            earn_q      <= {COUNT_BITS{1'b0}};
            balance_q   <= {{BALANCE_BITS - FIRST{1'b0}}, {FIRST{1'b1}}};
        end
    end

endmodule

`default_nettype wire
