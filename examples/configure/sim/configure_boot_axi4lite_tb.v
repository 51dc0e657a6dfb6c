// SPDX-License-Identifier: Apache-2.0
//
// Bench of configure_boot_axi4lite alone. Unlike the bridge of the routers, its slave accepts the
// address and the data of a write in any order, cycles apart, and responds after random delays. It
// compares the accesses with the registers that hcgen generates, and answers a random access with
// an error: `failed` must rise, and no access may follow.

`default_nettype none

module configure_boot_axi4lite_tb;

`include "hc_registers.vh"

    localparam integer ACCESSES = 5;  // four writes, and a read that is repeated
    localparam integer STATUS = 4;    // the number of that read

    reg         clk = 1'b0;
    reg         rst = 1'b1;
    reg         start = 1'b0;
    reg  [1:0]  preference = 2'd0;
    wire        ready;
    wire        failed;
    wire        aw_valid;
    reg         aw_ready = 1'b0;
    wire [7:0]  aw_addr;
    wire [2:0]  aw_prot;
    wire        w_valid;
    reg         w_ready = 1'b0;
    wire [31:0] w_data;
    wire [3:0]  w_strb;
    reg         b_valid = 1'b0;
    wire        b_ready;
    reg  [1:0]  b_resp = 2'd0;
    wire        ar_valid;
    reg         ar_ready = 1'b0;
    wire [7:0]  ar_addr;
    wire [2:0]  ar_prot;
    reg         r_valid = 1'b0;
    wire        r_ready;
    reg  [31:0] r_data = 32'd0;
    reg  [1:0]  r_resp = 2'd0;

    configure_boot_axi4lite dut (
        .clk(clk),
        .rst(rst),
        .start(start),
        .preference(preference),
        .ready(ready),
        .failed(failed),
        .m_axi_awvalid(aw_valid),
        .m_axi_awready(aw_ready),
        .m_axi_awaddr(aw_addr),
        .m_axi_awprot(aw_prot),
        .m_axi_wvalid(w_valid),
        .m_axi_wready(w_ready),
        .m_axi_wdata(w_data),
        .m_axi_wstrb(w_strb),
        .m_axi_bvalid(b_valid),
        .m_axi_bready(b_ready),
        .m_axi_bresp(b_resp),
        .m_axi_arvalid(ar_valid),
        .m_axi_arready(ar_ready),
        .m_axi_araddr(ar_addr),
        .m_axi_arprot(ar_prot),
        .m_axi_rvalid(r_valid),
        .m_axi_rready(r_ready),
        .m_axi_rdata(r_data),
        .m_axi_rresp(r_resp)
    );

    // The current access, the parts that the slave has accepted, and the slave's plan for this configuration.
    integer     access;
    reg  [39:0] wanted;    // its address and data
    reg         address_got, data_got, ended;
    reg  [2:0]  waiting;   // on offer and not accepted: address of a write, its data, address of a read
    integer     refused;   // the access that is refused; from ACCESSES upwards: none
    reg  [1:0]  response;  // to the refused access
    integer     polls;     // reads of the status before the last one
    reg         illegal;   // the last status reports an illegal machine
    integer turn, cycle, seed, successes, refusals, address_first, data_first;

    task fail(input [8*48-1:0] what);
        begin
            $display("FAIL: configure_boot_axi4lite: %0s in cycle %0d, machine %0d, access %0d", what, cycle, turn,
                     access);
            $finish_and_return(3);
        end
    endtask

    task step;
        reg aw_taken, w_taken, ar_taken, b_taken, r_taken;
        begin
            {aw_ready, w_ready, ar_ready} = $random(seed);
            if (!b_valid) b_valid = access < STATUS && address_got && data_got && $random(seed) % 4 == 0;
            if (!r_valid && access == STATUS && address_got && $random(seed) % 4 == 0) begin
                // a refused status claims that the machine is configured
                r_valid = 1'b1;
                r_data = $random(seed);
                r_data[HC_STATUS_DONE_LSB] = refused == STATUS || (polls == 0 && !illegal);
                r_data[HC_STATUS_ERROR_LSB] = refused != STATUS && polls == 0 && illegal;
            end
            b_resp = access == refused ? response : 2'd0;
            r_resp = b_resp;
            case (access)
                0: wanted = {HC_RANK, 32'd1 << HC_RANK_R_LSB};
                1: wanted = {HC_PREFERENCE, 30'd0, preference};
                2: wanted = {HC_DIMENSION, (32'd4 << HC_DIMENSION_M_LSB) | (32'd1 << HC_DIMENSION_RHO_LSB)};
                3: wanted = {HC_CONTROL, 32'd1 << HC_CONTROL_START_LSB};
                default: wanted = {HC_STATUS, 32'd0};
            endcase
            #1;
            if (waiting & ~{aw_valid, w_valid, ar_valid}) fail("an offer is withdrawn");
            if (aw_valid && (ended || access == STATUS || address_got)) fail("a write address too many");
            if (w_valid && (ended || access == STATUS || data_got)) fail("write data too many");
            if (ar_valid && (ended || access != STATUS || address_got)) fail("a read too many");
            if (aw_valid && aw_addr != wanted[39:32]) fail("another register is written");
            if (w_valid && {w_strb, w_data} != {4'b1111, wanted[31:0]}) fail("something else is written");
            if (ar_valid && ar_addr != wanted[39:32]) fail("another register is read");
            if (!ended && (ready || failed)) fail("it ends too soon");
            aw_taken = aw_valid & aw_ready;
            w_taken = w_valid & w_ready;
            ar_taken = ar_valid & ar_ready;
            b_taken = b_valid & b_ready;
            r_taken = r_valid & r_ready;
            waiting = {aw_valid & !aw_ready, w_valid & !w_ready, ar_valid & !ar_ready};
            if (aw_taken && !w_taken && !data_got) address_first = address_first + 1;
            if (w_taken && !aw_taken && !address_got) data_first = data_first + 1;
            clk = 1'b1;
            #1;
            clk = 1'b0;
            if (aw_taken || ar_taken) address_got = 1'b1;
            if (w_taken) data_got = 1'b1;
            if (b_taken || r_taken) begin
                {b_valid, r_valid, address_got, data_got} = 4'd0;
                if (access == refused || (r_taken && polls == 0)) ended = 1'b1;
                else if (b_taken) access = access + 1;
                else polls = polls - 1;
            end
            cycle = cycle + 1;
        end
    endtask

    initial begin
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        cycle = 0;
        successes = 0;
        refusals = 0;
        address_first = 0;
        data_first = 0;
        for (turn = 0; turn < 2000; turn = turn + 1) begin
            access = 0;
            {address_got, data_got, waiting} = 5'd0;
            refused = turn % (2 * ACCESSES);
            illegal = $random(seed);
            polls = $random(seed) & 3;
            preference = $random(seed);
            response = {1'b1, $random(seed) % 2 == 0};  // SLVERR or DECERR
            rst = turn == 0 || $random(seed) % 2 == 0;  // a reset also begins a configuration
            start = !rst;
            clk = 1'b1;
            #1;
            clk = 1'b0;
            rst = 1'b0;
            start = 1'b0;
            ended = 1'b0;
            if (aw_valid !== 1'b0 || w_valid !== 1'b0 || ar_valid !== 1'b0) fail("an access out of the reset");
            cycle = 0;
            while (!ended) begin
                step;
                if (cycle > 1000) fail("timeout");
            end
            repeat (10) begin
                step;
                if (failed != (refused < ACCESSES || illegal)) fail("failed without a reason, or not with one");
                if (ready == failed) fail("ready and failed");
            end
            successes = successes + ready;
            refusals = refusals + (refused < ACCESSES);
        end
        if (successes < 100 || refusals < 100) fail("too few configurations or refusals");
        if (address_first < 100 || data_first < 100) fail("too few writes were accepted in two cycles");
        $display("PASS: configure_boot_axi4lite: configured %0d times, %0d accesses refused", successes, refusals);
        $display("PASS: configure_boot_axi4lite: %0d writes taken address first, %0d data first", address_first, data_first);
        $finish;
    end

endmodule

`default_nettype wire
