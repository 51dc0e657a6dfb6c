// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_programmable_port, to stand before its endmodule: which of its slots
// tell that it holds no message.

    reg f_past = 1'b0;
    always @(posedge clk) f_past <= 1'b1;
    always @* begin
        if (!f_past) assume (rst);
        if (continue_accept) assume (continue_ask);
    end
    // So the output and enter_full_q are enough,
    always @* if (f_past) assert (!continue_full_q || m_axis_tvalid);
    // and the output alone is not: one asks to continue, is malformed, and what enters waits.
    always @(posedge clk) cover (f_past && enter_full_q && !m_axis_tvalid);
