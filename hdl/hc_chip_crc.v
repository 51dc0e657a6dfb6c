// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chip_crc: a step of CRC-32C, bits reflected.
//
// next is the state after BITS bits of data, the lowest bit first. The state begins as all ones, and the
// CRC is its complement.
//
// Latency: none. Bits that leave the state are added to bits of data; each sum that is 1 adds a constant,
// its column, to what is left of the state.

`default_nettype none

module hc_chip_crc #(
    parameter integer BITS = 8  // bits of data, 1 to 32
) (
    input  wire [31:0]     crc,
    input  wire [BITS-1:0] data,
    output wire [31:0]     next
);

    generate
        if (BITS < 1 || BITS > 32) begin : illegal_bits
            hc_chip_crc_BITS_must_be_1_to_32 illegal ();
        end
    endgenerate

    // The states BITS steps after each bit alone.
    function [32*BITS-1:0] columns(input ignored);
        reg     [31:0] column;
        integer        place, steps;
        begin
            columns = {32 * BITS{ignored & !ignored}};
            for (place = 0; place < BITS; place = place + 1) begin
                column = 32'd1 << place;
                for (steps = 0; steps < BITS; steps = steps + 1)
                    column = {1'b0, column[31:1]} ^ (column[0] ? 32'h82f63b78 : 32'd0);
                columns[32*place+:32] = column;
            end
        end
    endfunction

    localparam [32*BITS-1:0] COLUMNS = columns(1'b0);

    wire    [BITS-1:0] sum = crc[BITS-1:0] ^ data;
    reg     [31:0]     state;
    integer            i;

    always @* begin
        state = crc >> BITS;
        for (i = 0; i < BITS; i = i + 1) if (sum[i]) state = state ^ COLUMNS[32*i+:32];
    end

    assign next = state;

endmodule

`default_nettype wire
