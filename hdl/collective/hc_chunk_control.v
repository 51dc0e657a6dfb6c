// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chunk_control: hands a control, such as a select, from the chunk at each place of a word to the next.
//
// The chunks of a word follow one another, a cycle each, in the order of their places.
//
// Latency: at place j, j cycles. Place 0 has the control itself.

`default_nettype none

module hc_chunk_control #(
    parameter integer BITS   = 1,  // bits of the control, 1 or more
    parameter integer PLACES = 2   // chunks of a word, 1 or more
) (
    input  wire                   clk,
    input  wire [BITS-1:0]        control,  // of the chunk at place 0
    output wire [PLACES*BITS-1:0] controls  // by place, place 0 lowest
);

    generate
        if (PLACES < 1) begin : illegal_places
            hc_chunk_control_PLACES_must_be_1_or_more illegal ();
        end
        if (PLACES == 1) begin : whole
            wire unused = &{1'b0, clk};
            assign controls = control;
        end else begin : chunks
            reg [(PLACES-1)*BITS-1:0] later;  // of the places behind place 0
            always @(posedge clk) later <= controls[(PLACES-1)*BITS-1:0];
            assign controls = {later, control};
        end
    endgenerate

endmodule

`default_nettype wire
