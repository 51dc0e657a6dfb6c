// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_axi4lite, inserted before its endmodule: the slave obeys the rules of
// AXI4-Lite, and every access takes effect once.

    reg        f_past = 1'b0;
    // The signals of the previous cycle, which master and slave must hold.
    reg        f_aw_q = 1'b0, f_w_q = 1'b0, f_ar_q = 1'b0, f_b_q = 1'b0, f_r_q = 1'b0;
    reg [7:0]  f_awaddr_q, f_araddr_q;
    reg [31:0] f_wdata_q, f_rdata_q;
    reg [3:0]  f_wstrb_q;
    reg [1:0]  f_bresp_q, f_rresp_q;
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
    always @* if (f_past) begin
        if (f_b_q) assert (s_axi_bvalid && s_axi_bresp == f_bresp_q);
        if (f_r_q) assert (s_axi_rvalid && s_axi_rresp == f_rresp_q && s_axi_rdata == f_rdata_q);
        assert (!s_axi_bvalid || s_axi_bresp == 2'b00 || s_axi_bresp == 2'b10);
        assert (!s_axi_rvalid || s_axi_rresp == 2'b00 || s_axi_rresp == 2'b10);
        // ready is high only with a valid access, and never for a read and a write in the same cycle
        assert (s_axi_awready == s_axi_wready);
        if (s_axi_awready) assert (s_axi_awvalid && s_axi_wvalid);
        if (s_axi_arready) assert (s_axi_arvalid);
        assert (!(s_axi_awready && s_axi_arready));
    end

    // One response for each request, with what the registers answer.
    reg        f_b_due = 1'b0, f_r_due = 1'b0;
    reg        f_refused_q;
    reg [31:0] f_read_q;
    reg        f_new_b_q = 1'b0, f_new_r_q = 1'b0;
    always @(posedge clk) begin
        if (s_axi_bvalid && s_axi_bready) f_b_due <= 1'b0;
        if (s_axi_rvalid && s_axi_rready) f_r_due <= 1'b0;
        if (s_axi_awvalid && s_axi_awready) f_b_due <= 1'b1;
        if (s_axi_arvalid && s_axi_arready) f_r_due <= 1'b1;
        f_new_b_q   <= s_axi_awvalid && s_axi_awready && !rst;
        f_new_r_q   <= s_axi_arvalid && s_axi_arready && !rst;
        f_refused_q <= refused;
        f_read_q    <= read_data;
        if (rst) {f_b_due, f_r_due} <= 2'b00;
    end
    always @* if (f_past) begin
        assert (s_axi_bvalid == f_b_due);
        assert (s_axi_rvalid == f_r_due);
        // no access is accepted while the previous response waits
        if (s_axi_awready) assert (!s_axi_bvalid);
        if (s_axi_arready) assert (!s_axi_rvalid);
        if (f_new_b_q) assert (s_axi_bresp[1] == f_refused_q);
        if (f_new_r_q) assert (s_axi_rresp[1] == f_refused_q && s_axi_rdata == f_read_q);
        assert (write == (s_axi_awvalid && s_axi_awready));
        if (write) assert (address == s_axi_awaddr[7:2] && write_data == s_axi_wdata && whole == (s_axi_wstrb == 4'hf));
        if (s_axi_arready) assert (address == s_axi_araddr[7:2]);
    end

    // Every access is accepted within two cycles if the master takes its responses.
    reg [2:0] f_write_waits = 3'd0, f_read_waits = 3'd0;
    always @(posedge clk) begin
        f_write_waits <= s_axi_awvalid && s_axi_wvalid && !s_axi_awready && (!s_axi_bvalid || s_axi_bready) && !rst ? f_write_waits + 1 : 0;
        f_read_waits  <= s_axi_arvalid && !s_axi_arready && (!s_axi_rvalid || s_axi_rready) && !s_axi_awvalid && !rst ? f_read_waits + 1 : 0;
    end
    always @* if (f_past) assert (f_write_waits < 2 && f_read_waits < 2);

    always @* begin
        cover (f_past && s_axi_bvalid && s_axi_bready && s_axi_bresp == 0);
        cover (f_past && s_axi_bvalid && s_axi_bresp == 2);
        cover (f_past && s_axi_rvalid && s_axi_rready && s_axi_rresp == 0);
        cover (f_past && s_axi_rvalid && s_axi_bvalid);
    end
