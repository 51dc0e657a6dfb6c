// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chip_hello: finds out who is at the other end of a cable, and whether both ends are fresh.
//
// It handles hello frames, silence, and what the cable reports, see docs/chips.md. A frame stays for two
// cycles: in the first its fields are compared, in the second it acts.
//
// Latency: a frame acts at the end of its second cycle. Throughput: a frame in two cycles.

`default_nettype none

module hc_chip_hello #(
    parameter integer SILENCE   = 256,  // cycles without a frame after which the cable is silent, 2 or more
    parameter integer CHIP_BITS = 1,    // bits of the digits of a chip, 1 or more
    parameter integer PORT      = 0,    // this port, 0 to 15
    parameter integer FAR_PORT  = 1,    // the opposite port, 0 to 15
    parameter [31:0]  HASH      = 0     // of the machine
) (
    input  wire                  clk,
    input  wire                  rst,            // of the chip
    input  wire                  session_rst,    // of the session, also 1 after rst
    input  wire [7:0]            session,
    output wire                  newer,          // a hello has a newer session
    output wire [7:0]            newer_session,
    input  wire [CHIP_BITS-1:0]  chip,
    input  wire [CHIP_BITS-1:0]  neighbor,
    input  wire                  frame_valid,    // a frame is there
    output wire                  frame_ready,    // its second cycle
    input  wire [CHIP_BITS+46:0] frame,          // what a hello has
    output wire [CHIP_BITS+46:0] content,        // of the hello to send
    output wire                  up,
    output wire                  data,           // a data frame acts
    input  wire                  pattern,        // the cable sends a pattern
    output wire [2:0]            state,
    output wire [CHIP_BITS+3:0]  far_end,        // {port, chip} of the last hello
    output wire                  good,           // a frame is not ignored
    output wire                  silences        // the cable becomes silent
);

    generate
        if (SILENCE < 2) begin : illegal_silence
            hc_chip_hello_SILENCE_must_be_2_or_more illegal ();
        end else if (PORT < 0 || PORT > 15 || FAR_PORT < 0 || FAR_PORT > 15) begin : illegal_port
            hc_chip_hello_PORT_and_FAR_PORT_must_be_0_to_15 illegal ();
        end
    endgenerate

    // The frame.
    reg                  act_q;           // the second cycle of a frame
    reg                  hash_right_q;
    reg                  place_right_q;   // it comes from the right port of the right chip
    reg                  own_q;           // it comes from this end
    reg                  same_q;          // it has the session of this chip
    reg                  newer_q;
    wire [7:0]           their_session = frame[10:3];
    wire                 same          = their_session == session;
    wire [7:0]           ahead         = their_session - session;
    wire                 unused        = &{1'b0, ahead[6:0]};
    wire [CHIP_BITS+3:0] place         = {frame[46:43], frame[47+:CHIP_BITS]};
    wire                 quiet;
    wire                 arrival       = act_q & !quiet;
    wire                 hello         = arrival & !frame[0];
    wire                 match         = hello & hash_right_q & place_right_q;
    wire                 their_heard   = frame[1];
    wire                 their_lost    = frame[2];

    always @(posedge clk) begin
        act_q         <= frame_valid & !act_q & !rst;
        hash_right_q  <= frame[42:11] == HASH;
        place_right_q <= place == {FAR_PORT[3:0], neighbor};
        own_q         <= place == {PORT[3:0], chip};
        same_q        <= same;
        newer_q       <= |their_session & (session == 8'd0 | (!same & !ahead[7]));
    end

    // Coming up.
    reg  heard_q, up_q, lost_q;
    wire lost  = lost_q & !session_rst;  // session is already the new one in the first cycle of its reset
    wire comes = !lost_q & (match & same_q ? their_heard & !their_lost : data & heard_q);
    wire loses = match & (up_q ? !their_heard | their_lost : same_q & their_lost);

    always @(posedge clk) begin
        heard_q <= heard_q | (match & same_q);
        up_q    <= (up_q | comes) & !loses;
        lost_q  <= lost_q | loses;
        if (session_rst) begin
            heard_q <= 1'b0;
            up_q    <= 1'b0;
            lost_q  <= 1'b0;
        end
    end

    // Silence. One timer counts the cycles since the last frame, and those since rst.
    localparam integer          TIMER_BITS = $clog2(SILENCE);
    localparam integer          MOST       = SILENCE - 1;
    localparam [TIMER_BITS-1:0] LAST       = MOST[TIMER_BITS-1:0];

    reg  [TIMER_BITS-1:0] timer_q;
    reg                   quiet_q;   // frames are ignored
    reg                   silent_q;
    wire                  late = timer_q == LAST;

    always @(posedge clk) begin
        timer_q  <= arrival ? {TIMER_BITS{1'b0}} : timer_q + {{TIMER_BITS - 1{1'b0}}, !late};
        silent_q <= !arrival & (silent_q | late);
        quiet_q  <= quiet_q & !late;
        if (rst) begin
            timer_q  <= {TIMER_BITS{1'b0}};
            silent_q <= 1'b1;
            quiet_q  <= 1'b1;
        end
    end

    // Who is at the other end.
    reg [CHIP_BITS+3:0] far_q;
    reg                 stranger_q, loop_q, miswired_q;

    always @(posedge clk) begin
        if (hello) begin
            far_q      <= place;
            stranger_q <= !hash_right_q;
            loop_q     <= own_q;
            miswired_q <= !place_right_q;
        end
        if (rst) begin
            far_q      <= {CHIP_BITS + 4{1'b0}};
            stranger_q <= 1'b0;
            loop_q     <= 1'b0;
            miswired_q <= 1'b0;
        end
    end

    assign quiet         = quiet_q;
    assign newer         = match & newer_q;
    assign newer_session = their_session;
    assign frame_ready   = act_q;
    assign content       = {chip, PORT[3:0], HASH, session, lost, heard_q & !lost_q & !session_rst, 1'b0};
    assign up            = up_q;
    assign data          = arrival & frame[0];
    assign state         = pattern ? 3'd7 : silent_q ? 3'd0 : lost_q ? 3'd3 : up_q ? 3'd2 : stranger_q ? 3'd4 : loop_q ? 3'd6 : miswired_q ? 3'd5 : 3'd1;
    assign far_end       = far_q;
    assign good          = arrival;
    assign silences      = late & !silent_q & !arrival;

endmodule

`default_nettype wire
