// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_chip_reset, inserted before its endmodule: when reset ends, the queue between both clocks has
// forgotten everything of the time before rst: each side was in reset, and the other side has then had three edges
// in its own reset, so that no count of the time before is left in its crossing. The edges of both clocks are free, and rst may come again.

    (* gclk *) reg f_moment;
    reg       f_start = 1'b1;         // the first moment, in which the receiver has nothing
    reg       f_past = 1'b0;          // rst has come
    reg [2:0] f_long = 3'd0;          // edges with rst, at most 4
    reg [1:0] f_seen_here = 2'd0;     // edges of clk in reset while the receiver had nothing, at most 3
    reg [1:0] f_seen_there = 2'd0;    // edges of rx_clk in reset while clk had nothing, at most 3
    reg       f_empty_here = 1'b0, f_empty_there = 1'b0;  // the last edge was one in reset
    reg [1:0] f_rounds = 2'd0;        // resets that are over
    reg       f_reset = 1'b1, f_rx_rst = 1'b1, f_rst = 1'b1, f_clk = 1'b1, f_rx_clk = 1'b1;
    wire      f_edge = clk && !f_clk, f_rx_edge = rx_clk && !f_rx_clk;

    always @(posedge f_moment) begin
        f_start  <= 1'b0;
        {f_clk, f_rx_clk} <= {clk, rx_clk};
        f_reset  <= reset;
        f_rx_rst <= rx_rst;
        f_rst    <= rst;
        if (f_edge) begin
            f_past       <= 1'b1;
            f_long       <= !f_rst ? 3'd0 : f_long + (f_long != 3'd4);
            f_empty_here <= f_reset;
            if (f_seen_here != 2'd3) f_seen_here <= f_empty_there && f_reset ? f_seen_here + 2'd1 : 2'd0;
            if (f_reset && !reset && f_rounds != 2'd3) f_rounds <= f_rounds + 2'd1;
        end
        if (f_rx_edge) begin
            f_empty_there <= f_rx_rst;
            if (f_seen_there != 2'd3) f_seen_there <= f_empty_here && f_rx_rst ? f_seen_there + 2'd1 : 2'd0;
        end
        if (f_edge && f_rst) begin
            f_seen_here  <= 2'd0;
            f_seen_there <= 2'd0;
        end
    end
    (* hierconn *) wire \request_flag.first_q , \acknowledge_flag.first_q ;
    always @* begin
        if (f_start) assume (!request_q && !acknowledged && !requested && requests_q == 3'd0 && !rst_q && !acknowledge_q);
        if (f_start) assume (! \request_flag.first_q && ! \acknowledge_flag.first_q );
        assume (f_edge || rst == f_rst);                     // it is synchronous to clk
        if (!f_past) assume (rst);
        if (f_rst && f_long != 3'd4 && f_past) assume (rst);  // and long enough
    end

    // Contract.
    always @* if (f_past) begin
        assert (reset || f_reset || f_rst || (f_seen_here == 2'd3 && f_seen_there == 2'd3));
        assert (reset || f_rst || f_rx_rst || !rx_rst);  // and the receiver is not in reset again
    end
    always @* cover (f_past && f_rounds == 2'd1 && !reset && !rst);
