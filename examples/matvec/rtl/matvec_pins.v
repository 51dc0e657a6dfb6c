// SPDX-License-Identifier: Apache-2.0
//
// matvec_pins: matvec_top for a device with few pins. The results are those of node 0; `wrong` stays 1 after a cycle
// in which another node has a different result.

`default_nettype none

module matvec_pins #(
    parameter integer BARRIER = 0  // 0 or 1
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        write_valid,
    input  wire        write_vector,
    input  wire [3:0]  write_node,
    input  wire [7:0]  write_address,
    input  wire [8:0]  write_data,
    input  wire        go,
    output wire        y_valid,
    output wire [15:0] y_data,
    output wire        wrong
);

    wire [15:0]  valid;
    wire [255:0] data;
    wire         late;
    wire         header_error;

    reg  [15:0]  valid_q;
    reg  [255:0] data_q;
    reg  [15:0]  differs_q;  // by node
    reg          wrong_q;

    assign y_valid = valid_q[0];
    assign y_data  = data_q[15:0];
    assign wrong   = wrong_q;

    matvec_top #(
        .BARRIER(BARRIER)
    ) top (
        .clk(clk),
        .rst(rst),
        .write_valid(write_valid),
        .write_vector(write_vector),
        .write_node(write_node),
        .write_address(write_address),
        .write_data(write_data),
        .go(go),
        .y_valid(valid),
        .y_data(data),
        .late(late),
        .header_error(header_error)
    );

    integer n;
    always @(posedge clk) begin
        valid_q <= valid;
        data_q <= data;
        for (n = 0; n < 16; n = n + 1)
            differs_q[n] <= (valid_q[n] != valid_q[0]) | (valid_q[0] & (data_q[n*16+:16] != data_q[15:0]));
        wrong_q <= wrong_q | late | header_error | (|differs_q);

        if (rst) begin
            valid_q <= 16'd0;
            differs_q <= 16'd0;
            wrong_q <= 1'b0;
        end
    end

endmodule

`default_nettype wire
