// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_congestion: tells from the streams of its router how congested the network is,
// and when it has fallen silent.
//
// A window in which next to no messages come is a silence, unless an output stands still,
// valid and not ready: then a receiver holds the messages back. A window of few messages is
// slow if an output stood still, or if any came at a level above 0. The level, 0 to 4, rises by
// one with the second slow window in a row, level 0 with the window after it, if that has few
// messages and is no silence, or when a silence turns out to be false. It falls by one with a
// window of many, from 1 with fewer if no output stood still, and to 0 when nothing has stood
// still for long. Windows are those of hc_timer.
//
// A window is stuck if an output stood still and fewer messages came than one in every
// other cycle of a window of level 0. As many after a silence tell that it was one: a node
// whose balance has been filled before those of others sends alone, as fast as it can, and
// its messages may block each other.
//
// Latency: handshakes count one cycle late, because they are the end of long paths.

`default_nettype none

module hc_congestion #(
    parameter integer LINKS      = 4,                  // links of the router, 1 or more
    parameter integer LOCALS     = 1,                  // local outputs, 1 or more
    parameter integer COUNT_BITS = $clog2(LOCALS + 1)  // derived
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  longer,         // windows of levels above 0 are, as hc_timer's
    input  wire [7:4]            window,         // of level 0, as hc_timer's; both constant since reset
    input  wire                  shortest_ends,  // from hc_timer
    input  wire                  window_ends,
    input  wire                  memory_ends,
    input  wire [LINKS-1:0]      link_valid,     // a link output is valid
    input  wire [LINKS-1:0]      link_ready,
    input  wire [LOCALS-1:0]     local_valid,    // a local output is valid
    input  wire [LOCALS-1:0]     local_ready,
    input  wire                  injected,       // the local input completes a handshake
    input  wire [COUNT_BITS-1:0] delivered,      // so many local outputs do
    input  wire                  misled,         // if the window ends: the silence before it was false
    output reg  [4:1]            level,          // bit e: the level is e or more
    output wire                  low,            // if the window ends: it was a silence
    output wire                  stuck           // if the window ends: it was stuck
);

    // Messages are counted in halves if windows are not longer. Few of them are below 16,
    // many 128 or more, at level 1 112; twice as many in longer windows. At level 0 few are
    // below three quarters of one in each cycle of the window, next to none below a quarter
    // of few, but below 2 in a window of 16 cycles.
    localparam integer FEW  = 5;
    localparam integer MANY = 8;

    localparam integer OUTPUTS = LOCALS + LINKS;

    // What was seen in the cycle before.
    reg                  injected_q;
    reg [COUNT_BITS-1:0] delivered_q;
    reg                  free_q;  // nothing blocked

    // What has been so since the last window's end.
    reg  [OUTPUTS-1:0] still_q;  // outputs that have been blocked, in the shortest window
    reg                stood_q;  // there has been a standstill, in that of the level
    reg                steady_q; // there has been none, in that of the memory
    reg  [MANY:0]      heard_q;  // messages, up to many
    reg                few_q;    // few messages, told a cycle ahead
    reg                calm_q;   // none, or at level 0 next to none, and no standstill; likewise
    reg                sparse_q; // stuck, if an output stood still; likewise
    reg                slow_q;   // the last window of the level was slow
    reg                doubt_q;  // the last two were, the last at level 0

    wire [MANY:0]      heard = heard_q + {{MANY - 1{1'b0}}, injected_q & !longer, injected_q & longer} +
                               {{MANY - COUNT_BITS{1'b0}}, longer ? {1'b0, delivered_q} : {delivered_q, 1'b0}};

    wire [MANY:0]      span = {1'b0, window, 4'b1111};  // one in each cycle, less 1
    wire               shortest = longer ? !window[4] : !window[5];  // 16 cycles

    wire [OUTPUTS-1:0] blocked = {local_valid & ~local_ready, link_valid & ~link_ready};
    wire               still = |still_q;
    wire               standstill = shortest_ends & still;
    wire               begins = shortest_ends & !still;
    wire               stood = stood_q | standstill;

    // The end of a window of the level is one of the shortest too.
    wire               held_up = stood_q | still;
    wire               slow = few_q & (held_up | level[1] & !calm_q);
    wire               rises = window_ends & (level[1] ? slow & slow_q : few_q & doubt_q & !low | misled);
    wire               falls = window_ends & (heard_q[MANY] | &heard_q[MANY-1:MANY-3] & !level[2] & !held_up);
    wire               forgets = memory_ends & steady_q & !standstill;

    // Whether a number is below three quarters of 2**n, which is one more than `ones`.
    function below;
        input [MANY:0] number;
        input [MANY:0] ones;
        below = ~|(number & ~ones) &
                !(|(number & ones & ~(ones >> 1)) & |(number & (ones >> 1) & ~(ones >> 2)));
    endfunction

    wire next_to_none = below(heard, span >> 2) & !(shortest & |(heard & ~(span >> 3)));

    // If nothing was blocked in the cycle before, nothing stands still.
    assign low   = free_q & calm_q;
    assign stuck = sparse_q & held_up;

    always @(posedge clk) begin
        injected_q  <= injected;
        delivered_q <= delivered;
        free_q      <= ~|blocked;
        still_q     <= blocked & (still_q | {OUTPUTS{begins}});
        stood_q     <= stood;
        steady_q    <= steady_q & !standstill | memory_ends;
        if (!heard_q[MANY]) heard_q <= heard;
        few_q    <= level[1] ? ~|heard[MANY:FEW] : below(heard, span);
        calm_q   <= (level[1] ? ~|heard : next_to_none) & !stood;
        sparse_q <= ~|(heard & ~(span >> 1));
        if (standstill) still_q <= {OUTPUTS{1'b0}};
        if (falls) level <= {1'b0, level[4:2]};
        if (rises) level <= {level[3:1], 1'b1};
        if (forgets) level <= 4'b0000;
        if (window_ends) begin
            stood_q  <= 1'b0;
            heard_q  <= {MANY + 1{1'b0}};
            few_q    <= 1'b1;
            calm_q   <= 1'b1;
            sparse_q <= 1'b1;
            slow_q   <= slow;
            doubt_q  <= slow & slow_q & !level[1];
        end
        if (rst) begin
            injected_q  <= 1'b0;
            delivered_q <= {COUNT_BITS{1'b0}};
            free_q      <= 1'b1;
            still_q     <= {OUTPUTS{1'b0}};
            stood_q     <= 1'b0;
            steady_q    <= 1'b0;
            heard_q     <= {MANY + 1{1'b0}};
            few_q       <= 1'b1;
            calm_q      <= 1'b1;
            sparse_q    <= 1'b1;
            slow_q      <= 1'b0;
            doubt_q     <= 1'b0;
            level       <= 4'b0000;
        end
    end

endmodule

`default_nettype wire
