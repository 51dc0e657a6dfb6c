// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_congestion: tells from the streams of its router whether the network is
// congested, and when it has fallen silent.
//
// The level is 0, 1 or 2. It rises by one when an output has stood still, valid
// and not ready, for a window of the level; it falls by one when no stream but the
// local input has been valid for one. It also falls when nothing has stood still
// like this for the longest window. Windows are those of hc_timer.
//
// Latency: streams are looked at one cycle late, so that their long paths end in
// registers here.

`default_nettype none

module hc_congestion #(
    parameter integer LINKS = 4  // links of the router, 1 or more
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [2:0]       standstill_ends,  // from hc_timer, by level
    input  wire [2:0]       silence_ends,
    input  wire             memory_ends,
    input  wire [LINKS-1:0] link_arrive,      // a link input is valid
    input  wire [LINKS-1:0] link_valid,       // a link output is valid
    input  wire [LINKS-1:0] link_ready,
    input  wire             local_valid,      // the local output is valid
    input  wire             local_ready,
    output wire             lenient,          // the level is 0 and nothing spoke against an injection
    output wire             silence           // a window of the level ends that was calm
);

    // What was seen in the cycle before.
    reg            calm_q;    // no stream valid
    reg            quiet_q;   // no delivery at hand, no link blocked

    // What has been so since the last window's end.
    reg  [LINKS:0] still_q;   // outputs that have been blocked
    reg            silent_q;  // the router has been calm
    reg            steady_q;  // there has been no standstill

    reg  [2:0]     level_q;   // one-hot
    wire           still_ends = |(level_q & standstill_ends);
    wire           silent_ends = |(level_q & silence_ends);

    wire [LINKS:0] blocked = {local_valid & !local_ready, link_valid & ~link_ready};
    wire           link_blocked = |blocked[LINKS-1:0];
    wire           still = |still_q;
    wire           standstill = still_ends & still;
    wire           begins = still_ends & !still;
    wire           falls = silence | memory_ends & steady_q & !standstill;

    assign silence = silent_ends & silent_q;
    assign lenient = level_q[0] & quiet_q;

    always @(posedge clk) begin
        calm_q   <= ~|link_arrive & ~|link_valid & !local_valid;
        quiet_q  <= !link_blocked & !local_valid;
        still_q  <= blocked & (still_q | {LINKS + 1{begins}});
        silent_q <= calm_q & (silent_q | silent_ends);
        steady_q <= steady_q | memory_ends;
        if (falls) level_q <= {1'b0, level_q[2], level_q[1] | level_q[0]};
        if (standstill) begin
            still_q  <= {LINKS + 1{1'b0}};
            steady_q <= 1'b0;
            level_q  <= {level_q[2] | level_q[1], level_q[0], 1'b0};
        end
        if (rst) begin
            calm_q   <= 1'b0;
            quiet_q  <= 1'b0;
            still_q  <= {LINKS + 1{1'b0}};
            silent_q <= 1'b0;
            steady_q <= 1'b0;
            level_q  <= 3'b001;
        end
    end

endmodule

`default_nettype wire
