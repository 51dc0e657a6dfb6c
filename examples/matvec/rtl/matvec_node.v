// SPDX-License-Identifier: Apache-2.0
//
// matvec_node: multiplies its 16 columns of a 16x256 matrix by its 16 elements of a vector, row by row.
//
// A row is a list of 1 to 16 entries {last, column, value} from address 16 row on; the last one has `last` 1. Zeros
// need no entry. A row without any other number is one entry with the value 0.
//
// Latency: `waiting` is 1 from cycle b + c + 3 on, if the node begins a row of c entries in cycle b. It begins row 0
// with `go`, and the next row in the cycle after a start. The partial result is valid in that cycle, in which the
// collective network samples it.

`default_nettype none

module matvec_node (
    input  wire        clk,
    input  wire        rst,            // synchronous, active high; the memories keep their contents
    // Memories, written while the node computes nothing
    input  wire        write_entry,
    input  wire        write_element,
    input  wire [7:0]  write_address,  // {row, number of the entry}, or the column
    input  wire [8:0]  write_data,     // {last, column, value}, or the element; numbers are signed
    // Product
    input  wire        go,             // for one cycle, while the node computes nothing
    output wire        waiting,        // the partial result of a row waits for a start
    input  wire        start,          // the collective network starts
    output wire [15:0] partial,        // signed
    output wire        partial_valid
);

    localparam [3:0] LAST_ROW = 4'd15;

    reg        [8:0]  entries[0:255];
    (* ram_style = "block" *)
    reg        [3:0]  elements[0:15];

    // A row passes three registers: the entry, the two factors, the sum.
    reg        [3:0]  row_q;
    reg        [3:0]  number_q;         // of the entry to read
    reg               reading_q;
    reg        [8:0]  entry_q;
    reg               entry_valid_q;
    reg signed [3:0]  value_q;
    reg signed [3:0]  element_q;
    reg               factors_valid_q;
    reg               factors_last_q;
    reg signed [15:0] sum_q;
    reg               complete_q;       // sum_q is the partial result of the row
    reg               started_q;        // a start in the cycle before

    wire              last   = entry_valid_q & entry_q[8];
    wire              begins = go | (started_q & (row_q != LAST_ROW));
    wire signed [7:0] product = value_q * element_q;

    assign waiting       = complete_q & !started_q;
    assign partial       = sum_q;
    assign partial_valid = complete_q;

    always @(posedge clk) begin
        if (write_entry) entries[write_address] <= write_data;
        if (write_element) elements[write_address[3:0]] <= write_data[3:0];

        entry_q       <= entries[{row_q, number_q}];
        entry_valid_q <= reading_q & !last;  // the entry behind the last one is dropped
        number_q      <= number_q + 4'd1;
        if (last) reading_q <= 1'b0;

        value_q         <= entry_q[3:0];
        element_q       <= elements[entry_q[7:4]];
        factors_valid_q <= entry_valid_q;
        factors_last_q  <= last;

        if (factors_valid_q) sum_q <= sum_q + {{8{product[7]}}, product};
        if (factors_last_q) complete_q <= 1'b1;

        started_q <= start;
        if (started_q) begin
            complete_q <= 1'b0;
            row_q <= row_q + 4'd1;  // after the last row 0
        end
        if (begins) begin
            number_q <= 4'd0;
            reading_q <= 1'b1;
            sum_q <= 16'sd0;
        end

        if (rst) begin
            row_q <= 4'd0;
            reading_q <= 1'b0;
            entry_valid_q <= 1'b0;
            factors_valid_q <= 1'b0;
            factors_last_q <= 1'b0;
            complete_q <= 1'b0;
            started_q <= 1'b0;
        end
    end

endmodule

`default_nettype wire
