// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_programmable_local: the local input of a programmable router, and the injection
// gate before it with all that it looks at.
//
// When the router stops accepting messages, one that has asked is still taken.
//
// Latency and backpressure: those of hc_local_input.

`default_nettype none

module hc_programmable_local #(
    parameter integer DIMENSIONS = 4,   // most dimensions, 1 or more
    parameter integer DEGREE     = 16,  // ports, 1 or more
    parameter integer COST_BITS  = 16   // of the largest N - 1, 1 or more
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  accepting,
    input  wire [COST_BITS-1:0]  cost,   // N - 1
    input  wire [COST_BITS-1:0]  share,  // the power of two from N - 1 up, less 1
    input  wire [4:0]            steps,  // of a broadcast, the diameter
    input  wire [DEGREE-1:0]     link_valid,
    input  wire [DEGREE-1:0]     link_ready,
    input  wire                  s_axis_tvalid,
    output wire                  s_axis_tready,
    input  wire                  local_valid,
    input  wire                  local_ready,
    output wire [DIMENSIONS-1:0] ask,
    input  wire [DIMENSIONS-1:0] made,
    output wire                  open   // messages are taken, or one still is
);

    wire gate_open;
    wire gate_open_next;
    reg  asked_q;
    wire taking = gate_open & open;

    assign open = accepting | asked_q;

    always @(posedge clk) asked_q <= s_axis_tvalid & taking & !s_axis_tready & !rst;

    // The constants of the injection gate. The largest quota is 2**11 times the power of
    // two above N - 1, the cap the one from N - 1 up, but 128 at least. Windows of level 0
    // are the power of two from 4 times the diameter up, but 16 to 128 cycles; those of the
    // levels above are longer from 33 nodes on, and then the timer counts one bit less above
    // bit 3.
    localparam integer QUOTA_BITS   = COST_BITS + 11;
    localparam integer BALANCE_BITS = QUOTA_BITS + 5;
    wire [COST_BITS-1:0] reach = cost | share;
    wire                 longer = |(reach >> 5);
    wire [7:5]           beyond = {steps[4] & (|steps[3:0]), steps[4] | steps[3] & (|steps[2:0]),
                                   |steps[4:3] | steps[2] & (|steps[1:0])};  // 16, 8 and 4 steps
    wire [7:4]           window = longer ? {1'b0, beyond} : {beyond, 1'b1};

    wire       shortest_ends;
    wire       window_ends;
    wire       memory_ends;
    wire [4:1] congestion_level;
    wire       window_low;
    wire       window_stuck;
    wire       window_misled;
    wire       injected = s_axis_tready;  // only with the last copy, so what is valid and may be taken

    hc_timer timer (
        .clk          (clk),
        .rst          (rst),
        .longer       (longer),
        .window       (window),
        .level        (congestion_level),
        .shortest_ends(shortest_ends),
        .window_ends  (window_ends),
        .memory_ends  (memory_ends)
    );

    hc_congestion #(
        .LINKS(DEGREE)
    ) congestion (
        .clk          (clk),
        .rst          (rst),
        .longer       (longer),
        .window       (window),
        .shortest_ends(shortest_ends),
        .window_ends  (window_ends),
        .memory_ends  (memory_ends),
        .link_valid   (link_valid),
        .link_ready   (link_ready),
        .local_valid  (local_valid),
        .local_ready  (local_ready),
        .injected     (injected),
        .delivered    (local_valid & local_ready),
        .misled       (window_misled),
        .level        (congestion_level),
        .low          (window_low),
        .stuck        (window_stuck)
    );

    hc_injection_gate #(
        .QUOTA_BITS(QUOTA_BITS)
    ) injection_gate (
        .clk          (clk),
        .rst          (rst),
        .cost         ({{BALANCE_BITS - COST_BITS{1'b0}}, cost}),
        .cap          ({{BALANCE_BITS - COST_BITS{1'b0}}, share} | {{BALANCE_BITS - 7{1'b0}}, {7{1'b1}}}),
        .largest      ({reach, {7{1'b1}}}),
        .shortest_ends(shortest_ends),
        .window_ends  (window_ends),
        .raised       (congestion_level[1]),
        .low          (window_low),
        .stuck        (window_stuck),
        .offered      (s_axis_tvalid),
        .injected     (injected),
        .delivered    (local_valid & local_ready),
        .misled       (window_misled),
        .open         (gate_open),
        .open_next    (gate_open_next)
    );

    hc_local_input #(
        .GROUPS(DIMENSIONS)
    ) local_input (
        .clk          (clk),
        .rst          (rst),
        .s_axis_tvalid(s_axis_tvalid & open),
        .s_axis_tready(s_axis_tready),
        .open         (gate_open),
        .open_next    (gate_open_next),
        .ask          (ask),
        .made         (made)
    );

endmodule

`default_nettype wire
