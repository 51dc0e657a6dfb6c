// SPDX-License-Identifier: Apache-2.0
//
// ulx3s_tb: sends random bytes to ulx3s_top over its serial line, and compares the lines of text with the sums.

`timescale 1ns / 1ps
`default_nettype none

module ulx3s_tb #(
    parameter integer BAUD = 115200,
    parameter integer SUMS = 4
);

    localparam real BIT = 1e9 / BAUD;  // ns

    reg        clk = 1'b0;
    reg        rx = 1'b1;
    wire       tx;
    wire [7:0] led;

    always #20 clk = !clk;  // 25 MHz

    ulx3s_top #(
        .BAUD(BAUD)
    ) top (
        .clk_25mhz(clk),
        .fire1(1'b0),
        .ftdi_txd(rx),
        .ftdi_rxd(tx),
        .led(led)
    );

    // What is sent.
    reg [15:0] expected [0:SUMS-1];
    integer    seed = 1;

    task send(input [7:0] data);
        integer i;
        begin
            rx = 1'b0;
            #BIT;
            for (i = 0; i < 8; i = i + 1) begin
                rx = data[i];
                #BIT;
            end
            rx = 1'b1;
            #BIT;
        end
    endtask

    reg     [7:0] value;
    integer       s, b;
    initial begin
        #20000;  // the reset
        for (s = 0; s < SUMS; s = s + 1) begin
            expected[s] = 16'd0;
            for (b = 0; b < 16; b = b + 1) begin
                value = $random(seed);
                expected[s] = expected[s] + {8'd0, value};
                send(value);
            end
        end
        #(BIT * 200);
        $display("FAIL: ulx3s_top: %0d of %0d lines have come", line, SUMS);
        $finish;
    end

    // What is received.
    reg     [7:0]  heard;
    reg     [63:0] text;
    integer        line, c, i;
    reg     [3:0]  node;
    reg     [63:0] want;

    function [7:0] hex(input [3:0] digit);
        hex = digit < 4'd10 ? "0" + {4'd0, digit} : "a" - 8'd10 + {4'd0, digit};
    endfunction

    initial begin
        line = 0;
        while (line < SUMS) begin
            for (c = 0; c < 8; c = c + 1) begin
                @(negedge tx);
                #(BIT / 2);
                for (i = 0; i < 8; i = i + 1) begin
                    #BIT;
                    heard[i] = tx;
                end
                #BIT;
                text = {text[55:0], heard};
                if (tx !== 1'b1) begin
                    $display("FAIL: ulx3s_top: a character of line %0d has no stop bit", line);
                    $finish;
                end
            end
            node = line;
            want = {hex(node), " ", hex(expected[line][15:12]), hex(expected[line][11:8]), hex(expected[line][7:4]),
                    hex(expected[line][3:0]), 8'h0d, 8'h0a};
            if (text !== want || led !== expected[line][7:0]) begin
                $display("FAIL: ulx3s_top: line %0d is \"%0s\", not \"%0s\", or the lights are %b", line, text[63:16], want[63:16], led);
                $finish;
            end
            $display("%0s", text[63:16]);
            line = line + 1;
        end
        $display("PASS: ulx3s_top: %0d sums of 16 bytes at %0d baud", SUMS, BAUD);
        $finish;
    end

endmodule

`default_nettype wire
