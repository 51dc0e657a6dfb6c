// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chip_window: the words that an end of a cable has to send, of all its links.
//
// Each link has a register for a word. Words with credit go on into a memory, links in turn, and get the
// next number there. A word stays in the memory until it is acknowledged. The sender reads the memory in
// the order of numbers, and begins again from a number when the other end wants another colour, after
// half of these returns a frame later, so that losses in a period do not hit the same word. At most two
// words in the memory wait to be sent for the first time, so that a link does not wait for others.
//
// Latency: three cycles from s_axis to a word that can be sent. Throughput: a word in two cycles.
//
// Backpressure: s_axis_tready is a register, and 0 while up is 0. A link without credit does not delay
// the others.

`default_nettype none

module hc_chip_window #(
    parameter integer LINKS       = 1,  // links of the cable, 1 or more
    parameter integer LINK_BITS   = 8,  // bits of a word, 1 or more
    parameter integer LINK_NUMBER = 1,  // bits of the number of a link, 1 or more
    parameter integer NUMBER_BITS = 2,  // bits of the number of a word, 2 or more
    parameter integer FREED_BITS  = 2   // bits of the count of freed places, 2 or more
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire                       up,
    input  wire [LINKS-1:0]           s_axis_tvalid,
    output wire [LINKS-1:0]           s_axis_tready,
    input  wire [LINKS*LINK_BITS-1:0] s_axis_tdata,
    input  wire                       heard,     // a data frame has arrived, with
    input  wire                       want,      // the colour that the other end wants
    input  wire [NUMBER_BITS-1:0]     ack,       // the number that it expects
    input  wire [LINK_NUMBER-1:0]     turn,      // and of this link
    input  wire [FREED_BITS-1:0]      freed,     // the words that have left their places
    input  wire                       take,      // a data frame begins, with
    output wire                       colour,
    output wire                       valid,     // it has a word
    output wire [NUMBER_BITS-1:0]     number,    // of the word, or of the next one
    output wire [LINK_NUMBER-1:0]     link,
    output wire [LINK_BITS-1:0]       word,
    output wire                       leaves,    // a word has got its number
    output wire                       returns    // the sender goes back
);

    generate
        if (LINKS < 1 || LINKS > 1 << LINK_NUMBER) begin : illegal_links
            hc_chip_window_LINKS_must_be_1_to_2_to_the_LINK_NUMBER illegal ();
        end else if (NUMBER_BITS < 2) begin : illegal_number_bits
            hc_chip_window_NUMBER_BITS_must_be_2_or_more illegal ();
        end else if (FREED_BITS < 2) begin : illegal_freed_bits
            hc_chip_window_FREED_BITS_must_be_2_or_more illegal ();
        end
    endgenerate

    localparam integer           ENTRY_BITS = LINK_NUMBER + LINK_BITS;
    localparam [FREED_BITS-1:0]  FREED_ONE  = {{FREED_BITS - 1{1'b0}}, 1'b1};
    localparam [NUMBER_BITS-1:0] NUMBER_ONE = {{NUMBER_BITS - 1{1'b0}}, 1'b1};

    // The links.
    wire [LINKS-1:0]            request;   // it has credit, and in the next cycle a word that is not granted
    wire [LINKS-1:0]            granted;   // the next word that gets a number is its word
    wire [LINKS*ENTRY_BITS-1:0] entries;
    wire [ENTRY_BITS-1:0]       entry;
    wire                        room;
    wire                        load = |granted & room;

    genvar i;
    generate
        for (i = 0; i < LINKS; i = i + 1) begin : near
            localparam [LINK_NUMBER-1:0] LINK = i;

            reg                   full_q;
            reg                   ready_q;
            reg  [LINK_BITS-1:0]  word_q;
            reg  [FREED_BITS-1:0] next_q;   // words that have got a number, and 1
            reg  [FREED_BITS-1:0] freed_q;
            reg                   credit_q;  // the far end has a place: both counts differ
            wire                  leaves_now = granted[i] & room;
            wire                  frees      = heard & turn == LINK & freed != freed_q;
            wire                  last       = next_q + 1'b1 == freed_q;
            wire                  accepts    = s_axis_tvalid[i] & ready_q;
            wire                  full       = (full_q & !leaves_now) | accepts;

            always @(posedge clk) begin
                if (ready_q) word_q <= s_axis_tdata[i*LINK_BITS+:LINK_BITS];
            end

            always @(posedge clk) begin
                full_q   <= full;
                ready_q  <= up & !full;
                credit_q <= frees | (credit_q & !(leaves_now & last));
                if (leaves_now) next_q <= next_q + 1'b1;
                if (heard & turn == LINK) freed_q <= freed;
                if (rst) begin
                    full_q   <= 1'b0;
                    ready_q  <= 1'b0;
                    credit_q <= 1'b1;
                    next_q   <= FREED_ONE;
                    freed_q  <= {FREED_BITS{1'b0}};
                end
            end

            assign s_axis_tready[i]                     = ready_q;
            assign request[i]                           = ((full_q & !granted[i]) | accepts) & credit_q;
            assign entries[i*ENTRY_BITS+:ENTRY_BITS] = {LINK, word_q};
        end
    endgenerate

    reg  [LINKS-1:0] granted_q;
    wire             choose = ~|granted_q | room;  // the turn goes on
    wire [LINKS-1:0] select;

    hc_arbiter #(
        .REQUESTERS(LINKS)
    ) turns (
        .clk     (clk),
        .rst     (rst),
        .request (request),
        .complete(choose),
        .select  (select)
    );

    hc_select #(
        .WORDS    (LINKS),
        .WORD_BITS(ENTRY_BITS)
    ) mux (
        .select(granted_q),
        .words (entries),
        .word  (entry)
    );

    always @(posedge clk) begin
        if (choose) granted_q <= select;
        if (rst) granted_q <= {LINKS{1'b0}};
    end

    // The numbers.
    (* ram_style = "block" *) reg [ENTRY_BITS-1:0] memory[0:(1<<NUMBER_BITS)-1];

    reg  [ENTRY_BITS-1:0]  entry_q;   // the output register of the memory
    reg  [NUMBER_BITS-1:0] next_q;    // the number of the next word that gets one
    reg  [NUMBER_BITS-1:0] send_q;    // the number of the next word that is sent
    reg  [NUMBER_BITS-1:0] acked_q;   // the number of the oldest word that is not acknowledged
    reg                    there_q;   // entry_q is the word with the number send_q
    reg                    colour_q;
    wire [NUMBER_BITS-1:0] waiting = next_q - send_q;
    wire                   back    = heard & want != colour_q;
    reg                    pause_q;   // the next word is one frame late
    reg  [4:0]             toss_q;    // its lowest bit decides about the pause of the next return
    wire                   sends   = take & valid;

    reg                    room_q;    // the next word may get a number; not in the cycle after one has
    wire                   few     = waiting[NUMBER_BITS-1:1] == {NUMBER_BITS - 1{1'b0}};

    assign room = room_q;

    always @(posedge clk) begin
        if (load) memory[next_q] <= entry;
        if (|waiting) entry_q <= memory[send_q];  // never the word that is written
    end

    always @(posedge clk) begin
        if (load) next_q <= next_q + 1'b1;
        room_q <= few & next_q + NUMBER_ONE != acked_q & !load;
        if (heard) acked_q <= ack;
        there_q <= |waiting & !back & !sends;
        if (back) begin
            colour_q <= want;
            send_q   <= ack;
            pause_q  <= toss_q[0];
            toss_q   <= toss_q >> 1 ^ (toss_q[0] ? 5'b10100 : 5'b00000);
        end else begin
            if (sends) send_q <= send_q + 1'b1;
            if (take & there_q) pause_q <= 1'b0;
        end
        if (rst) begin
            next_q   <= {NUMBER_BITS{1'b0}};
            send_q   <= {NUMBER_BITS{1'b0}};
            acked_q  <= {NUMBER_BITS{1'b0}};
            room_q   <= 1'b0;
            there_q  <= 1'b0;
            colour_q <= 1'b0;
            pause_q  <= 1'b0;
            toss_q   <= 5'd1;
        end
    end

    assign granted = granted_q;
    assign colour  = colour_q;
    assign valid   = there_q & !pause_q;
    assign number  = send_q;
    assign link    = entry_q[LINK_BITS+:LINK_NUMBER];
    assign word    = entry_q[LINK_BITS-1:0];
    assign leaves  = load;
    assign returns = back;

endmodule

`default_nettype wire
