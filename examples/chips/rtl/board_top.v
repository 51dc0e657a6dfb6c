// SPDX-License-Identifier: Apache-2.0
//
// board_top: a board with one row of the torus. All boards have this design; the switches digits tell them apart.
//
// A cable is five pins each way, four for data and a clock. up goes to the board with the next digit, down to the one before.
//
// rounds counts the rounds of the nodes, see board_node. wrong is 1 after a wrong message. The states of the cables are those of
// docs/chips.md; 3 is lost: a board was reset alone, and restart at a board that says so brings all back.

`default_nettype none

module board_top (
    input  wire        clk,
    input  wire        rst,       // synchronous
    input  wire [1:0]  digits,
    input  wire        restart,   // asynchronous; a change to 1 restarts the machine
    output wire [3:0]  up_tx,
    output wire        up_tx_clk,
    input  wire [3:0]  up_rx,
    input  wire        up_rx_clk,
    output wire [3:0]  down_tx,
    output wire        down_tx_clk,
    input  wire [3:0]  down_rx,
    input  wire        down_rx_clk,
    output wire [2:0]  up_state,
    output wire [2:0]  down_state,
    output wire        wrong,
    output wire [19:0] rounds,
    output wire        reset      // the nodes are in reset
);

    reg [2:0] restart_q;
    always @(posedge clk) restart_q <= rst ? 3'b111 : {restart_q[1:0], restart};

    wire [3:0]  s_tvalid, s_tready, m_tvalid, m_tready, arrive, released, wrongs;
    wire [63:0] s_tdata, m_tdata;
    wire [15:0] m_tid;
    wire        header_error;

    wire [15:0] up_tx_word, up_rx_word, down_tx_word, down_rx_word;
    wire        up_tx_ready, up_rx_valid, up_slip, down_tx_ready, down_rx_valid, down_slip;

    // Who is at the other end, and the counters of the cables: for debugging.
    wire [1:0]   unused_first;
    wire [11:0]  unused_far;
    wire [383:0] unused_counters;

    rows_chip row (
        .clk                (clk),
        .rst                (rst),
        .chip               (digits),
        .restart            (restart_q[1] & !restart_q[2]),
        .reset              (reset),
        .s_axis_tvalid      (s_tvalid),
        .s_axis_tready      (s_tready),
        .s_axis_tdata       (s_tdata),
        .m_axis_tvalid      (m_tvalid),
        .m_axis_tready      (m_tready),
        .m_axis_tdata       (m_tdata),
        .m_axis_tid         (m_tid),
        .barrier_arrive     (arrive),
        .barrier_release    (released),
        .header_error       (header_error),
        .cable2_tx_word     (up_tx_word),
        .cable2_tx_first    (unused_first[0]),
        .cable2_tx_ready    (up_tx_ready),
        .cable2_rx_clk      (up_rx_clk),
        .cable2_rx_valid    (up_rx_valid),
        .cable2_rx_first    (1'b0),
        .cable2_rx_word     (up_rx_word),
        .cable2_rx_slip     (up_slip),
        .cable2_pattern     (1'b0),
        .cable2_state       (up_state),
        .cable2_far         (unused_far[5:0]),
        .cable2_good        (unused_counters[31:0]),
        .cable2_bad         (unused_counters[63:32]),
        .cable2_repetitions (unused_counters[95:64]),
        .cable2_silences    (unused_counters[127:96]),
        .cable2_sent        (unused_counters[159:128]),
        .cable2_received    (unused_counters[191:160]),
        .cable3_tx_word     (down_tx_word),
        .cable3_tx_first    (unused_first[1]),
        .cable3_tx_ready    (down_tx_ready),
        .cable3_rx_clk      (down_rx_clk),
        .cable3_rx_valid    (down_rx_valid),
        .cable3_rx_first    (1'b0),
        .cable3_rx_word     (down_rx_word),
        .cable3_rx_slip     (down_slip),
        .cable3_pattern     (1'b0),
        .cable3_state       (down_state),
        .cable3_far         (unused_far[11:6]),
        .cable3_good        (unused_counters[223:192]),
        .cable3_bad         (unused_counters[255:224]),
        .cable3_repetitions (unused_counters[287:256]),
        .cable3_silences    (unused_counters[319:288]),
        .cable3_sent        (unused_counters[351:320]),
        .cable3_received    (unused_counters[383:352])
    );

    rows_hc_chip_pins_send #(
        .WORD_BITS(16),
        .LANES    (4)
    ) up_send (
        .clk     (clk),
        .rst     (rst),
        .tx_word (up_tx_word),
        .tx_ready(up_tx_ready),
        .pins    (up_tx),
        .pin_clk (up_tx_clk)
    );

    rows_hc_chip_pins_receive #(
        .WORD_BITS(16),
        .LANES    (4)
    ) up_receive (
        .rx_clk  (up_rx_clk),
        .pins    (up_rx),
        .rx_slip (up_slip),
        .rx_valid(up_rx_valid),
        .rx_word (up_rx_word)
    );

    rows_hc_chip_pins_send #(
        .WORD_BITS(16),
        .LANES    (4)
    ) down_send (
        .clk     (clk),
        .rst     (rst),
        .tx_word (down_tx_word),
        .tx_ready(down_tx_ready),
        .pins    (down_tx),
        .pin_clk (down_tx_clk)
    );

    rows_hc_chip_pins_receive #(
        .WORD_BITS(16),
        .LANES    (4)
    ) down_receive (
        .rx_clk  (down_rx_clk),
        .pins    (down_rx),
        .rx_slip (down_slip),
        .rx_valid(down_rx_valid),
        .rx_word (down_rx_word)
    );

    genvar n;
    generate
        for (n = 0; n < 4; n = n + 1) begin : place
            board_node node (
                .clk          (clk),
                .rst          (reset),
                .s_axis_tvalid(s_tvalid[n]),
                .s_axis_tready(s_tready[n]),
                .s_axis_tdata (s_tdata[16*n+:16]),
                .m_axis_tvalid(m_tvalid[n]),
                .m_axis_tready(m_tready[n]),
                .m_axis_tdata (m_tdata[16*n+:16]),
                .m_axis_tid   (m_tid[4*n+:4]),
                .arrive       (arrive[n]),
                .released     (released[n]),
                .wrong        (wrongs[n])
            );
        end
    endgenerate

    // The four nodes are not released in the same cycle. Node 0 counts.
    reg [19:0] rounds_q;
    reg        wrong_q;

    always @(posedge clk) begin
        if (released[0]) rounds_q <= rounds_q + 20'd1;
        wrong_q <= wrong_q | (|wrongs) | header_error;
        if (reset) begin
            rounds_q <= 20'd0;
            wrong_q  <= 1'b0;
        end
    end

    assign wrong  = wrong_q;
    assign rounds = rounds_q;

endmodule

`default_nettype wire
