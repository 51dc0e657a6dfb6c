// SPDX-License-Identifier: Apache-2.0
//
// boards_tb: four boards in a ring of cables with bit errors.
//
// 1. All boards are configured at different times, and the machine is restarted once. The nodes go through their rounds.
// 2. A cable is cut in both directions for 4000 cycles. Nothing is lost.
// 3. A board is reset alone. It and its neighbours say that a cable is lost.
// 4. restart at another board brings all back.
//
// The nodes check every message, so a wrong one, or one that is missing, makes this fail.

`timescale 1ns / 1ps
`default_nettype none

module boards_tb #(
    parameter integer ONE_IN = 2000,  // bits of a cable, of which one is wrong
    parameter integer ROUNDS = 3,
    parameter integer SEED   = 1
);

    // The boards. The oscillators differ by up to 100 ppm.
    reg  [3:0]  clk = 4'd0;
    reg  [3:0]  rst = 4'hf;
    reg  [3:0]  restart = 4'd0;
    wire [3:0]  ok, lost, wrong, reset;
    wire [31:0] rounds;
    wire [15:0] up_out, up_in, down_out, down_in;
    wire [3:0]  up_out_clk, up_in_clk, down_out_clk, down_in_clk;
    reg         cut = 1'b0;  // the cable between boards 0 and 1

    always #20.000 clk[0] = !clk[0];
    always #20.001 clk[1] = !clk[1];
    always #19.999 clk[2] = !clk[2];
    always #20.002 clk[3] = !clk[3];

    genvar b;
    generate
        for (b = 0; b < 4; b = b + 1) begin : ring
            localparam integer NEXT = (b + 1) % 4;

            board_top board (
                .clk        (clk[b]),
                .rst        (rst[b]),
                .digits     (b[1:0]),
                .restart    (restart[b]),
                .up_tx      (up_out[4*b+:4]),
                .up_tx_clk  (up_out_clk[b]),
                .up_rx      (up_in[4*b+:4]),
                .up_rx_clk  (up_in_clk[b]),
                .down_tx    (down_out[4*b+:4]),
                .down_tx_clk(down_out_clk[b]),
                .down_rx    (down_in[4*b+:4]),
                .down_rx_clk(down_in_clk[b]),
                .ok         (ok[b]),
                .lost       (lost[b]),
                .wrong      (wrong[b]),
                .rounds     (rounds[8*b+:8]),
                .reset      (reset[b])
            );

            cable #(
                .ONE_IN(ONE_IN),
                .SEED  (SEED + 2 * b)
            ) to_next (
                .cut    (cut & (b == 0)),
                .in     (up_out[4*b+:4]),
                .in_clk (up_out_clk[b]),
                .out    (down_in[4*NEXT+:4]),
                .out_clk(down_in_clk[NEXT])
            );

            cable #(
                .ONE_IN(ONE_IN),
                .SEED  (SEED + 2 * b + 1)
            ) from_next (
                .cut    (cut & (b == 0)),
                .in     (down_out[4*NEXT+:4]),
                .in_clk (down_out_clk[NEXT]),
                .out    (up_in[4*b+:4]),
                .out_clk(up_in_clk[b])
            );
        end
    endgenerate

    // Resets begin as the boards say.
    integer resets[0:3];
    integer i;
    generate
        for (b = 0; b < 4; b = b + 1) begin : counted
            initial resets[b] = 0;
            always @(posedge reset[b]) resets[b] = resets[b] + 1;
        end
    endgenerate

    task fail(input [8*40-1:0] what);
        begin
            $display("FAIL: boards_tb: %0s at %0d ns: ok %b lost %b wrong %b rounds %0d %0d %0d %0d", what, $time, ok, lost, wrong,
                     rounds[7:0], rounds[15:8], rounds[23:16], rounds[31:24]);
            $finish;
        end
    endtask

    always @(posedge clk[0]) if (|wrong) fail("a wrong message");

    integer since, cycles;  // of board 0
    always @(posedge clk[0]) cycles = cycles + 1;
    initial cycles = 0;

    // Waits until all boards are ROUNDS rounds further than the slowest is now.
    reg  [7:0] target;
    wire [3:0] there;
    generate
        for (b = 0; b < 4; b = b + 1) assign there[b] = rounds[8*b+:8] >= target;
    endgenerate

    task go_on(input [8*40-1:0] what, input [7:0] until_round);
        begin
            target = until_round;
            since  = cycles;
            while (there != 4'hf) begin
                @(posedge clk[0]);
                if (cycles - since > 60000) fail(what);
            end
            $display("%0s: %0d cycles", what, cycles - since);
        end
    endtask

    initial begin
        #500 rst[0] = 1'b0;
        #3000 rst[2] = 1'b0;
        #9000 rst[1] = 1'b0;
        #100 rst[3] = 1'b0;

        #100000 restart[1] = 1'b1;
        #20000 if (resets[0] + resets[1] + resets[2] + resets[3] != 8) fail("not every board was reset once");
        restart[1] = 1'b0;
        go_on("rounds after the first restart", ROUNDS);

        cut = 1'b1;
        #160000 if (ok[1:0] != 2'b00) fail("a cable that is cut is not silent");
        cut = 1'b0;
        go_on("rounds after a cut of 4000 cycles", rounds[7:0] + ROUNDS);

        rst[2] = 1'b1;
        #500 rst[2] = 1'b0;
        #240000 if (lost != 4'b1110) fail("a board that is reset alone is not seen");
        $display("boards 1, 2 and 3 say that a cable is lost");

        restart[0] = 1'b1;
        #20000 if (lost != 4'b0000) fail("a cable is still lost");
        restart[0] = 1'b0;
        go_on("rounds after the second restart", ROUNDS);

        $display("PASS: boards_tb: 16 nodes on four boards, one in %0d bits wrong", ONE_IN);
        $finish;
    end

endmodule

// cable: four lanes and a clock, 25 ns long, with bit errors. While it is cut, its pins stand still.
module cable #(
    parameter integer ONE_IN = 2000,
    parameter integer SEED   = 1
) (
    input  wire       cut,
    input  wire [3:0] in,
    input  wire       in_clk,
    output reg  [3:0] out,
    output reg        out_clk
);

    integer   seed = SEED;
    integer   lane;
    reg [3:0] flip = 4'd0;

    always @(posedge in_clk)
        for (lane = 0; lane < 4; lane = lane + 1) flip[lane] = $unsigned($random(seed)) % ONE_IN == 0;

    initial out_clk = 1'b0;
    always @(in or flip or cut) if (!cut) out <= #25 in ^ flip;
    always @(in_clk or cut) if (!cut) out_clk <= #25 in_clk;

endmodule

`default_nettype wire
