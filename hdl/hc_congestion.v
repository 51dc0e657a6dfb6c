// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_congestion: tells from the streams of its router whether the network is
// congested, and when it has fallen silent.
//
// The level is 0 to 3. It rises by one when an output has stood still, valid and not
// ready, for a window of the level; it falls by one when no stream but the local
// input has been valid for one, and when nothing has stood still like this for a
// longer one. Windows are those of hc_timer.
//
// Latency: streams are looked at one cycle late, so that their long paths end in
// registers here.

`default_nettype none

module hc_congestion #(
    parameter integer LINKS = 4  // links of the router, 1 or more
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             standstill_ends,  // from hc_timer: a window of the level ends
    input  wire             silence_ends,
    input  wire             memory_ends,
    input  wire [LINKS-1:0] link_arrive,      // a link input is valid
    input  wire [LINKS-1:0] link_valid,       // a link output is valid
    input  wire [LINKS-1:0] link_ready,
    input  wire             local_valid,      // the local output is valid
    input  wire             local_ready,
    output reg  [3:1]       level,            // bit e: the level is e or more
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

    wire [LINKS:0] blocked = {local_valid & !local_ready, link_valid & ~link_ready};
    wire           link_blocked = |blocked[LINKS-1:0];
    wire           still = |still_q;
    wire           standstill = standstill_ends & still;
    wire           begins = standstill_ends & !still;
    wire           falls = silence | memory_ends & steady_q;  // unless there is a standstill

    assign silence = silence_ends & silent_q;
    assign lenient = !level[1] & quiet_q;

    always @(posedge clk) begin
        calm_q   <= ~|link_arrive & ~|link_valid & !local_valid;
        quiet_q  <= !link_blocked & !local_valid;
        still_q  <= blocked & (still_q | {LINKS + 1{begins}});
        silent_q <= calm_q & (silent_q | silence_ends);
        steady_q <= steady_q | memory_ends;
        if (falls) level <= {1'b0, level[3:2]};
        if (standstill) begin
            still_q  <= {LINKS + 1{1'b0}};
            steady_q <= 1'b0;
            level    <= {level[2:1], 1'b1};
        end
        if (rst) begin
            calm_q   <= 1'b0;
            quiet_q  <= 1'b0;
            still_q  <= {LINKS + 1{1'b0}};
            silent_q <= 1'b0;
            steady_q <= 1'b0;
            level    <= 3'b000;
        end
    end

endmodule

`default_nettype wire
