// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_endpoint_axi4lite, inserted before its endmodule: the slave obeys the rules of AXI4-Lite; an
// access is passed on once, stays until it is done, and has one response, which waits until it is taken.

    reg                f_past = 1'b0;
    // The signals of the previous cycle, which master and slave must hold.
    reg                f_aw_q = 1'b0, f_w_q = 1'b0, f_ar_q = 1'b0, f_b_q = 1'b0, f_r_q = 1'b0;
    reg [BUS_BITS-1:0] f_awaddr_q, f_araddr_q;
    reg [31:0]         f_wdata_q, f_rdata_q;
    reg [3:0]          f_wstrb_q;
    reg [1:0]          f_bresp_q, f_rresp_q;
    always @(posedge clk) begin
        f_past     <= 1'b1;
        f_aw_q     <= s_axi_awvalid && !s_axi_awready && !rst;
        f_w_q      <= s_axi_wvalid && !s_axi_wready && !rst;
        f_ar_q     <= s_axi_arvalid && !s_axi_arready && !rst;
        f_b_q      <= s_axi_bvalid && !s_axi_bready && !rst;
        f_r_q      <= s_axi_rvalid && !s_axi_rready && !rst;
        f_awaddr_q <= s_axi_awaddr;
        f_araddr_q <= s_axi_araddr;
        f_wdata_q  <= s_axi_wdata;
        f_wstrb_q  <= s_axi_wstrb;
        f_bresp_q  <= s_axi_bresp;
        f_rresp_q  <= s_axi_rresp;
        f_rdata_q  <= s_axi_rdata;
    end
    always @* begin
        if (!f_past) assume (rst);
        if (f_aw_q) assume (s_axi_awvalid && s_axi_awaddr == f_awaddr_q);
        if (f_w_q) assume (s_axi_wvalid && s_axi_wdata == f_wdata_q && s_axi_wstrb == f_wstrb_q);
        if (f_ar_q) assume (s_axi_arvalid && s_axi_araddr == f_araddr_q);
    end

    // What is under way, and the responses that are due, by the description of the bus in docs/endpoints.md.
    reg        f_writes = 1'b0, f_reads = 1'b0;
    reg        f_b_due = 1'b0, f_r_due = 1'b0;
    reg        f_new_b = 1'b0, f_new_r = 1'b0;  // due since this cycle
    reg        f_refused;
    reg [31:0] f_read;
    wire       f_idle    = !f_writes && !f_reads;
    reg        f_wrote = 1'b0;  // the access before was a write
    wire       f_can_write = s_axi_awvalid && s_axi_wvalid && (!f_b_due || s_axi_bready);
    wire       f_can_read  = s_axi_arvalid && (!f_r_due || s_axi_rready);
    wire       f_write     = f_idle && f_can_write && !(f_can_read && f_wrote);
    wire       f_readies   = f_idle && f_can_read && !f_write;
    always @(posedge clk) begin
        f_wrote   <= (f_idle ? f_wrote : f_writes) && !rst;
        f_writes  <= (f_write || (f_writes && !done)) && !rst;
        f_reads   <= (f_readies || (f_reads && !done)) && !rst;
        f_b_due   <= ((f_writes && done) || (f_b_due && !s_axi_bready)) && !rst;
        f_r_due   <= ((f_reads && done) || (f_r_due && !s_axi_rready)) && !rst;
        f_new_b   <= f_writes && done && !rst;
        f_new_r   <= f_reads && done && !rst;
        f_refused <= refused;
        f_read    <= read_data;
    end

    // Contract.
    always @* if (f_past) begin
        if (f_b_q) assert (s_axi_bvalid && s_axi_bresp == f_bresp_q);
        if (f_r_q) assert (s_axi_rvalid && s_axi_rresp == f_rresp_q && s_axi_rdata == f_rdata_q);
        assert (s_axi_bvalid == f_b_due);
        assert (s_axi_rvalid == f_r_due);
        if (f_new_b) assert (s_axi_bresp == (f_refused ? 2'b10 : 2'b00));
        if (f_new_r) assert (s_axi_rresp == (f_refused ? 2'b10 : 2'b00) && s_axi_rdata == f_read);
        assert (!(f_writes && f_reads));
        assert (access == (f_writes || f_reads));
        // no response is overwritten
        if (f_writes) assert (!s_axi_bvalid);
        if (f_reads) assert (!s_axi_rvalid);
        assert (s_axi_awready == (f_writes && done) && s_axi_wready == s_axi_awready);
        assert (s_axi_arready == (f_reads && done));
        // what is passed on stays, because the master holds it
        if (access) assert (access_write == f_writes);
        if (f_writes) assert (s_axi_awvalid && s_axi_wvalid && access_address == s_axi_awaddr[BUS_BITS-1:2]);
        if (f_writes) assert (access_strobes == s_axi_wstrb && access_data == s_axi_wdata);
        if (f_reads) assert (s_axi_arvalid && access_address == s_axi_araddr[BUS_BITS-1:2]);
    end

    // Invariants.
    always @* if (f_past) assert (write_q == f_writes && read_q == f_reads && wrote_q == f_wrote);

    always @* begin
        cover (f_past && s_axi_bvalid && s_axi_bready && s_axi_bresp == 0);
        cover (f_past && s_axi_bvalid && s_axi_bresp == 2);
        cover (f_past && s_axi_rvalid && s_axi_rready && s_axi_rresp == 0);
        cover (f_past && s_axi_rvalid && s_axi_bvalid);
        cover (f_past && f_b_q && f_reads && done);
    end
