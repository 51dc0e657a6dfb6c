// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_operation_counter: counts the cycles of a collective network that carries out one of several operations at a time.
//
// Each cycle of each operation has a number. Those of an operation follow one another, from FIRST in cycle 0 to LAST. count is
// the number of the cycle of the operation under way, and 0 if none is. A start is accepted while count is 0 or a LAST. The cycle
// in which it is accepted is cycle 0 of the operation that starts: at is its FIRST, while count still is 0 or the LAST of the
// operation before.
//
// Latency: at depends on ready and on the operation in the same cycle. The other outputs are registered. In the cycle after a start
// is accepted, count is the number of cycle 1.

`default_nettype none

module hc_operation_counter #(
    parameter integer               OPERATIONS = 2,  // 2 or more
    parameter integer               BITS       = 2,  // of a number, 2 or more
    // Numbers of cycle 0 and of the last cycle of each operation, operation 0 lowest. FIRST of operation 0 is 0, and of each other one
    // above LAST of the operation before. LAST is above FIRST.
    parameter [OPERATIONS*BITS-1:0] FIRST      = {2'd2, 2'd0},
    parameter [OPERATIONS*BITS-1:0] LAST       = {2'd3, 2'd1}
) (
    input  wire                          clk,
    input  wire                          rst,
    input  wire                          start,      // start an operation
    input  wire [$clog2(OPERATIONS)-1:0] operation,  // its number; a number that no operation has stands for the last one
    output reg                           ready,      // a start is accepted in this cycle
    output reg                           done,       // high for one cycle after the last cycle of an operation
    output reg  [BITS-1:0]               count,      // cycle of the operation under way; 0 if none is
    output wire [BITS-1:0]               at          // while ready is 1, cycle 0 of the operation that can start; else count
);

    genvar g;
    generate
        if (OPERATIONS < 2) begin : illegal_operations
            hc_operation_counter_OPERATIONS_must_be_2_or_more illegal ();
        end
        if (FIRST[BITS-1:0] != {BITS{1'b0}}) begin : illegal_first
            hc_operation_counter_FIRST_of_operation_0_must_be_0 illegal ();
        end
        for (g = 0; g < OPERATIONS; g = g + 1) begin : legal
            if (LAST[g*BITS+:BITS] <= FIRST[g*BITS+:BITS]) begin : illegal_last
                hc_operation_counter_LAST_must_be_above_FIRST illegal ();
            end
            if (g > 0 && FIRST[g*BITS+:BITS] <= LAST[(g>0?g-1:0)*BITS+:BITS]) begin : illegal_next
                hc_operation_counter_FIRST_must_be_above_LAST_of_the_operation_before illegal ();
            end
        end
    endgenerate

    localparam integer OPERATION_BITS = $clog2(OPERATIONS);

    integer        i;
    reg [BITS-1:0] first;   // number of cycle 0 of the operation that can start
    reg [BITS-1:0] second;  // and of its cycle 1
    reg            only;    // its cycle 1 is its last one
    reg            last;    // this cycle is the last one of an operation
    reg            nearly;  // the next cycle is, if this is not cycle 0
    always @* begin
        first  = FIRST[(OPERATIONS-1)*BITS+:BITS];
        second = FIRST[(OPERATIONS-1)*BITS+:BITS] + 1'b1;
        only   = LAST[(OPERATIONS-1)*BITS+:BITS] == FIRST[(OPERATIONS-1)*BITS+:BITS] + 1'b1;
        last   = 1'b0;
        nearly = 1'b0;
        for (i = 0; i < OPERATIONS; i = i + 1) begin
            if (operation == i[OPERATION_BITS-1:0]) begin
                first  = FIRST[i*BITS+:BITS];
                second = FIRST[i*BITS+:BITS] + 1'b1;
                only   = LAST[i*BITS+:BITS] == FIRST[i*BITS+:BITS] + 1'b1;
            end
            if (count == LAST[i*BITS+:BITS]) last = 1'b1;
            if (count == LAST[i*BITS+:BITS] - 1'b1) nearly = 1'b1;
        end
    end

    assign at = ready ? first : count;

    // next is count + 1. A bit of it shares a lookup table with the choice behind it, which an adder with a carry does not.
    wire [BITS-1:0] next;
    assign next[0] = ~count[0];
    generate
        for (g = 1; g < BITS; g = g + 1) begin : bits
            assign next[g] = count[g] ^ &count[g-1:0];
        end
    endgenerate

    // While ready is 1, count is 0 or the last number of an operation. While ready is 0, count counts. So the next ready is computed
    // from count, not from next.
    always @(posedge clk) begin
        if (ready) count <= start ? second : {BITS{1'b0}};
        else count <= next;
        ready <= ready ? !start | only : nearly;
        done  <= last;
        if (rst) begin
            count <= {BITS{1'b0}};
            ready <= 1'b1;
            done  <= 1'b0;
        end
    end

endmodule

`default_nettype wire
