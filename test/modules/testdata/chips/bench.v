// SPDX-License-Identifier: Apache-2.0
//
// bench: two ends of a cable between chips, with a channel that loses and changes bits. It prints PASS, or what
// is wrong. The contract is docs/chips.md.
//
// +scenario= chooses what happens. Every message has its direction, session, link and number, so that a receiver
// knows which one must come next.

`default_nettype none

// line: one direction of a cable. It can change, lose and insert words, and shift bits. It is as many words long as its
// flight, or it is pins.
module line #(
    parameter integer WORD_BITS = 8,
    parameter integer FLIGHT    = 16,
    parameter integer FIRST     = 0,  // 1: the mark of the first word arrives, and no bit is shifted
    parameter integer LANES     = 0   // above 0: the number of pins
) (
    input  wire                 clk,
    input  wire [WORD_BITS-1:0] tx_word,
    input  wire                 tx_first,
    output wire                 tx_ready,
    output wire                 rx_clk,
    output wire                 rx_valid,
    output wire                 rx_first,
    output wire [WORD_BITS-1:0] rx_word,
    input  wire                 rx_slip
);
    integer flight = FLIGHT;  // 1 to FLIGHT
    integer errors = 0;  // wrong bits of 1,000,000
    integer bursts = 0;  // bursts of 1,000,000 words
    integer slips  = 0;  // shifts by a bit, lost words and inserted words, of 1,000,000 words
    integer stall  = 0;  // cycles without tx_ready, of 100
    integer cut    = 0;  // 1: zeros, 2: ones, 3: random words, 4: the clock stands still
    integer left   = 0;  // words of this burst
    reg     running = 1'b1;

    function integer chance(input integer of_million);
        chance = of_million != 0 && $unsigned($random) % 1000000 < of_million;
    endfunction

    function [WORD_BITS-1:0] changed(input [WORD_BITS-1:0] word);
        integer b;
        begin
            changed = word;
            if (errors != 0) for (b = 0; b < WORD_BITS; b = b + 1) if (chance(errors)) changed[b] = !changed[b];
            if (chance(bursts)) left = 1 + $unsigned($random) % 40;
            if (left != 0 || cut == 3) changed = {$random, $random};
            if (left != 0) left = left - 1;
            if (cut == 1) changed = 0;
            if (cut == 2) changed = ~0;
        end
    endfunction

    generate
        if (LANES > 0) begin : lanes
            reg              rst = 1'b1;
            wire [LANES-1:0] pins;
            wire             pin_clk;
            reg  [LANES-1:0] far_pins;

            hc_chip_pins_send #(.WORD_BITS(WORD_BITS), .LANES(LANES)) send (
                .clk(clk), .rst(rst), .tx_word(tx_word), .tx_ready(tx_ready), .pins(pins), .pin_clk(pin_clk)
            );
            hc_chip_pins_receive #(.WORD_BITS(WORD_BITS), .LANES(LANES)) receive (
                .rx_clk(rx_clk), .pins(far_pins), .rx_slip(rx_slip), .rx_valid(rx_valid), .rx_word(rx_word)
            );
            always @(posedge clk) begin
                rst     <= 1'b0;
                running <= cut != 4 && !chance(slips);  // pin_clk is 0
            end
            always @(negedge clk) far_pins <= changed(pins);
            assign rx_clk   = pin_clk & running;
            assign rx_first = 1'b0;
        end else begin : words
            reg                   ready_q = 1'b0, valid_q = 1'b0, first_q;
            reg [WORD_BITS-1:0]   word_q;
            reg [WORD_BITS+1:0]   pipe[0:FLIGHT];  // {valid, first, word}
            reg [WORD_BITS-1:0]   previous = 0;
            reg [2*WORD_BITS-1:0] both;
            reg [WORD_BITS-1:0]   word;
            reg                   valid, mark;
            integer               offset = FIRST ? 0 : 3;
            integer               b;

            initial for (b = 0; b <= FLIGHT; b = b + 1) pipe[b] = 0;

            always @(negedge clk) running <= cut != 4;

            always @(posedge clk) begin
                ready_q <= stall == 0 || $unsigned($random) % 100 >= stall;
                for (b = FLIGHT; b > 1; b = b - 1) pipe[b] = pipe[b-1];
                word    = changed(tx_word);
                pipe[1] = {ready_q, tx_first & cut == 0 & left == 0, word};
                // What leaves.
                {valid, mark, word} = pipe[flight];
                if (chance(slips)) begin
                    if (!valid) valid = 1'b1;  // an inserted word
                    else if (FIRST || $random & 1) valid = 1'b0;
                    else offset = offset + 1;
                end
                if (rx_slip & !FIRST) offset = offset + 1;
                if (offset >= WORD_BITS) begin
                    offset = offset - WORD_BITS;
                    if (valid) previous = word;
                    valid = 1'b0;
                end
                both = {word, previous} >> offset;
                if (valid) previous = word;
                valid_q <= valid;
                first_q <= mark & FIRST;
                word_q  <= FIRST ? word : both[WORD_BITS-1:0];
            end
            assign rx_clk   = clk & running;
            assign tx_ready = ready_q;
            assign rx_valid = valid_q;
            assign rx_first = first_q;
            assign rx_word  = word_q;
        end
    endgenerate
endmodule

// node: an end of the cable with random traffic and its scoreboard.
module node #(
    parameter integer LINKS = 1, PACE_BITS = 4, BARRIER = 0, WORD_BITS = 8, FRAME_WORDS = 11, NUMBER_BITS = 4, FREED_BITS = 4,
    parameter integer SILENCE = 256, CHIP_BITS = 3, PORT = 0, FAR_PORT = 1, LEAD = 7, CHIP = 1, NEIGHBOR = 2,
    parameter [31:0]  HASH = 32'h12345678
) (
    input  wire                 clk,
    output wire [WORD_BITS-1:0] tx_word,
    output wire                 tx_first,
    input  wire                 tx_ready,
    input  wire                 rx_clk,
    input  wire                 rx_valid,
    input  wire                 rx_first,
    input  wire [WORD_BITS-1:0] rx_word,
    output wire                 rx_slip
);
    localparam integer LINK_BITS = 36;  // {direction, session, link, number}

    reg rst = 1'b1, restart = 1'b0, pattern = 1'b0;
    integer offer = 0;    // of 100 cycles, those in which a message comes up
    integer accept = 100; // of 100 cycles, those with ready
    integer links = LINKS; // links with traffic

    wire                       session_rst, newer;
    wire [7:0]                 session, newer_session;
    reg  [LINKS-1:0]           s_valid, m_ready;
    wire [LINKS-1:0]           s_ready, m_valid;
    wire [LINKS*LINK_BITS-1:0] s_data, m_data;
    reg  [LINKS*PACE_BITS-1:0] pace;
    wire [LINKS*PACE_BITS-1:0] link_pace;
    reg  [LINKS*2-1:0]         barrier_pace;
    wire [LINKS*2-1:0]         link_barrier_pace;
    wire [2:0]                 state;
    wire [CHIP_BITS+3:0]       far_end;
    wire [31:0]                good, bad, repetitions, silences, sent, received;
    reg  [CHIP_BITS-1:0]       chip = CHIP, neighbor = NEIGHBOR;

    hc_chip_session #(.CABLES(1)) sessions (
        .clk(clk), .rst(rst), .restart(restart), .newer(newer), .newer_session(newer_session), .session(session), .reset(session_rst)
    );
    hc_chip_cable #(
        .LINKS(LINKS), .LINK_BITS(LINK_BITS), .PACE_BITS(PACE_BITS), .BARRIER(BARRIER), .WORD_BITS(WORD_BITS), .FRAME_WORDS(FRAME_WORDS),
        .NUMBER_BITS(NUMBER_BITS), .FREED_BITS(FREED_BITS), .SILENCE(SILENCE), .CHIP_BITS(CHIP_BITS), .PORT(PORT), .FAR_PORT(FAR_PORT),
        .HASH(HASH)
    ) cable (
        .clk(clk), .rst(rst), .session_rst(session_rst), .session(session), .newer(newer), .newer_session(newer_session),
        .chip(chip), .neighbor(neighbor),
        .s_axis_tvalid(s_valid), .s_axis_tready(s_ready), .s_axis_tdata(s_data),
        .m_axis_tvalid(m_valid), .m_axis_tready(m_ready), .m_axis_tdata(m_data),
        .pace(pace), .link_pace(link_pace), .barrier_pace(barrier_pace), .link_barrier_pace(link_barrier_pace),
        .tx_word(tx_word), .tx_first(tx_first), .tx_ready(tx_ready),
        .rx_clk(rx_clk), .rx_valid(rx_valid), .rx_first(rx_first), .rx_word(rx_word), .rx_slip(rx_slip),
        .pattern(pattern), .state(state), .far_end(far_end), .good(good), .bad(bad), .repetitions(repetitions), .silences(silences),
        .sent(sent), .received(received)
    );

    integer seq_out[0:LINKS-1];  // messages that have left
    integer seq_in[0:LINKS-1];   // and that have arrived
    integer ticks[0:LINKS-1];    // the pace, not modulo
    integer far_ticks[0:LINKS-1];
    integer total = 0, resets = 0, cycles = 0;
    integer rest = 2;            // mean cycles between ticks
    time entered[0:255];  // of link 0, by the low bits of the message: the end of the cycle with its handshake
    time ticked[0:255];   // and by the low bits of the tick: the end of the cycle before it shows
    integer l, step;
    reg [LINKS-1:0] held;
    reg [LINKS*LINK_BITS-1:0] held_data;
    reg [2:0] last_state;
    reg started = 1'b0;
    reg fresh = 1'b0;  // in the last cycle session_rst was 1

    genvar g;
    generate
        for (g = 0; g < LINKS; g = g + 1) begin : data
            wire [4:0]  link = g;
            wire [21:0] seq = seq_out[g];
            wire        direction = PORT & 1;
            assign s_data[g*LINK_BITS+:LINK_BITS] = {direction, session, link, seq};
        end
    endgenerate

    reg [LINK_BITS-1:0] word;
    always @(posedge clk) begin
        cycles = cycles + 1;
        if (rst) started = 1'b1;
        if (session_rst | rst | !started) begin
            if (!fresh) resets = resets + 1;
            for (l = 0; l < LINKS; l = l + 1) begin
                seq_out[l]   <= 0;
                seq_in[l]     = 0;
                ticks[l]      = 0;
                far_ticks[l]  = 0;
            end
            s_valid      <= 0;
            pace         <= 0;
            barrier_pace <= 0;
            held         <= 0;
        end else begin
            for (l = 0; l < LINKS; l = l + 1) begin
                if (!s_valid[l] | s_ready[l]) s_valid[l] <= l < links && $unsigned($random) % 100 < offer;
                if (s_valid[l] & s_ready[l]) begin
                    seq_out[l] <= seq_out[l] + 1;
                    if (l == 0) entered[seq_out[0] & 255] = $time;
                    if (state != 2 && state != 0 && state != 7 && state == last_state) begin
                        $display("link %0d of port %0d takes a message in state %0d", l, PORT, state);
                        $finish;
                    end
                end
                if (held[l] & (!m_valid[l] | m_data[l*LINK_BITS+:LINK_BITS] !== held_data[l*LINK_BITS+:LINK_BITS])) begin
                    $display("port %0d takes back what it offers on link %0d", PORT, l);
                    $finish;
                end
                if (m_valid[l] & m_ready[l]) begin
                    word = m_data[l*LINK_BITS+:LINK_BITS];
                    if (word !== {!(PORT & 1), session, l[4:0], seq_in[l][21:0]}) begin
                        $display("port %0d gets %h on link %0d instead of message %0d of session %0d, t %0d", PORT, word, l, seq_in[l], session, $time);
                        $finish;
                    end
                    seq_in[l] = seq_in[l] + 1;
                    total     = total + 1;
                end
                // Paces: at most LEAD ahead of what is known of the other end.
                step = (link_pace[l*PACE_BITS+:PACE_BITS] - far_ticks[l]) & ((1 << PACE_BITS) - 1);
                far_ticks[l] = far_ticks[l] + step;
                if (ticks[l] - far_ticks[l] < LEAD & $unsigned($random) % rest == 0 & state != 1) begin
                    ticks[l] = ticks[l] + 1;
                    if (l == 0) ticked[ticks[0] & 255] = $time;
                    pace[l*PACE_BITS+:PACE_BITS] <= ticks[l];
                    barrier_pace[l*2+:2]         <= ticks[l];
                end
                if (far_ticks[l] - ticks[l] > LEAD) begin
                    $display("port %0d: the pace of link %0d is %0d, %0d were ticked here", PORT, l, far_ticks[l], ticks[l]);
                    $finish;
                end
                if (link_barrier_pace[l*2+:2] !== (BARRIER ? link_pace[l*PACE_BITS+:2] : 2'd0)) begin
                    $display("port %0d: the barrier pace of link %0d is not that of the frame of its pace", PORT, l);
                    $finish;
                end
            end
            held      <= m_valid & ~m_ready;
            held_data <= m_data;
        end
        for (l = 0; l < LINKS; l = l + 1) m_ready[l] <= $unsigned($random) % 100 < accept;
        last_state <= state;
        fresh <= session_rst | rst | !started;
    end

    // What leaves, for a reader of frames.
    integer file = 0;
    always @(posedge clk) if (file != 0 && tx_ready) $fdisplay(file, "%b %h", tx_first, tx_word);

    // The pattern, bit by bit: a word is wrong if it is not what the bits before it predict.
    integer patterns = 0, n;
    reg [30:0] bits = 0, guess;  // the latest is lowest
    reg [WORD_BITS-1:0] predicted;
    always @(posedge rx_clk) if (rx_valid) begin
        guess = bits;
        for (n = 0; n < WORD_BITS; n = n + 1) begin
            predicted[n] = guess[30] ^ guess[27];
            guess     = {guess[29:0], predicted[n]};
        end
        if (predicted !== rx_word | bits == 0) patterns = patterns + 1;
        for (n = 0; n < WORD_BITS; n = n + 1) bits = {bits[29:0], rx_word[n]};
    end
endmodule

module bench;
    parameter integer LINKS = 1, WORD_BITS = 8, FRAME_WORDS = 11, NUMBER_BITS = 4, FREED_BITS = 4, PACE_BITS = 4, BARRIER = 0;
    parameter integer FLIGHT = 16, FIRST = 0, LANES = 0, HALF_A = 1000, HALF_B = 1000, LENGTH = 4000;
    parameter integer STRANGER = 0;  // 1: the ends have different hashes
    parameter integer RATE     = 0;  // the rate that is wanted, in percent; 0: the full rate
    localparam integer SILENCE = 1024;
    localparam integer BEATS   = LANES ? WORD_BITS / LANES : 1;  // cycles of a word

    // 0: whatever leaves both chips as they are, 1: resets, 2: pattern, 3: another hash, 4: a wrong chip, 5: a plug,
    // 6: frames for a reader, 7: times
    integer scenario = 0;

    reg clk_a = 1'b0, clk_b = 1'b0;
    always #(HALF_A) clk_a = !clk_a;
    always #(HALF_B) clk_b = !clk_b;

    wire [WORD_BITS-1:0] tx_a, tx_b, rx_a, rx_b;
    wire tx_first_a, tx_first_b, rx_first_a, rx_first_b, ready_a, ready_b, rx_clk_a, rx_clk_b, valid_a, valid_b, slip_a, slip_b;
    wire plug = scenario == 5;

    node #(
        .LINKS(LINKS), .BARRIER(BARRIER), .WORD_BITS(WORD_BITS), .FRAME_WORDS(FRAME_WORDS), .NUMBER_BITS(NUMBER_BITS),
        .FREED_BITS(FREED_BITS), .PACE_BITS(PACE_BITS), .SILENCE(SILENCE)
    ) a (
        .clk(clk_a), .tx_word(tx_a), .tx_first(tx_first_a), .tx_ready(ready_a),
        .rx_clk(plug ? rx_clk_b : rx_clk_a), .rx_valid(plug ? valid_b : valid_a), .rx_first(plug ? rx_first_b : rx_first_a),
        .rx_word(plug ? rx_b : rx_a), .rx_slip(slip_a)
    );
    node #(
        .LINKS(LINKS), .BARRIER(BARRIER), .WORD_BITS(WORD_BITS), .FRAME_WORDS(FRAME_WORDS), .NUMBER_BITS(NUMBER_BITS),
        .FREED_BITS(FREED_BITS), .PACE_BITS(PACE_BITS), .SILENCE(SILENCE), .PORT(1), .FAR_PORT(0),
        .CHIP(2), .NEIGHBOR(1), .HASH(32'h12345678 + STRANGER)
    ) b (
        .clk(clk_b), .tx_word(tx_b), .tx_first(tx_first_b), .tx_ready(ready_b),
        .rx_clk(rx_clk_b), .rx_valid(valid_b), .rx_first(rx_first_b), .rx_word(rx_b), .rx_slip(slip_b)
    );
    line #(.WORD_BITS(WORD_BITS), .FLIGHT(FLIGHT), .FIRST(FIRST), .LANES(LANES)) to_b (
        .clk(clk_a), .tx_word(tx_a), .tx_first(tx_first_a), .tx_ready(ready_a),
        .rx_clk(rx_clk_b), .rx_valid(valid_b), .rx_first(rx_first_b), .rx_word(rx_b), .rx_slip(plug ? slip_a : slip_b)
    );
    line #(.WORD_BITS(WORD_BITS), .FLIGHT(FLIGHT), .FIRST(FIRST), .LANES(LANES)) to_a (
        .clk(clk_b), .tx_word(tx_b), .tx_first(tx_first_b), .tx_ready(ready_b),
        .rx_clk(rx_clk_a), .rx_valid(valid_a), .rx_first(rx_first_a), .rx_word(rx_a), .rx_slip(slip_a)
    );

    task fail(input [80*8-1:0] what);
        begin
            $display("%0s, states %0d %0d, sessions %0d %0d, t %0d", what, a.state, b.state, a.session, b.session, $time);
            $finish;
        end
    endtask
    task cycles(input integer n);
        repeat (n) @(posedge clk_a);
    endtask
    // Words that align a receiver, at most, and the quiet time.
    localparam integer ALIGN = 4 * BEATS * WORD_BITS * ((FRAME_WORDS + 1) * FRAME_WORDS + 40) + 4 * SILENCE + 40 * FLIGHT;
    task states(input integer at_a, input integer at_b, input [80*8-1:0] what);
        integer n;
        begin
            n = 0;
            while ((a.state !== at_a | (at_b >= 0 & b.state !== at_b)) & n < ALIGN) begin
                @(posedge clk_a);
                n = n + 1;
            end
            if (n == ALIGN) fail(what);
        end
    endtask
    task restart_b;
        begin
            @(negedge clk_b) b.restart = 1;
            @(negedge clk_b) b.restart = 0;
        end
    endtask
    task traffic(input integer offer, input integer accept);
        begin
            a.offer = offer; b.offer = offer; a.accept = accept; b.accept = accept;
        end
    endtask
    task channel(input integer errors, input integer bursts, input integer slips, input integer stall);
        begin
            to_a.errors = errors; to_b.errors = errors; to_a.bursts = bursts; to_b.bursts = bursts;
            to_a.slips = slips; to_b.slips = slips; to_a.stall = stall; to_b.stall = stall;
        end
    endtask
    task cut(input integer kind_a, input integer kind_b);
        begin
            to_a.cut = kind_a; to_b.cut = kind_b;
        end
    endtask
    // All that was sent arrives.
    task drain;
        integer n, l, some;
        begin
            channel(0, 0, 0, 0);
            cut(0, 0);
            traffic(0, 100);
            n = 0; some = 1;
            while (some & n < 2 * ALIGN) begin
                cycles(10);
                n = n + 10;
                some = |a.s_valid | |b.s_valid;
                for (l = 0; l < LINKS; l = l + 1) some = some | a.seq_out[l] != b.seq_in[l] | b.seq_out[l] != a.seq_in[l];
            end
            if (some) fail("messages are missing");
            for (l = 0; l < LINKS; l = l + 1) if (a.seq_out[l] == 0 | b.seq_out[l] == 0) fail("a link had no traffic");
            if (a.state != 2 | b.state != 2) fail("not up after the traffic");
        end
    endtask
    // Messages per time of a frame, mean of both directions, in percent.
    task rate(input integer links, output integer percent);
        integer from;
        begin
            a.links = links; b.links = links;
            traffic(100, 100);
            cycles(40 * FRAME_WORDS * BEATS + 8 * FLIGHT);
            from = a.total + b.total;
            cycles(400 * FRAME_WORDS * BEATS);
            percent = (a.total + b.total - from) * 100 / 800;
            traffic(0, 100);
            a.links = LINKS; b.links = LINKS;
        end
    endtask

    // The least cycles of a message and of a pace on link 0 from one router to the other. It is half a cycle before the end of the
    // cycle in which the message is offered, and after that in which far_ticks takes the pace.
    integer word_cycles = 1000000, pace_cycles = 1000000, far_ticks = 0, n;
    always @(negedge clk_b) if (scenario == 7 & b.resets == 1 & b.state == 2) begin
        n = ($time + HALF_B - a.entered[b.m_data[7:0]]) / (2 * HALF_B);
        if (b.m_valid[0] & n < word_cycles) word_cycles = n;
        n = ($time - HALF_B - a.ticked[b.far_ticks[0] & 255]) / (2 * HALF_B) - 1;
        if (b.far_ticks[0] > far_ticks & n < pace_cycles) pace_cycles = n;
        far_ticks = b.far_ticks[0];
    end

    integer i, k, r, most, seed, phase;
    integer was_a, was_b, bad_a, bad_b;
    initial begin
        if (!$value$plusargs("scenario=%d", scenario)) scenario = 0;
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        if (!$value$plusargs("phase=%d", phase)) phase = 0;
        if (!$value$plusargs("flight=%d", to_a.flight)) to_a.flight = FLIGHT;
        to_b.flight = to_a.flight;
        repeat (seed) r = $random;
        if (scenario == 4) b.chip = 5;
        if (scenario == 1) cut(4, 4);  // no clock yet
        cycles(8);
        a.rst <= 0;
        cycles(scenario == 1 ? 500 : 3 + phase);
        b.rst <= 0;
        if (scenario == 1) begin
            cycles(3000);
            if (a.state != 0 | b.state != 0) fail("a cable without a clock is not silent");
            cut(0, 0);
        end
        case (scenario)
            0: begin
                states(2, 2, "not up");
                was_a = a.resets;
                bad_a = a.bad; bad_b = b.bad;
                rate(LINKS, r);
                most = RATE ? RATE : HALF_A == HALF_B ? 99 : 75;
                $display("rate of all links %0d, of one", r);
                if (r < most) fail("not the full rate");
                if (LINKS > 1) begin
                    rate(1, r);
                    $display("%0d", r);
                    if (r < most) fail("a link alone has not the full rate");
                end
                drain;
                if (a.bad != bad_a | b.bad != bad_b | a.repetitions + b.repetitions != 0) fail("bad frames on a clean cable");
                if (a.ticks[0] < 20 | b.ticks[LINKS-1] < 20) fail("paces stand");
                for (i = 0; i < 12; i = i + 1) begin
                    // What was lost before has been sent again.
                    channel(0, 0, 0, 0);
                    cycles(8 * FLIGHT + 8 * BEATS * FRAME_WORDS + 100);
                    bad_a = a.repetitions - b.bad; bad_b = b.repetitions - a.bad;
                    case (i)
                        0: channel(100, 0, 0, 0);
                        1: channel(1000, 0, 0, 30);
                        2: channel(WORD_BITS * FRAME_WORDS > 150 ? 3000 : 10000, 0, 0, 0);
                        3: channel(0, 2000, 0, 20);
                        4: channel(20, 200, 300, 20);
                        5: channel(0, 0, 0, 75);
                        default: channel(100, 100, 50, i * 5);
                    endcase
                    case (i % 4)
                        0: traffic(100, 100);
                        1: traffic(50, 50);
                        2: traffic(100, 5);
                        3: traffic(20, 100);
                    endcase
                    cycles(LENGTH);
                    // Only a frame that is lost makes the other end go back. Short frames can be lost in the queue, too.
                    if (i < 3 & FRAME_WORDS > 2 & ($signed(a.repetitions - b.bad - bad_a) > 0 | $signed(b.repetitions - a.bad - bad_b) > 0))
                        fail("an end goes back too often");
                    if (i >= 6) begin
                        k = $unsigned($random) % 4 + 1;
                        cut(i & 1 ? k : 0, k);
                        cycles(i & 2 ? 3 * SILENCE : $unsigned($random) % 300);
                        if (i & 2 && b.state != 0) fail("a cut cable is not silent");
                        cut(0, 0);
                        cycles(LENGTH);
                    end
                    if (i == 7) traffic(100, 0);
                    if (i == 7) cycles(LENGTH);
                    drain;
                end
                if (a.resets != 1 | b.resets != 1 | was_a != 1) fail("a node was reset");
                if (a.repetitions == 0 | b.repetitions == 0 | a.bad == 0 | b.silences == 0) fail("nothing happened");
                if (a.sent != b.received | b.sent != a.received) fail("the counters differ");
            end
            1: begin
                states(2, 2, "not up");
                for (i = 0; i < 8; i = i + 1) begin
                    channel(i & 1 ? 500 : 0, i & 2 ? 200 : 0, 0, 0);
                    traffic(100, 80);
                    cycles(LENGTH / 4 + $unsigned($random) % 100);
                    if (i & 4) cut(0, 2);
                    if (i & 4) cycles($unsigned($random) % (2 * SILENCE));
                    // One end alone.
                    if (i & 1) begin a.rst <= 1; cycles(6); a.rst <= 0; end
                    else begin b.rst <= 1; repeat (6) @(posedge clk_b); b.rst <= 0; end
                    cycles(2);
                    if (i & 4) cycles($unsigned($random) % SILENCE);
                    cut(0, 0);
                    cycles(2 * SILENCE);
                    states(3, 3, "not lost after the reset of one end");
                    traffic(100, 100);
                    cycles(LENGTH);
                    if (i % 2 == 0) channel(0, 0, 0, 0);
                    states(3, 3, "not lost for ever");
                    if (|a.s_ready | |b.s_ready) fail("a lost link is ready");
                    if (a.session != b.session) fail("sessions differ");
                    // A new session, from either end.
                    was_a = a.resets; was_b = b.resets; k = a.session;
                    if (i & 2) begin a.restart <= 1; cycles(1); a.restart <= 0; end
                    else restart_b;
                    traffic(0, 100);
                    states(2, 2, "a new session does not bring the cable up");
                    if (a.session != k + 1 | b.session != k + 1) fail("not the next session");
                    if (a.resets != was_a + 1 | b.resets != was_b + 1) fail("not reset once");
                    traffic(100, 80);
                    cycles(LENGTH);
                    drain;
                end
                // An end is reset while hellos to what it was are under way. Its first data frame has left, so the other end
                // comes up, and both must be lost. Before that the other end has never been up, and both may begin anew.
                for (i = 0; i < 8; i = i + 1) begin
                    channel(0, 0, 0, 0);
                    traffic(100, 100);
                    was_a = a.resets;
                    restart_b;
                    // A hello takes longer to the other end if a word has several beats, and until then that is up as before.
                    for (k = 0; k < ALIGN & a.resets == was_a; k = k + 1) cycles(1);
                    cycles(20);
                    states(2, -1, "a new session does not bring the cable up");
                    cycles(2 * BEATS * FRAME_WORDS + $unsigned($random) % (2 * FLIGHT + FRAME_WORDS));
                    a.rst <= 1; cycles(4); a.rst <= 0;
                    cycles(2 * SILENCE);
                    states(3, 3, "not lost after an early reset");
                end
                // Both at once, in any order.
                a.rst <= 1; b.rst <= 1; cycles(6); a.rst <= 0; cycles(100); b.rst <= 0;
                states(2, 2, "not up after the reset of both");
                if (a.session != 0 | b.session != 0) fail("not session 0");
                a.restart <= 1; cycles(255); a.restart <= 0; cycles(1);
                if (a.session != 255) fail("not session 255");
                states(2, 2, "not up in session 255");
                restart_b;
                cycles(100);
                states(2, 2, "not up behind session 255");
                if (a.session != 1 | b.session != 1) fail("not session 1 behind session 255");
                traffic(100, 100);
                cycles(LENGTH);
                drain;
            end
            2: begin
                states(2, 2, "not up");
                traffic(100, 100);
                cycles(LENGTH);
                a.pattern <= 1; b.pattern <= 1;
                cycles(20 * FRAME_WORDS * BEATS + 8 * FLIGHT + 100);
                for (i = 0; i < 6; i = i + 1) begin
                    bad_a = a.bad - a.patterns; bad_b = b.bad - b.patterns; was_a = a.patterns; was_b = a.good;
                    if (a.state != 7 | b.state != 7) fail("not in state 7");
                    channel(i == 0 ? 0 : i == 2 ? 20000 : 1000, 0, 0, i == 1 ? 40 : 0);
                    if (i == 4) cut(1, 1);
                    if (i == 5) cut(2, 2);
                    cycles(LENGTH);
                    channel(0, 0, 0, 0);
                    cut(0, 0);
                    cycles(2 * FLIGHT + 100);
                    if (a.bad - a.patterns != bad_a | b.bad - b.patterns != bad_b) fail("the wrong words of the pattern are counted wrong");
                    if (a.good != was_b) fail("good frames in a pattern");
                    if (i == 0 ? a.patterns != was_a : a.patterns == was_a) fail("the bench is wrong");
                    if (i > 3 & a.patterns - was_a < LENGTH / BEATS / 2) fail("a dead line passes for the pattern");
                end
                a.pattern <= 0; cycles(300); b.pattern <= 0; cycles(100);
                states(2, 2, "not up after the pattern");
                drain;
            end
            3: begin
                states(4, 4, "a stranger is not seen");
                cycles(LENGTH);
                states(4, 4, "a stranger is not seen for ever");
            end
            4: begin
                states(5, 1, "a wrong chip is not seen");
                if (a.far_end !== {4'd1, 3'd5} | b.far_end !== {4'd0, 3'd1}) fail("not who is at the other end");
                cycles(LENGTH);
                states(5, 1, "a wrong chip is not seen for ever");
            end
            5: begin
                states(6, -1, "a plug is not seen");
                if (a.far_end !== {4'd0, 3'd1}) fail("not who is at the plug");
                cycles(LENGTH);
                states(6, -1, "a plug is not seen for ever");
            end
            7: begin
                states(2, 2, "not up");
                rate(LINKS, r);
                rate(1, k);
                traffic(2, 100);
                // Ticks that do not wait for the other end come at any time, also just before the turn of their link.
                a.rest = 50; b.rest = 50;
                cycles(10000 * LINKS);
                $display("rate %0d alone %0d word %0d pace %0d", r, k, word_cycles, pace_cycles);
            end
            default: begin
                a.file = $fopen("a.words"); b.file = $fopen("b.words");
                channel(500, 0, 0, 20);
                states(2, 2, "not up");
                traffic(30, 50);
                cycles(LENGTH);
                a.restart <= 1; cycles(1); a.restart <= 0;
                cycles(LENGTH);
                drain;
                cycles(40 * FRAME_WORDS * LINKS);  // the last states cross
                $fclose(a.file); $fclose(b.file);
            end
        endcase
        $display("PASS");
        $finish;
    end
endmodule

`default_nettype wire
