// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_valid_check, inserted before its endmodule: late is high in the second cycle after a request whose
// word was not valid in the first.

    reg             f_past    = 1'b0;
    reg             f_late    = 1'b0;
    reg [WORDS-1:0] f_request = 0;
    integer         f_i;
    always @(posedge clk) begin
        f_past    <= 1'b1;
        f_request <= rst ? 0 : request;
        f_late    <= 1'b0;
        for (f_i = 0; f_i < WORDS; f_i = f_i + 1) if (!rst && f_request[f_i] && !valid[f_i]) f_late <= 1'b1;
    end
    always @* if (!f_past) assume (rst);
    always @* if (f_past) begin
        assert (late == f_late);
        assert (request_q == f_request);
    end
    always @* begin
        cover (f_past && late && f_request != 0 && valid == f_request);
        cover (f_past && !late && f_request == {WORDS{1'b1}} && rst && valid == 0);
    end
