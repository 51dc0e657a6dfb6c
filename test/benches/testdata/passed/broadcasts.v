// SPDX-License-Identifier: Apache-2.0
//
// passed: a 4x4 torus in which node 0 broadcasts in every cycle. Receiver 6 is not ready in ten
// cycles, and node 1 offers one broadcast from +offer= on. Prints the cycle in which each node receives it.

module passed;

    reg          clk = 1'b0;
    reg          rst = 1'b1;
    reg  [15:0]  tx_valid = 16'd0;
    wire [15:0]  tx_ready;
    wire [511:0] tx_data;
    wire [15:0]  rx_valid;
    reg  [15:0]  rx_ready = 16'hffff;
    wire [511:0] rx_data;
    wire         header_error;

    torus4x4_network network (
        .clk(clk),
        .rst(rst),
        .s_axis_tvalid(tx_valid),
        .s_axis_tready(tx_ready),
        .s_axis_tdata(tx_data),
        .m_axis_tvalid(rx_valid),
        .m_axis_tready(rx_ready),
        .m_axis_tdata(rx_data),
        .header_error(header_error)
    );

    // Data without valid are unknown. A payload is the number of its source.
    genvar g;
    generate
        for (g = 0; g < 16; g = g + 1) begin : node
            assign tx_data[32*g+:32] = tx_valid[g] ? g : 32'dx;
        end
    endgenerate

    wire [31:0] pace = {network.n15_pace, network.n14_pace, network.n13_pace, network.n12_pace, network.n11_pace, network.n10_pace, network.n9_pace, network.n8_pace,
                          network.n7_pace, network.n6_pace, network.n5_pace, network.n4_pace, network.n3_pace, network.n2_pace, network.n1_pace, network.n0_pace};

    integer cycle, offer, cycles, n;
    reg     taken;
    initial begin
        if (!$value$plusargs("offer=%d", offer) || !$value$plusargs("cycles=%d", cycles)) $finish;
        repeat (4) #1 clk = !clk;
        rst   = 1'b0;
        taken = 1'b0;
        for (cycle = 0; cycle < cycles; cycle = cycle + 1) begin
            tx_valid[0] = 1'b1;
            tx_valid[1] = cycle >= offer && !taken;
            rx_ready[6] = cycle < 200 || cycle > 209;
            #1;
            if (tx_valid[1] && tx_ready[1]) taken = 1'b1;
            for (n = 0; n < 16; n = n + 1)
                if (rx_valid[n] && rx_ready[n] && rx_data[32*n+:32] == 1) $display("node %0d receives it in cycle %0d", n, cycle);
            if (^{tx_ready, rx_valid, pace, header_error} === 1'bx) $display("unknown in cycle %0d", cycle);
            clk = 1'b1;
            #1 clk = 1'b0;
        end
        $finish;
    end

endmodule
