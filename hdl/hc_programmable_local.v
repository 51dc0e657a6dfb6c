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
    parameter integer DIMENSIONS      = 4,   // most dimensions, 1 or more
    parameter integer DEGREE          = 16,  // ports, 1 or more
    parameter integer COST_BITS       = 16,  // of the largest N - 1
    // Of hc_timer and hc_programmable_gate:
    parameter integer STANDSTILL_BITS = 3,
    parameter integer SILENCE_BITS    = 5,
    parameter integer MEMORY_BITS     = 11,
    parameter integer SCALE_BITS      = 3,
    parameter integer CAP_BITS        = 7,
    parameter integer PATIENCE_BITS   = 6,
    parameter integer PAUSE_BITS      = 4
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  accepting,
    input  wire [COST_BITS-1:0]  cost,   // N - 1
    input  wire [COST_BITS-1:0]  share,  // the power of two from N - 1 up, less 1
    input  wire [4:0]            steps,  // sum of all D
    input  wire [DEGREE-1:0]     link_arrive,
    input  wire [DEGREE-1:0]     link_valid,
    input  wire [DEGREE-1:0]     link_ready,
    input  wire                  s_axis_tvalid,
    output wire                  s_axis_tready,
    input  wire                  local_valid,
    input  wire                  local_ready,
    output wire [DIMENSIONS-1:0] ask,
    input  wire [DIMENSIONS-1:0] made,
    output wire                  open,  // messages are taken, or one still is
    output wire                  delivery_pause
);

    wire gate_open;
    wire input_ready;
    reg  asked_q;
    wire taking = gate_open & open;

    assign open          = accepting | asked_q;
    assign s_axis_tready = input_ready & taking;

    always @(posedge clk) asked_q <= s_axis_tvalid & taking & !s_axis_tready & !rst;

    wire       standstill_ends;
    wire       silence_ends;
    wire       memory_ends;
    wire       unused_pause_ends;
    wire       unused_patience_ends;
    wire [3:1] congestion_level;
    wire       gate_lenient;
    wire       gate_silence;

    hc_timer #(
        .STANDSTILL_BITS(STANDSTILL_BITS),
        .SILENCE_BITS   (SILENCE_BITS),
        .MEMORY_BITS    (MEMORY_BITS),
        .SCALE_BITS     (SCALE_BITS),
        .PAUSE_BITS     (PAUSE_BITS),
        .PATIENCE_BITS  (PATIENCE_BITS),
        .BITS           (MEMORY_BITS + 3 * SCALE_BITS)
    ) timer (
        .clk            (clk),
        .rst            (rst),
        .level          (congestion_level),
        .standstill_ends(standstill_ends),
        .silence_ends   (silence_ends),
        .memory_ends    (memory_ends),
        .pause_ends     (unused_pause_ends),
        .patience_ends  (unused_patience_ends)
    );

    hc_congestion #(
        .LINKS(DEGREE)
    ) congestion (
        .clk            (clk),
        .rst            (rst),
        .standstill_ends(standstill_ends),
        .silence_ends   (silence_ends),
        .memory_ends    (memory_ends),
        .link_arrive    (link_arrive),
        .link_valid     (link_valid),
        .link_ready     (link_ready),
        .local_valid    (local_valid),
        .local_ready    (local_ready),
        .level          (congestion_level),
        .lenient        (gate_lenient),
        .silence        (gate_silence)
    );

    hc_programmable_gate #(
        .COST_BITS    (COST_BITS),
        .CAP_BITS     (CAP_BITS),
        .PATIENCE_BITS(PATIENCE_BITS),
        .PAUSE_BITS   (PAUSE_BITS)
    ) injection_gate (
        .clk      (clk),
        .rst      (rst),
        .cost     (cost),
        .share    (share),
        .steps    (steps),
        .offered  (s_axis_tvalid),
        .injected (s_axis_tvalid & s_axis_tready),
        .delivered(local_valid & local_ready),
        .lenient  (gate_lenient),
        .silence  (gate_silence),
        .open     (gate_open),
        .pause    (delivery_pause)
    );

    hc_local_input #(
        .GROUPS(DIMENSIONS)
    ) local_input (
        .clk          (clk),
        .rst          (rst),
        .s_axis_tvalid(s_axis_tvalid),
        .s_axis_tready(input_ready),
        .open         (taking),
        .ask          (ask),
        .made         (made)
    );

endmodule

`default_nettype wire
