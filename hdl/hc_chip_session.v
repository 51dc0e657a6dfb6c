// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chip_session: the session of a chip, and the reset of its nodes and ends of cables.
//
// restart makes the session the next of 1 .. 255. A cable reports a newer session of its neighbour in a
// pulse, and the chip takes it. If several cables do in a cycle, the lowest counts; the others report
// again after the reset if their sessions are still newer.
//
// Latency: session and reset change in the next cycle. reset lasts 16 cycles, and after rst as long.

`default_nettype none

module hc_chip_session #(
    parameter integer CABLES = 1  // cables of the chip, 1 or more
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                restart,
    input  wire [CABLES-1:0]   newer,
    input  wire [8*CABLES-1:0] newer_session,
    output wire [7:0]          session,
    output wire                reset
);

    generate
        if (CABLES < 1) begin : illegal_cables
            hc_chip_session_CABLES_must_be_1_or_more illegal ();
        end
    endgenerate

    reg [7:0] session_q;
    reg [3:0] left_q;  // cycles of the reset after this one
    reg       reset_q;
    reg [7:0] taken;   // the newer session of the lowest cable
    integer   i;

    always @* begin
        taken = newer_session[7:0];
        for (i = CABLES - 1; i >= 0; i = i - 1)
            if (newer[i]) taken = newer_session[8*i+:8];
    end

    always @(posedge clk) begin
        left_q  <= left_q - 1'b1;
        reset_q <= reset_q & left_q != 4'd0;
        if (restart) session_q <= session_q == 8'd255 ? 8'd1 : session_q + 1'b1;
        else if (|newer & !reset_q) session_q <= taken;
        if (restart | (|newer & !reset_q)) begin
            left_q  <= 4'd15;
            reset_q <= 1'b1;
        end
        if (rst) begin
            session_q <= 8'd0;
            left_q    <= 4'd15;
            reset_q   <= 1'b1;
        end
    end

    assign session = session_q;
    assign reset   = reset_q;

endmodule

`default_nettype wire
