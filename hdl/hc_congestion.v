// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_congestion: tells from the streams of its router whether the network is
// congested, and when it has fallen silent.
//
// The level is 0, 1 or 2. It rises by one when an output has stood still, valid
// and not ready, for more than 2**STANDSTILL_BITS cycles; it falls by one when no
// stream but the local input has been valid for more than 2**SILENCE_BITS cycles;
// each 2**SCALE_BITS times as long per level.
//
// Latency: streams are looked at one cycle late, so that their long paths end in
// registers here.

`default_nettype none

module hc_congestion #(
    parameter integer LINKS           = 4,  // links of the router, 1 or more
    parameter integer SILENCE_BITS    = 5,  // STANDSTILL_BITS or more
    parameter integer STANDSTILL_BITS = 3,  // 1 or more
    parameter integer SCALE_BITS      = 3   // 1 or more
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [LINKS-1:0] link_arrive,  // a link input is valid
    input  wire [LINKS-1:0] link_valid,   // a link output is valid
    input  wire [LINKS-1:0] link_ready,
    input  wire             local_valid,  // the local output is valid
    input  wire             local_ready,
    output wire             lenient,      // the level is 0 and nothing spoke against an injection
    output wire             silence       // a silence long enough ends with this cycle
);

`ifndef __ICARUS__
    generate
        if (STANDSTILL_BITS > SILENCE_BITS) begin : illegal_standstill
            $error("hc_congestion: STANDSTILL_BITS must be SILENCE_BITS or less");
        end
    endgenerate
`endif

    localparam integer COUNT_BITS = SILENCE_BITS + 2 * SCALE_BITS + 1;

    // What was seen in the cycle before.
    reg                   calm_q;     // no stream valid
    reg                   quiet_q;    // no delivery at hand, no link blocked

    wire [LINKS:0]        blocked = {local_valid & !local_ready, link_valid & ~link_ready};
    wire                  link_blocked = |blocked[LINKS-1:0];
    reg  [LINKS:0]        still_q;    // outputs that have been blocked while the count ran
    reg  [COUNT_BITS-1:0] count_q;    // cycles of silence, or of standstill
    reg  [2:0]            level_q;    // one-hot
    wire                  still = |still_q;
    wire [2:0]            silent_long = {
        count_q[SILENCE_BITS+2*SCALE_BITS], count_q[SILENCE_BITS+SCALE_BITS], count_q[SILENCE_BITS]
    };
    wire [2:0]            still_long = {
        count_q[STANDSTILL_BITS+2*SCALE_BITS], count_q[STANDSTILL_BITS+SCALE_BITS], count_q[STANDSTILL_BITS]
    };
    wire                  standstill = still & |(still_long & level_q);
    // After a calm cycle nothing stands still yet; what then does begins to count.
    wire                  counts = still | calm_q & ~|blocked;

    assign silence = calm_q & |(silent_long & level_q);
    assign lenient = level_q[0] & quiet_q;

    always @(posedge clk) begin
        calm_q  <= ~|link_arrive & ~|link_valid & !local_valid;
        quiet_q <= !link_blocked & !local_valid;
        still_q <= still ? still_q & blocked : blocked;
        count_q <= count_q + 1'b1;
        if (!counts | silence | standstill) count_q <= {COUNT_BITS{1'b0}};
        if (standstill) level_q <= {level_q[2] | level_q[1], level_q[0], 1'b0};
        if (silence) level_q <= {1'b0, level_q[2], level_q[1] | level_q[0]};
        if (rst) begin
            calm_q  <= 1'b0;
            quiet_q <= 1'b0;
            still_q <= {LINKS + 1{1'b0}};
            count_q <= {COUNT_BITS{1'b0}};
            level_q <= 3'b001;
        end
    end

endmodule

`default_nettype wire
