// SPDX-License-Identifier: Apache-2.0
//
// ulx3s_top: the sum of 16 bytes of a serial line, by a collective network on a 4x4 torus.
//
// The bytes of the serial line are the words of nodes 0 to 15, in turn. The 16th byte starts the
// network, which gives the sum to every node after 5 cycles. One node reports it in a line of
// text, node 0 the first sum, node 1 the second, and so on:
//
//     3 01a4      node 3 has the sum 01a4 (hexadecimal)
//
// The lights show the low byte of the sum. They are all on if the nodes had different sums, which
// cannot happen.
//
// A line has 8 characters and 16 bytes come before the next one, so nothing waits.

`default_nettype none

module ulx3s_top #(
    parameter integer CLOCK_HZ = 25000000,
    parameter integer BAUD     = 115200  // CLOCK_HZ / 4 at most
) (
    input  wire       clk_25mhz,
    input  wire       fire1,     // asynchronous, high while the button is pressed
    input  wire       ftdi_txd,
    output wire       ftdi_rxd,
    output wire [7:0] led
);

    localparam integer PERIOD = (CLOCK_HZ + BAUD / 2) / BAUD;  // clock cycles of a bit

    wire clk = clk_25mhz;
    wire rst;

    board_reset reset (
        .clk(clk),
        .request_n(!fire1),
        .rst(rst)
    );

    // From the serial line to the words of the nodes.
    wire       rx_valid;
    wire [7:0] rx_data;
    wire       unused_broken;

    board_uart_rx #(
        .PERIOD(PERIOD)
    ) receiver (
        .clk(clk),
        .rst(rst),
        .rx(ftdi_txd),
        .valid(rx_valid),
        .data(rx_data),
        .broken(unused_broken)
    );

    reg  [3:0]   node_q;   // whose word comes next
    reg          start_q;
    wire [255:0] words;    // 16 bits each
    wire [255:0] sums;
    wire [15:0]  valid;
    wire [15:0]  unused_late;
    wire         unused_ready;
    wire         unused_done;

    genvar n;
    generate
        for (n = 0; n < 16; n = n + 1) begin : node
            reg [7:0] word_q;
            assign words[16*n+:16] = {8'd0, word_q};
            always @(posedge clk) if (rx_valid & (node_q == n)) word_q <= rx_data;
        end
    endgenerate

    torus4x4__sum_network network (
        .clk(clk),
        .rst(rst),
        .start(start_q),
        .ready(unused_ready),
        .done(unused_done),
        .s_own_data(words),
        .s_own_valid(16'hffff),
        .late(unused_late),
        .m_own_valid(valid),
        .m_own_data(sums)
    );

    // From a node to the serial line.
    reg  [3:0]  reporter_q;  // node that reports the next sum
    reg  [15:0] sum_q;
    reg         wrong_q;
    reg         busy_q;      // a line is being sent
    reg  [2:0]  place_q;     // of the character in the line
    reg  [3:0]  digit;
    wire        text_ready;

    always @* begin
        case (place_q)
            3'd0: digit = reporter_q;
            3'd2: digit = sum_q[15:12];
            3'd3: digit = sum_q[11:8];
            3'd4: digit = sum_q[7:4];
            default: digit = sum_q[3:0];
        endcase
    end

    wire [7:0] hex = digit < 4'd10 ? "0" + {4'd0, digit} : "a" - 8'd10 + {4'd0, digit};
    wire [7:0] text = place_q == 3'd1 ? " " : place_q == 3'd6 ? 8'h0d : place_q == 3'd7 ? 8'h0a : hex;

    board_uart_tx #(
        .PERIOD(PERIOD)
    ) sender (
        .clk(clk),
        .rst(rst),
        .s_axis_tvalid(busy_q),
        .s_axis_tready(text_ready),
        .s_axis_tdata(text),
        .tx(ftdi_rxd)
    );

    assign led = sum_q[7:0] | {8{wrong_q}};

    always @(posedge clk) begin
        start_q <= rx_valid & (node_q == 4'd15);
        if (rx_valid) node_q <= node_q + 4'd1;
        if (valid[0]) begin
            sum_q <= sums[16*reporter_q+:16];
            busy_q <= 1'b1;
            wrong_q <= wrong_q | (sums != {16{sums[15:0]}}) | (valid != 16'hffff);
        end
        if (busy_q & text_ready) begin
            place_q <= place_q + 3'd1;
            if (place_q == 3'd7) begin
                busy_q <= 1'b0;
                reporter_q <= reporter_q + 4'd1;
            end
        end

        if (rst) begin
            node_q <= 4'd0;
            start_q <= 1'b0;
            reporter_q <= 4'd0;
            sum_q <= 16'd0;
            wrong_q <= 1'b0;
            busy_q <= 1'b0;
            place_q <= 3'd0;
        end
    end

endmodule

`default_nettype wire
