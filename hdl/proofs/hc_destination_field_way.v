// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_destination_field, inserted before its endmodule: the field leads from the
// node to the digit, the shorter way round.

    always @* assume (own < M);
    wire              f_flag = field[X_BITS];
    wire [X_BITS-1:0] f_x    = field[X_BITS-1:0];
    always @* begin
        assert (legal == (all || digit < M));
        assert (elsewhere == (all || digit != own));
        if (all) assert (f_flag && f_x == 0);
        if (!all && digit < M) begin
            assert (2 * f_x <= M);
            assert ((f_flag ? own + M - f_x : own + f_x) % M == digit);
            assert (f_x != 0 || !f_flag);
            if (2 * f_x == M) assert (f_flag == (own[0] && 2 * RHO != M));
        end
    end
    always @* begin
        cover (!all && legal && 2 * f_x + M % 2 == M && digit < own);
        cover (all && !elsewhere || all && digit == own);
    end
