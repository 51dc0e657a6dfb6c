// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_wishbone, inserted before its endmodule: the slave obeys the rules of Wishbone B4
// classic cycles, and every access takes effect once.

    reg       f_past = 1'b0;
    reg       f_stb_q;      // an access waits for its answer
    reg       f_we_q;
    reg [5:0] f_address_q;
    reg [31:0] f_data_q;
    reg [3:0] f_sel_q;
    always @(posedge clk) begin
        f_past      <= 1'b1;
        f_stb_q     <= wb_cyc_i && wb_stb_i && !wb_ack_o && !wb_err_o && !rst;
        f_we_q      <= wb_we_i;
        f_address_q <= address;
        f_data_q    <= wb_dat_i;
        f_sel_q     <= wb_sel_i;
    end
    always @* begin
        if (!f_past) assume (rst);
        // a master holds its access until it is answered
        if (f_past && f_stb_q) begin
            assume (wb_cyc_i && wb_stb_i && wb_we_i == f_we_q && wb_adr_i[7:2] == f_address_q);
            assume (wb_dat_i == f_data_q && wb_sel_i == f_sel_q);
        end
    end

    reg        f_refused_q;
    reg [31:0] f_read_q;
    always @(posedge clk) begin
        f_refused_q <= refused;
        f_read_q    <= read_data;
    end
    always @* if (f_past) begin
        assert (!(wb_ack_o && wb_err_o));
        // answered in the next cycle, with the data read in this one, and never without an access
        assert ((wb_ack_o || wb_err_o) == f_stb_q);
        if (f_stb_q) assert (wb_err_o == f_refused_q && wb_dat_o == f_read_q);
        // a write is passed on only in the cycle before its answer
        assert (write == (wb_cyc_i && wb_stb_i && wb_we_i && !f_stb_q));
        if (write) assert (write_data == wb_dat_i && address == wb_adr_i[7:2] && whole == (wb_sel_i == 4'hf));
    end

    reg f_written = 1'b0;
    always @(posedge clk) f_written <= f_past && write;
    always @* begin
        cover (f_past && wb_ack_o && f_written);
        cover (f_past && wb_err_o);
        cover (f_past && wb_ack_o && !f_we_q);
    end
