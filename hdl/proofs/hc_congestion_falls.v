// SPDX-License-Identifier: Apache-2.0
//
// When level 1 falls, to stand before the endmodule of hc_congestion after its properties.
// So many messages come soon only with many deliveries in a cycle.

    always @(posedge clk) if (f_past && !rst && window_ends && !memory_ends && level == 4'b0001) begin
        cover (f_c >= 112 * f_x && f_c < 128 * f_x && falls);
        cover (f_c >= 112 * f_x && f_c < 128 * f_x && f_stood && !falls);  // an output stood still
        cover (f_c >= 112 * f_x && f_c < 128 * f_x && !f_stood && f_stands && !falls);  // as the window ends
        cover (f_c >= 128 * f_x && f_after5 && falls);
    end
