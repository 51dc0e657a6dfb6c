// SPDX-License-Identifier: Apache-2.0
//
// Bench of both tops, which have the same ports; `TOP selects the top. It drives random messages
// and stalls while the routers are configured repeatedly, each time with another preference. Every
// accepted message is delivered to the three other nodes, once and in order. At the end it writes an
// illegal preference: the routers stay closed.

`default_nettype none

module configure_tb #(
    parameter NAME = ""  // module name of the top, for messages
);

    localparam integer NODES = 4;

    reg         clk = 1'b0;
    reg         rst = 1'b1;
    reg         start = 1'b0;
    reg  [1:0]  preference = 2'd0;
    reg  [3:0]  in_valid = 4'd0;
    reg  [31:0] in_data = 32'd0;
    reg  [3:0]  out_ready = 4'd0;
    wire        ready;
    wire        failed;
    wire [3:0]  in_ready;
    wire [3:0]  out_valid;
    wire [31:0] out_data;
    wire        header_error;

    `TOP dut (
        .clk(clk),
        .rst(rst),
        .start(start),
        .preference(preference),
        .ready(ready),
        .failed(failed),
        .s_axis_tvalid(in_valid),
        .s_axis_tready(in_ready),
        .s_axis_tdata(in_data),
        .m_axis_tvalid(out_valid),
        .m_axis_tready(out_ready),
        .m_axis_tdata(out_data),
        .header_error(header_error)
    );

    // A closed router accepts no new message, but completes a message of which it has made copies.
    reg  [3:0]  begun = 4'd0;

    // A payload is its source and the lowest 6 bits of its number.
    integer sent [0:NODES-1];
    integer received [0:NODES*NODES-1];  // by node, then source
    integer n, s, cycle, turn, seed, configurations;

    task fail(input [8*48-1:0] what);
        begin
            $display("FAIL: %0s: %0s in cycle %0d", NAME, what, cycle);
            $finish_and_return(3);
        end
    endtask

    // One cycle. A message on offer stays; new messages are offered only with `offer`.
    task step(input offer);
        reg [3:0] taken;
        begin
            for (n = 0; n < NODES; n = n + 1) begin
                if (!in_valid[n]) in_valid[n] = offer && $random(seed) % 4 == 0;
                s = sent[n];
                in_data[8*n+:8] = {n[1:0], s[5:0]};
            end
            out_ready = $random(seed);
            #1;
            if (header_error) fail("a malformed header");
            if (|(in_ready & in_valid & ~begun) && !dut.configured) fail("a closed router accepts a message");
            taken = in_valid & in_ready;
            for (n = 0; n < NODES; n = n + 1) begin
                if (out_valid[n] && out_ready[n]) begin
                    s = out_data[8*n+6+:2];
                    if (s == n) fail("a node receives its own message");
                    if (received[4*n+s] % 64 != out_data[8*n+:6]) fail("a message is lost, doubled, or out of order");
                    received[4*n+s] = received[4*n+s] + 1;
                end
            end
            begun = (dut.configured ? in_valid : begun) & ~taken;
            clk = 1'b1;
            #1;
            clk = 1'b0;
            for (n = 0; n < NODES; n = n + 1) if (taken[n]) sent[n] = sent[n] + 1;
            in_valid = in_valid & ~taken;
            cycle = cycle + 1;
            if (cycle > 100000) fail("timeout");
        end
    endtask

    initial begin
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        cycle = 0;
        configurations = 0;
        for (n = 0; n < NODES; n = n + 1) sent[n] = 0;
        for (n = 0; n < NODES * NODES; n = n + 1) received[n] = 0;
        step(1'b0);
        rst = 1'b0;
        for (turn = 0; turn < 30; turn = turn + 1) begin
            // Messages are offered before the routers are ready, and are in the network when
            // the next configuration starts.
            while (!ready) begin
                step(1'b1);
                if (failed) fail("a legal machine is refused");
            end
            configurations = configurations + 1;
            repeat (40 + turn) step(1'b1);
            preference = (turn + 1) % 3;
            start = 1'b1;
            step(1'b1);
            start = 1'b0;
            while (ready) step(1'b1);
        end
        while (!ready) step(1'b0);
        repeat (1000) step(1'b0);
        for (n = 0; n < NODES; n = n + 1)
            for (s = 0; s < NODES; s = s + 1)
                if (received[4*n+s] != (n == s ? 0 : sent[s])) fail("not all messages were delivered");
        if (sent[0] < 100) fail("too few messages were accepted");

        preference = 2'd3;
        start = 1'b1;
        step(1'b0);
        start = 1'b0;
        while (!failed) step(1'b0);
        repeat (100) begin
            step(1'b1);
            if (ready) fail("an illegal machine is accepted");
        end
        $display("PASS: %0s: configured %0d times in %0d cycles, %0d messages", NAME, configurations, cycle,
                 sent[0] + sent[1] + sent[2] + sent[3]);
        $finish;
    end

endmodule

`default_nettype wire
