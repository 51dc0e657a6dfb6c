// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_local_input, inserted before its endmodule: each copy of a message is made once,
// none unless the pace permits it, and the message is taken in the cycle of the last copy.

    reg f_past = 1'b0, f_requested = 1'b0;
    reg [DIMENSIONS-1:0] f_copies;  // made of the message in earlier cycles
    wire [DIMENSIONS-1:0] f_register;
    generate
        if (DIMENSIONS == 1) begin : f_lone
            assign f_register = 1'b0;
        end else begin : f_several
            assign f_register = several.done_q;
        end
    endgenerate
    always @(posedge clk) begin
        f_past      <= 1'b1;
        f_requested <= s_axis_tvalid && open && !s_axis_tready && !rst;
        f_copies    <= s_axis_tready || rst ? 0 : f_copies | grant;
    end
    always @* begin
        if (!f_past) assume (rst);
        // the message stays, and may request, until it is taken; a group makes only requested copies
        if (f_past && f_requested) assume (s_axis_tvalid && open);
        assume ((grant & ~request) == 0);
    end
    always @* if (f_past) begin
        assert ((grant & f_copies) == 0);
        assert (request == (s_axis_tvalid && open ? ~f_copies : {DIMENSIONS{1'b0}}));
        assert (s_axis_tready == (s_axis_tvalid && open && (f_copies | grant) == {DIMENSIONS{1'b1}}));
        // invariants
        assert (f_copies == 0 || f_requested);
        assert (f_register == f_copies && f_copies != {DIMENSIONS{1'b1}});
    end
    always @* cover (f_past && s_axis_tready && (f_copies != 0 || DIMENSIONS == 1) && f_requested);
