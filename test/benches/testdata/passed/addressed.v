// SPDX-License-Identifier: Apache-2.0
//
// passed: the machine addressed4x4, in which node 0 sends to node 2 (x = 2, y = 0) in every cycle and node
// 13 offers one message to node 2 from +offer= on. Prints the cycle in which that message is received.

module passed;

    reg          clk = 1'b0;
    reg          rst = 1'b1;
    reg  [15:0]  tx_valid = 16'd0;
    wire [15:0]  tx_ready;
    wire [255:0] tx_data;
    wire [95:0]  tx_dest;
    wire [15:0]  tx_last;
    wire [15:0]  rx_valid;
    wire [255:0] rx_data;
    wire [63:0]  rx_id;
    wire [15:0]  rx_last;
    wire [15:0]  barrier_release;
    wire         destination_error;
    wire         header_error;

    addressed4x4_network network (
        .clk(clk),
        .rst(rst),
        .s_axis_tvalid(tx_valid),
        .s_axis_tready(tx_ready),
        .s_axis_tdata(tx_data),
        .s_axis_tdest(tx_dest),
        .s_axis_tlast(tx_last),
        .m_axis_tvalid(rx_valid),
        .m_axis_tready(16'hffff),
        .m_axis_tdata(rx_data),
        .m_axis_tid(rx_id),
        .m_axis_tlast(rx_last),
        .barrier_arrive(16'd0),
        .barrier_release(barrier_release),
        .destination_error(destination_error),
        .header_error(header_error)
    );

    // Data without valid are unknown.
    genvar g;
    generate
        for (g = 0; g < 16; g = g + 1) begin : node
            assign tx_data[16*g+:16] = tx_valid[g] ? g : 16'dx;
            assign tx_dest[6*g+:6]   = tx_valid[g] ? {1'b0, 2'd0, 1'b0, 2'd2} : 6'bx;  // {all, digit} of y, of x
            assign tx_last[g]        = tx_valid[g] ? 1'b1 : 1'bx;
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
            tx_valid[0]  = 1'b1;
            tx_valid[13] = cycle >= offer && !taken;
            #1;
            if (tx_valid[13] && tx_ready[13]) taken = 1'b1;
            for (n = 0; n < 16; n = n + 1)
                if (rx_valid[n] && rx_id[4*n+:4] == 13) $display("node %0d receives it in cycle %0d", n, cycle);
            if (^{tx_ready, rx_valid, pace, destination_error, header_error} === 1'bx) $display("unknown in cycle %0d", cycle);
            clk = 1'b1;
            #1 clk = 1'b0;
        end
        $finish;
    end

endmodule
