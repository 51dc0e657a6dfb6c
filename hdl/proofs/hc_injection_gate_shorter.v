// SPDX-License-Identifier: Apache-2.0
//
// What comes of frames that are shorter than one before, to stand before the endmodule of
// hc_injection_gate after its properties. Frames that are long enough come soon only with
// many deliveries in a cycle.

    always @(posedge clk) if (f_past && !rst) begin
        cover (window_ends && armed_q && held_q && low);  // filled, with a quota that was held
        cover (window_ends && misled && !stuck);          // the silence before was false
        cover (window_ends && misled && stuck);
        cover (window_ends && misled && !held_q);         // that after a second one
        cover (arms && shorter && held_q);                // the second is accepted
        cover (shorter_q && !held_q && grow_q == 2'd3);  // and the quota grows
    end
