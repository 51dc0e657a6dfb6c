// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_endpoint_wishbone, inserted before its endmodule: the slave obeys the rules of Wishbone B4
// classic cycles; an access is passed on once, stays until it is done, and is answered once, in the next cycle.

    reg                f_past = 1'b0;
    reg                f_held;   // the access of the previous cycle was not answered in it
    reg                f_stays;  // it was passed on, and not done
    reg                f_ended;  // it was done
    reg                f_refused;
    reg [31:0]         f_read;
    reg                f_we_q;
    reg [BUS_BITS-1:0] f_adr_q;
    reg [31:0]         f_dat_q;
    reg [3:0]          f_sel_q;
    reg                f_open = 1'b0;  // an access was passed on and is not answered
    always @(posedge clk) begin
        f_past    <= 1'b1;
        f_held    <= wb_cyc_i && wb_stb_i && !wb_ack_o && !wb_err_o && !rst;
        f_stays   <= access && !done && !rst;
        f_ended   <= access && done && !rst;
        f_refused <= refused;
        f_read    <= read_data;
        f_we_q    <= wb_we_i;
        f_adr_q   <= wb_adr_i;
        f_dat_q   <= wb_dat_i;
        f_sel_q   <= wb_sel_i;
        f_open    <= (access || f_open) && !wb_ack_o && !wb_err_o && !rst;
    end
    always @* begin
        if (!f_past) assume (rst);
        // a master holds its access until it is answered
        if (f_past && f_held) begin
            assume (wb_cyc_i && wb_stb_i && wb_we_i == f_we_q && wb_adr_i == f_adr_q);
            assume (wb_dat_i == f_dat_q && wb_sel_i == f_sel_q);
        end
    end

    // Contract.
    always @* if (f_past) begin
        assert (!(wb_ack_o && wb_err_o));
        // answered in the cycle after it was done, and never without an access
        assert ((wb_ack_o || wb_err_o) == f_ended);
        if (wb_ack_o || wb_err_o) assert (f_open && wb_cyc_i && wb_stb_i && !access);
        if (f_ended) assert (wb_err_o == f_refused && wb_dat_o == f_read);
        // begins at once, and stays until it is done
        assert (access == (wb_cyc_i && wb_stb_i && !f_ended));
        if (f_stays) assert (access && access_write == f_we_q && access_address == f_adr_q[BUS_BITS-1:2]);
        if (f_stays) assert (access_strobes == f_sel_q && access_data == f_dat_q);
        if (access) assert ({access_write, access_strobes, access_address, access_data} == {wb_we_i, wb_sel_i, wb_adr_i[BUS_BITS-1:2], wb_dat_i});
    end

    // Invariants.
    always @* if (f_past) assert (!f_ended || f_open);

    always @* begin
        cover (f_past && wb_ack_o && f_we_q);
        cover (f_past && wb_err_o);
        cover (f_past && f_stays && done && !access_write);
    end
