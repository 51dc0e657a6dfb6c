// SPDX-License-Identifier: Apache-2.0
//
// hc_chip_meeting: both ends of a cable come up, by hc_chip_hello at each. Any frame may be lost, and a frame that is
// not acts DELAY cycles after it was sent at the latest. Each end may have rst at any time, and again; a life of an end
// begins with it. The session of both is the same, which is the case in which sessions do not help.
//
// If both ends are up, each knows the present life of the other. The data frames that an end obeys are of a single
// life of the other end. A link that is lost stays so until the next reset.

module hc_chip_meeting #(
    parameter integer FRAMES  = 2,
    parameter integer DELAY   = 3,
    parameter integer SILENCE = 7
) (
    input wire       clk,
    input wire [1:0] rst,
    input wire [1:0] holds,  // the reset of the session goes on
    input wire [1:0] take,   // a frame begins
    input wire [1:0] miss,   // and is lost
    input wire [1:0] show,   // the oldest frame on the way to this end arrives
    input wire [1:0] drop    // or is lost here
);

    (* anyconst *) wire [7:0] session;
    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (&rst);

    wire [1:0] up, stale, lost, waits, newer, in_time;
    wire [5:0] says;   // {lost, heard, data} of a frame of each end
    wire [7:0] timer;
    wire [3:0] contract;
    wire [7:0] invariants;

    genvar g;
    generate
        for (g = 0; g < 2; g = g + 1) begin : ends
            hc_chip_meeting_end #(.FRAMES(FRAMES), .DELAY(DELAY), .SILENCE(SILENCE), .PORT(g)) side (
                .clk(clk), .rst(rst[g]), .holds(holds[g]), .session(session), .newer(newer[g]),
                .put(take[1-g] && !miss[1-g] && !rst[1-g]), .said(says[3*(1-g)+:3]), .other_rst(rst[1-g]), .show(show[g]), .drop(drop[g]),
                .says(says[3*g+:3]), .up(up[g]), .stale(stale[g]), .lost(lost[g]), .waits(waits[g]), .timer(timer[4*g+:4]),
                .other_up(up[1-g]), .other_stale(stale[1-g]), .other_lost(lost[1-g]), .other_waits(waits[1-g]), .other_timer(timer[4*(1-g)+:4]),
                .in_time(in_time[g]), .contract(contract[2*g+:2]), .invariants(invariants[4*g+:4])
            );
        end
    endgenerate
    always @* assume (&in_time);

    // Contract.
    always @* if (past) begin
        assert (!(&up) || stale == 2'b00);
        assert (&contract);
        assert (newer == 2'b00);
    end

    // Invariants.
    always @* if (past) begin
        assert (&{invariants[4], invariants[0]});
        assert (&{invariants[5], invariants[1]});
        assert (&{invariants[6], invariants[2]});
        assert (&{invariants[7], invariants[3]});
    end

    reg [1:0] was_up;
    always @(posedge clk) was_up <= past ? was_up | {2{&up}} : 2'b00;
    always @* begin
        cover (past && &up);
        cover (past && was_up[0] && lost[0]);
        cover (past && up[0] && stale[0] && !waits[1]);
    end

endmodule

// An end, with the frames on the way to it, the oldest lowest. The oldest stays for two cycles and acts in the second.
module hc_chip_meeting_end #(
    parameter integer FRAMES  = 2,
    parameter integer DELAY   = 3,
    parameter integer SILENCE = 7,
    parameter integer PORT    = 0
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       holds,
    input  wire [7:0] session,
    output wire       newer,
    input  wire       put,          // the other end sends a frame
    input  wire [2:0] said,         // which says this: {lost, heard, data}
    input  wire       other_rst,
    input  wire       show,
    input  wire       drop,
    output wire [2:0] says,
    output wire       up,
    output wire       stale,        // it is up, and knows a former life of the other end
    output wire       lost,
    output wire       waits,        // it ignores all frames
    output wire [3:0] timer,        // cycles since rst, while it does
    input  wire       other_up,
    input  wire       other_stale,
    input  wire       other_lost,
    input  wire       other_waits,
    input  wire [3:0] other_timer,
    output wire       in_time,
    output wire [1:0] contract,
    output reg  [3:0] invariants
);

    localparam integer   BITS   = 8;  // {age, former, lost, heard, data}; former: of a former life of the sender
    localparam integer   TIMER_BITS = $clog2(SILENCE);
    localparam integer   FORMER = 3;
    localparam integer   AGE    = 4;
    localparam [7:0]     LIMIT  = DELAY;
    localparam [3:0]     HERE   = PORT;
    localparam [3:0]     THERE  = 1 - PORT;

    reg  [FRAMES*BITS-1:0] frames_q, next;
    reg  [2:0]             count_q;
    reg                    hold_q, stale_q, was_lost_q, was_up_q;
    wire                   act, data;
    wire                   session_rst = rst | hold_q;
    wire                   valid       = show && count_q != 3'd0;
    wire [2:0]             left        = count_q - (count_q != 3'd0 && (act || (drop && !valid)));
    wire                   arrives     = put && left < FRAMES;
    wire [47:0]            frame       = {!HERE[0], THERE, 32'd7, session, frames_q[2:0]};
    wire [47:0]            content;

    hc_chip_hello #(.SILENCE(SILENCE), .CHIP_BITS(1), .PORT(PORT), .FAR_PORT(1 - PORT), .HASH(7)) hello (
        .clk(clk), .rst(rst), .session_rst(session_rst), .session(session), .newer(newer), .newer_session(), .chip(HERE[0]), .neighbor(!HERE[0]),
        .frame_valid(valid), .frame_ready(act), .frame(frame), .content(content), .up(up), .data(data),
        .pattern(1'b0), .state(), .far_end(), .good(), .silences()
    );
    (* hierconn *) wire       \hello.comes , \hello.lost_q , \hello.heard_q , \hello.quiet ;
    (* hierconn *) wire [TIMER_BITS-1:0] \hello.timer_q ;
    wire comes = \hello.comes , heard = \hello.heard_q ;

    assign says  = up ? 3'b001 : {content[2:1], 1'b0};
    assign stale = stale_q;
    assign lost  = \hello.lost_q ;
    assign waits = \hello.quiet ;
    assign timer = \hello.timer_q ;

    integer i;
    always @* begin
        next = left != count_q ? frames_q >> BITS : frames_q;
        for (i = 0; i < FRAMES; i = i + 1) begin
            if (other_rst) next[i*BITS+FORMER] = 1'b1;
            next[i*BITS+AGE+:4] = next[i*BITS+AGE+:4] + 4'd1;
            if (arrives && left == i) next[i*BITS+:BITS] = {4'd1, 1'b0, said};
        end
    end
    always @(posedge clk) begin
        frames_q   <= next;
        count_q    <= left + arrives;
        hold_q     <= session_rst && holds;
        was_lost_q <= lost && !session_rst;
        was_up_q   <= up && !session_rst;
        if (session_rst) stale_q <= 1'b0;
        else if (!up) stale_q <= comes && (frames_q[FORMER] || other_rst);
        else if (other_rst) stale_q <= 1'b1;
    end
    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (count_q == 3'd0);

    // It obeys data frames of the life of the other end that it knows. What is lost stays lost.
    assign contract[0] = !(data && up) || frames_q[FORMER] == stale_q;
    assign contract[1] = (!was_lost_q || (lost && !up)) && (!was_up_q || up || lost);

    reg [3:0] age;
    reg       late;
    always @* begin
        late       = 1'b0;
        invariants = 4'b1111;
        if (count_q > FRAMES || (act && count_q == 3'd0)) invariants[0] = 1'b0;
        if ((waits && (up || lost || heard)) || (up && lost)) invariants[0] = 1'b0;
        for (i = 0; i < FRAMES; i = i + 1) if (i < count_q) begin
            age = frames_q[i*BITS+AGE+:4];
            if (age > LIMIT) late = 1'b1;
            if (age == 4'd0) invariants[0] = 1'b0;
            // frames of a former life are the oldest, and gone when the sender listens again
            if (i > 0 && frames_q[i*BITS+FORMER] && !frames_q[(i+FRAMES-1)%FRAMES*BITS+FORMER]) invariants[1] = 1'b0;
            if (frames_q[i*BITS+FORMER] && !(other_waits && age > other_timer)) invariants[1] = 1'b0;
            if (up && !stale_q && frames_q[i*BITS+FORMER]) invariants[1] = 1'b0;
            // of the present life of an end that is up
            if (!frames_q[i*BITS+FORMER] && frames_q[i*BITS] && !other_up && !other_lost) invariants[2] = 1'b0;
            if (!frames_q[i*BITS+FORMER] && !frames_q[i*BITS] && frames_q[i*BITS+2] && !other_lost) invariants[2] = 1'b0;
            if (up && stale_q && !frames_q[i*BITS+FORMER] && frames_q[i*BITS]) invariants[2] = 1'b0;
            // this end does not hear a hello of one that is up and knows a former life of it
            if (other_up && other_stale && !frames_q[i*BITS] && !(waits && age + LIMIT >= timer)) invariants[3] = 1'b0;
        end
        if (other_up && other_stale && (up || heard)) invariants[3] = 1'b0;
    end
    assign in_time = !late;

endmodule
