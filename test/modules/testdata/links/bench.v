// SPDX-License-Identifier: Apache-2.0
//
// bench: compares a link with the contract in docs/links.md, in every cycle. It prints PASS, or the
// first difference.
//
// The contract is stated here with counts and times: words are numbered in the order in which they
// cross the near end. A link with STAGES above 0 has slices, else credits.

`default_nettype none

module bench;

    parameter integer WIDTH   = 8;
    parameter integer STAGES  = 0;
    parameter integer LATENCY = 3;
    parameter integer CYCLES  = 6000;  // of random traffic

    localparam integer MOST   = 65536;  // words
    localparam integer LATE   = STAGES > 0 ? STAGES : LATENCY;
    localparam integer PLACES = STAGES > 0 ? 2 * STAGES : 2 * LATENCY + 1;

    reg              clk = 1'b0;
    reg              rst = 1'b1;
    reg              s_valid;
    wire             s_ready;
    reg  [WIDTH-1:0] s_data;
    wire             m_valid;
    reg              m_ready;
    wire [WIDTH-1:0] m_data;
    reg  [2:0]       pace;
    wire [2:0]       late_pace;

    generate
        if (STAGES > 0) begin : slices
            hc_link_slices #(
                .WIDTH (WIDTH),
                .STAGES(STAGES)
            ) link (
                .clk          (clk),
                .rst          (rst),
                .s_axis_tvalid(s_valid),
                .s_axis_tready(s_ready),
                .s_axis_tdata (s_data),
                .m_axis_tvalid(m_valid),
                .m_axis_tready(m_ready),
                .m_axis_tdata (m_data)
            );
        end else begin : credits
            hc_link_credits #(
                .WIDTH  (WIDTH),
                .LATENCY(LATENCY)
            ) link (
                .clk          (clk),
                .rst          (rst),
                .s_axis_tvalid(s_valid),
                .s_axis_tready(s_ready),
                .s_axis_tdata (s_data),
                .m_axis_tvalid(m_valid),
                .m_axis_tready(m_ready),
                .m_axis_tdata (m_data)
            );
        end
    endgenerate

    hc_delay #(
        .WIDTH (3),
        .CYCLES(LATE)
    ) delay (
        .clk  (clk),
        .rst  (rst),
        .value(pace),
        .late (late_pace)
    );

    // The contract. Cycle 0 is the first cycle after reset.
    integer          now = 0;
    reg  [WIDTH-1:0] word      [0:MOST-1];
    integer          sent      [0:MOST-1];  // cycle in which a word crossed the near end
    integer          taken     [0:MOST-1];  // cycle in which it crossed the far end
    reg  [2:0]       paces     [0:MOST-1];
    integer          in, out, back;         // words that crossed the near end and the far end, and credits that are back
    integer          held      [0:7];       // words in each slice at the start of the cycle
    integer          next_held [0:7];
    reg              ready, valid;
    integer          i;

    task expected;
        begin
            if (STAGES > 0) begin
                ready = held[0] < 2;
                valid = held[STAGES-1] > 0;
            end else begin
                while (back < out && taken[back] + LATENCY + 1 <= now) back = back + 1;
                ready = 2 * LATENCY + 1 - in + back > 0;
                valid = out < in && sent[out] + LATENCY <= now;
            end
        end
    endtask

    task advance;
        begin
            if (STAGES > 0) begin
                for (i = 0; i < STAGES; i = i + 1) next_held[i] = held[i];
                for (i = 0; i < STAGES; i = i + 1)
                    if (held[i] > 0 && (i == STAGES - 1 ? m_ready : held[i+1] < 2)) begin
                        next_held[i] = next_held[i] - 1;
                        if (i < STAGES - 1) next_held[i+1] = next_held[i+1] + 1;
                    end
                if (s_valid && ready) next_held[0] = next_held[0] + 1;
                for (i = 0; i < STAGES; i = i + 1) held[i] = next_held[i];
            end
            if (s_valid && ready) begin
                word[in] = s_data;
                sent[in] = now;
                in       = in + 1;
            end
            if (valid && m_ready) begin
                taken[out] = now;
                out        = out + 1;
            end
            paces[now] = pace;
            now        = now + 1;
        end
    endtask

    task fail(input [8*40-1:0] what);
        begin
            $display("FAIL: cycle %0d: %0s", now, what);
            $finish;
        end
    endtask

    // One cycle, whose inputs have been set.
    task cycle;
        begin
            #1 expected;
            if (s_ready !== ready) fail("ready at the near end");
            if (m_valid !== valid) fail("valid at the far end");
            if (valid && m_data !== word[out]) fail("data at the far end");
            if (late_pace !== (now < LATE ? 3'd0 : paces[now-LATE])) fail("late pace");
            advance;
            #1 clk = 1'b1;
            #1 clk = 1'b0;
        end
    endtask

    task randomize;  // of all but valid and ready
        begin
            for (i = 0; i < WIDTH; i = i + 32) s_data = {s_data, $random};
            pace = $random;
        end
    endtask

    // A reset of some cycles, in which inputs are valid.
    task reset(input integer cycles);
        begin
            rst = 1'b1;
            repeat (cycles) begin
                randomize;
                s_valid = 1'b1;
                m_ready = $random;
                #1 clk = 1'b1;
                #1 clk = 1'b0;
                if (m_valid !== 1'b0) fail("valid in reset");
            end
            rst  = 1'b0;
            now  = 0;
            in   = 0;
            out  = 0;
            back = 0;
            for (i = 0; i < 8; i = i + 1) held[i] = 0;
        end
    endtask

    integer life, sender, receiver, first;

    initial begin
        // Random traffic, with senders and receivers that change between busy and slow ones.
        for (life = 0; life < 4; life = life + 1) begin
            reset(life == 0 ? 3 : 1);
            repeat (CYCLES / 4) begin
                if (now % (8 * LATE) == 0) begin
                    sender   = $random & 3;
                    receiver = $random & 3;
                end
                randomize;
                s_valid = sender == 3 ? 1'b1 : ($random & 3) <= sender;
                m_ready = receiver == 3 ? 1'b1 : ($random & 3) <= receiver;
                cycle;
            end
            if (out < CYCLES / 16) fail("few words");
        end

        // The full rate, and the latency.
        reset(1);
        s_valid = 1'b1;
        m_ready = 1'b1;
        repeat (8 * LATE) begin
            randomize;
            cycle;
        end
        if (in != 8 * LATE || out != 7 * LATE) fail("rate");

        // The capacity, and the full rate behind backpressure.
        reset(1);
        m_ready = 1'b0;
        repeat (8 * LATE) begin
            randomize;
            cycle;
        end
        if (in != PLACES) fail("places");
        m_ready = 1'b1;
        repeat (8 * LATE) begin
            randomize;
            cycle;
        end
        first = in;
        repeat (8 * LATE) begin
            randomize;
            cycle;
        end
        if (in != first + 8 * LATE) fail("rate behind backpressure");
        $display("PASS");
        $finish;
    end

endmodule

`default_nettype wire
