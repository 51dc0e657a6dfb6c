// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_chunk_control, inserted before its endmodule: place j has the control of j cycles ago.

    reg  [7:0]                f_age = 0;  // cycles in the past, at most PLACES - 1
    reg  [PLACES*BITS-1:0]    f_controls_q;
    wire [PLACES*BITS-1:0]    f_controls = {f_controls_q, control};  // the latest is lowest
    reg  [PLACES*BITS-1:0]    f_known;
    integer                   f_i;
    always @(posedge clk) begin
        f_age        <= f_age + (f_age != PLACES - 1);
        f_controls_q <= f_controls;
    end
    always @* begin
        for (f_i = 0; f_i < PLACES; f_i = f_i + 1) f_known[f_i*BITS+:BITS] = {BITS{f_age >= f_i}};
        assert (((controls ^ f_controls) & f_known) == 0);
        assert (f_age < PLACES);
        cover (f_age == PLACES - 1 && controls[0] && controls[(PLACES-1)*BITS] && (PLACES < 3 || !controls[BITS]));
    end
