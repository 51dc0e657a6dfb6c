// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_chip_places: the words that arrive at an end of a cable, of all its links.
//
// A word counts if it has the wanted colour and the expected number. If the colour is right and the number
// is not, a word was lost, and the other colour is wanted. A word that counts goes to a place of its link.
//
// All links share a memory, in which each has 2^FREED_BITS places and uses one less. Each link has an
// output register. The lowest link with a word in the memory and a free output register reads first; it
// cannot delay others for long, because a word arrives in two cycles at most, and one is read per cycle.
//
// Latency: a word is offered three cycles after heard. Throughput: a word of a link in two cycles.
//
// Backpressure: none at the input, where the sender counts places. m_axis_tvalid is a register.

`default_nettype none

module hc_chip_places #(
    parameter integer LINKS       = 1,  // links of the cable, 1 or more
    parameter integer LINK_BITS   = 8,  // bits of a word, 1 or more
    parameter integer LINK_NUMBER = 1,  // bits of the number of a link, 1 or more
    parameter integer NUMBER_BITS = 2,  // bits of the number of a word, 2 or more
    parameter integer FREED_BITS  = 2   // bits of the count of freed places, 2 or more
) (
    input  wire                        clk,
    input  wire                        rst,
    input  wire                        heard,          // a data frame has arrived, with
    input  wire                        colour,
    input  wire                        valid,          // it has a word
    input  wire [NUMBER_BITS-1:0]      number,         // is there a cycle before heard
    input  wire [LINK_NUMBER-1:0]      link,
    input  wire [LINK_BITS-1:0]        word,
    output wire                        want,           // the colour that is wanted
    output wire [NUMBER_BITS-1:0]      expected,       // the number that is expected
    output wire                        arrives,        // the word counts
    output wire [LINKS-1:0]            m_axis_tvalid,
    input  wire [LINKS-1:0]            m_axis_tready,
    output wire [LINKS*LINK_BITS-1:0]  m_axis_tdata,
    output wire [LINKS*FREED_BITS-1:0] freed           // words that the router has taken
);

    generate
        if (LINKS < 1 || LINKS > 1 << LINK_NUMBER) begin : illegal_links
            hc_chip_places_LINKS_must_be_1_to_2_to_the_LINK_NUMBER illegal ();
        end else if (FREED_BITS < 2) begin : illegal_freed_bits
            hc_chip_places_FREED_BITS_must_be_2_or_more illegal ();
        end
    endgenerate

    // The order.
    reg                    want_q;
    reg  [NUMBER_BITS-1:0] expected_q;
    reg                    misses_q;    // the number is not the expected one
    wire                   wanted = heard & colour == want_q;
    wire                   put    = wanted & valid & !misses_q;

    always @(posedge clk) begin
        misses_q   <= number != expected_q;
        want_q     <= want_q ^ (wanted & misses_q);
        expected_q <= expected_q + {{NUMBER_BITS - 1{1'b0}}, put};
        if (rst) begin
            want_q     <= 1'b0;
            expected_q <= {NUMBER_BITS{1'b0}};
        end
    end

    // The memory.
    localparam integer ADDRESS_BITS = LINK_NUMBER + FREED_BITS;

    // Without no_rw_check, Yosys adds registers for a word that is read while it is written.
    (* ram_style = "block", no_rw_check *) reg [LINK_BITS-1:0] memory[0:(1<<ADDRESS_BITS)-1];

    reg  [LINK_BITS-1:0]          word_q;    // the output register of the memory
    reg  [LINKS-1:0]              fetch_q;   // word_q is a word of this link
    wire [LINKS-1:0]              request;
    reg  [LINKS-1:0]              fetch;     // the lowest link that requests
    reg                           below;     // a lower link requests
    wire [LINKS*ADDRESS_BITS-1:0] addresses;
    reg  [LINKS-1:0]              some;      // at each level, whether a link of a group requests
    reg  [LINKS*ADDRESS_BITS-1:0] merged;    // and the address of the lowest of these
    wire [(1<<LINK_NUMBER)*FREED_BITS-1:0] arrived;
    integer                       n, width;

    // The address does not wait for fetch: groups of links are merged in pairs.
    always @* begin
        below = 1'b0;
        for (n = 0; n < LINKS; n = n + 1) begin
            fetch[n] = request[n] & !below;
            below    = below | request[n];
        end
        some   = request;
        merged = addresses;
        for (width = 1; width < LINKS; width = 2 * width)
            for (n = 0; n + width < LINKS; n = n + 2 * width) begin
                if (!some[n]) merged[n*ADDRESS_BITS+:ADDRESS_BITS] = merged[(n+width)*ADDRESS_BITS+:ADDRESS_BITS];
                some[n] = some[n] | some[n+width];
            end
    end

    always @(posedge clk) begin
        if (put) memory[{link, arrived[link*FREED_BITS+:FREED_BITS]}] <= word;
        if (some[0]) word_q <= memory[merged[0+:ADDRESS_BITS]];  // never the word that is written
    end

    always @(posedge clk) fetch_q <= rst ? {LINKS{1'b0}} : fetch;

    genvar i;
    generate
        for (i = 0; i < 1 << LINK_NUMBER; i = i + 1) begin : far
            if (i < LINKS) begin : used
                localparam [LINK_NUMBER-1:0] LINK = i;

                reg  [FREED_BITS-1:0] arrived_q;
                reg  [FREED_BITS-1:0] fetched_q;
                reg  [FREED_BITS-1:0] freed_q;
                reg                   waits_q;  // a word is in the memory: both counts differ
                reg                   busy_q;   // a word is on its way to the output register, or there
                reg                   valid_q;
                reg  [LINK_BITS-1:0]  word_out_q;
                wire                  leaves = valid_q & m_axis_tready[i];
                wire                  comes  = put & link == LINK;
                wire                  last   = fetched_q + 1'b1 == arrived_q;

                always @(posedge clk) begin
                    if (fetch_q[i]) word_out_q <= word_q;
                end

                always @(posedge clk) begin
                    if (comes) arrived_q <= arrived_q + 1'b1;
                    if (fetch[i]) fetched_q <= fetched_q + 1'b1;
                    if (leaves) freed_q <= freed_q + 1'b1;
                    waits_q <= comes | (waits_q & !(fetch[i] & last));
                    busy_q  <= fetch[i] | (busy_q & !leaves);
                    valid_q <= fetch_q[i] | (valid_q & !leaves);
                    if (rst) begin
                        arrived_q <= {FREED_BITS{1'b0}};
                        fetched_q <= {FREED_BITS{1'b0}};
                        freed_q   <= {FREED_BITS{1'b0}};
                        waits_q   <= 1'b0;
                        busy_q    <= 1'b0;
                        valid_q   <= 1'b0;
                    end
                end

                assign request[i]                              = waits_q & (!busy_q | leaves);
                assign arrived[i*FREED_BITS+:FREED_BITS]       = arrived_q;
                assign addresses[i*ADDRESS_BITS+:ADDRESS_BITS] = {LINK, fetched_q};
                assign freed[i*FREED_BITS+:FREED_BITS]         = freed_q;
                assign m_axis_tvalid[i]                        = valid_q;
                assign m_axis_tdata[i*LINK_BITS+:LINK_BITS]    = word_out_q;
            end else begin : unused
                assign arrived[i*FREED_BITS+:FREED_BITS] = {FREED_BITS{1'b0}};
            end
        end
    endgenerate

    assign want     = want_q;
    assign expected = expected_q;
    assign arrives  = put;

endmodule

`default_nettype wire
