// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_programmable_crossbar: connects the inputs of a programmable router to its link outputs.
//
//   local input --+
//                 +--> group 1..r --------------------------------+ request to the ports
//   lower         |    (tree arbiter)                             | of the dimension
//   dimensions    |                                               v
//   link input ---+--> ring arbiter --> gather --------------> output port --> link
//     continue, transfer    ^    (link to its ring port)          |
//                           |                                     |
//                           +-------------- scatter <-------------+
//                                  (ring port to its links: ready, pending)
//
// `ports`, from hc_weight_engine, gives the dimension and the entering weight of each port, and the
// ring ports. hc_ring_masks derives from it which links belong to which ring port.
//
// Latency: one cycle. Backpressure: an output port takes a message if its register is free.
// Freedom from deadlock: the order of dimensions and the bubble rule of hc_ring_port.

`default_nettype none

module hc_programmable_crossbar #(
    parameter integer DIMENSIONS   = 4,      // largest number of dimensions of a machine, 1 to 4
    parameter integer DEGREE       = 16,     // number of ports, 1 to 16
    parameter integer LONGEST      = 6,      // largest rho of a dimension with D of 2 or more, 1 or more
    parameter integer WD_BITS      = 3,      // bits of wd, 1 or more
    parameter integer WC_BITS      = 3,      // bits of wc, 1 or more
    parameter integer DESTINATION_BITS = 0,  // spread and route: 1 + (DIMENSIONS - 1) (WC_BITS + 1); 0 without them
    parameter integer LOCAL_BITS   = 8,      // bits of the local body: BODY_BITS, and WC_BITS more with destinations
    parameter integer CARRIED_BITS = 8       // bits of a body: spread and route, tlast, source id and payload
) (
    input  wire                                             clk,
    input  wire                                             rst,
    input  wire [DEGREE*(2*WC_BITS+3+WD_BITS)-1:0]          ports,             // port constants, from hc_weight_engine
    input  wire [DIMENSIONS*(2*WC_BITS+1)-1:0]              rings,             // {rho, m} of each dimension, 1 lowest
    input  wire [DEGREE*WC_BITS-1:0]                        distances,         // distance of each port
    input  wire [DIMENSIONS-1:0]                            local_request,     // by dimension, dimension 1 lowest
    output wire [DIMENSIONS-1:0]                            local_grant,
    input  wire [LOCAL_BITS-1:0]                            local_body,        // its body, first any destination fields
    input  wire [DEGREE-1:0]                                valid,             // the head of the link is well formed
    input  wire [DIMENSIONS*DEGREE-1:0]                     group_request,     // by dimension, dimension 1 lowest
    output wire [DIMENSIONS*DEGREE-1:0]                     group_grant,
    input  wire [DEGREE-1:0]                                transfer_request,  // from a link shorter than rho
    output wire [DEGREE-1:0]                                transfer_grant,
    input  wire [DEGREE-1:0]                                continue_request,  // from a link of distance rho
    output wire [DEGREE-1:0]                                continue_grant,
    input  wire [DEGREE*(WC_BITS+CARRIED_BITS)-1:0]         words,             // {wc of continuation, body} by link
    input  wire                                             tick,              // the clock of the router ticks
    output wire                                             hold,              // the clock must wait, see hc_ring_mark
    output wire [DEGREE-1:0]                                m_axis_tvalid,
    input  wire [DEGREE-1:0]                                m_axis_tready,
    output wire [DEGREE*(WD_BITS+WC_BITS+CARRIED_BITS)-1:0] m_axis_tdata
);

    localparam LINK_BITS      = WD_BITS + WC_BITS + CARRIED_BITS;
    localparam WORD_BITS      = WC_BITS + CARRIED_BITS;
    localparam LINK_WORD_BITS = WORD_BITS + 1;  // {valid, word}
    localparam PORT_BITS      = 2 * WC_BITS + 3 + WD_BITS;
    localparam GROUP_BITS     = CARRIED_BITS + 3;  // bits of a group word of hc_programmable_groups
    localparam WAY_BITS       = 2 * WC_BITS + 2;   // bits of a way of hc_programmable_groups
    localparam STEPS          = LONGEST > 1 ? $clog2(LONGEST) : 1;

    // The place of each port in the machine.
    wire [DEGREE-1:0]        first;   // the port has distance 1
    wire [DEGREE-1:0]        behind;  // the port is counterclockwise
    wire [DEGREE-1:0]        far;     // the port has distance rho
    wire [2*DEGREE-1:0]      number;  // number of the dimension of each port, modulo 4
    wire [STEPS*DEGREE-1:0]  joined;
    wire [DEGREE*DEGREE-1:0] onward;

    hc_ring_masks #(.DEGREE(DEGREE), .LONGEST(LONGEST), .STEPS(STEPS)) masks (
        .clk(clk), .first(first), .behind(behind), .farthest(far), .number(number), .joined(joined),
        .onward(onward)
    );

    // Groups.
    wire [4*GROUP_BITS-1:0]     group_words;   // output of the group of each dimension, modulo 4
    wire [4*WAY_BITS-1:0]       ways;          // how the offered messages enter, with destinations
    wire [DEGREE-1:0]           port_request;  // the group of the port's dimension offers a message
    wire [DEGREE-1:0]           port_valid;
    wire [DEGREE-1:0]           pending;       // the port has not taken the message of its group
    wire [DEGREE-1:0]           enters;        // the message of the group enters on this port
    wire [DEGREE-1:0]           port_pending = pending & enters;
    wire [DEGREE-1:0]           group_waits;   // the port, or the link's ring port, has not taken it after this cycle
    wire                        unused = &{1'b0, distances, ways};  // broadcasts do not need these

    hc_programmable_groups #(
        .DIMENSIONS  (DIMENSIONS),
        .DEGREE      (DEGREE),
        .WC_BITS     (WC_BITS),
        .DESTINATION_BITS(DESTINATION_BITS),
        .LOCAL_BITS  (LOCAL_BITS),
        .CARRIED_BITS(CARRIED_BITS)
    ) groups (
        .clk          (clk),
        .rst          (rst),
        .rings        (rings),
        .numbers      (number),
        .local_request(local_request),
        .local_grant  (local_grant),
        .local_body   (local_body),
        .link_request (group_request),
        .valid        (valid),
        .link_grant   (group_grant),
        .words        (words),
        .group_words  (group_words),
        .ways         (ways),
        .waits        (group_waits)
    );

    // Rings. at_ring_* is the state of the ring port of a link, here_* that of this port.
    wire [DEGREE-1:0]            ready;
    wire [DEGREE-1:0]            at_ring_ready;
    wire [DEGREE-1:0]            at_ring_pending;
    wire [DEGREE-1:0]            link_select;
    wire [DEGREE*LINK_WORD_BITS-1:0] link_words;  // words of the selected links, else 0
    wire [DEGREE*LINK_WORD_BITS-1:0] here_words;
    wire [DEGREE-1:0]            blocks;
    wire [DEGREE-1:0]            here_blocked;
    wire [DEGREE-1:0]            waiting;  // waiting of hc_ring_mark, at the link of distance rho
    wire [DEGREE-1:0]            passes;
    wire [DEGREE-1:0]            holds;

    assign hold           = |holds;
    assign continue_grant = at_ring_ready;

    hc_ring_scatter #(.DEGREE(DEGREE)) scatter_ready (
        .joined(joined[DEGREE-1:0]), .onward(onward), .values(ready), .scattered(at_ring_ready)
    );
    hc_ring_scatter #(.DEGREE(DEGREE)) scatter_pending (
        .joined(joined[DEGREE-1:0]), .onward(onward), .values(port_pending), .scattered(at_ring_pending)
    );
    hc_ring_arbiter #(.DEGREE(DEGREE), .LONGEST(LONGEST), .STEPS(STEPS)) arbiter (
        .clk          (clk),
        .rst          (rst),
        .joined       (joined),
        .continues    (continue_request),
        .transfers    (transfer_request & ({DEGREE{1'b1}} >> 1)),  // the last port has distance rho
        .valid        (valid),
        .ready        (at_ring_ready),
        .group_request(at_ring_pending & port_request),
        .group_valid  (port_valid),
        .link_select  (link_select),
        .blocks       (blocks),
        .grant        (transfer_grant),
        .waiting      (waiting),
        .passes       (passes)
    );
    hc_ring_gather #(.DEGREE(DEGREE), .LONGEST(LONGEST), .WORD_BITS(1)) gather_blocked (
        .joined(joined[DEGREE-1:0]), .onward(onward), .words(blocks), .gathered(here_blocked)
    );
    hc_ring_gather #(.DEGREE(DEGREE), .LONGEST(LONGEST), .WORD_BITS(LINK_WORD_BITS)) gather_words (
        .joined(joined[DEGREE-1:0]), .onward(onward), .words(link_words), .gathered(here_words)
    );

    // Ports.
    genvar p;
    generate
        for (p = 0; p < DEGREE; p = p + 1) begin : port
            wire [WD_BITS-1:0] wd     = ports[p*PORT_BITS+:WD_BITS];
            wire [WC_BITS-1:0] all_weight = ports[p*PORT_BITS+WD_BITS+3+:WC_BITS];
            wire [WC_BITS-1:0] weight;  // entering weight
            reg                entered_q;

            assign behind[p] = ports[p*PORT_BITS+WD_BITS];
            assign first[p]  = ports[p*PORT_BITS+WD_BITS+1];
            assign far[p]    = ports[p*PORT_BITS+WD_BITS+2];
            if (WD_BITS > 1) begin : many
                // Port 0 belongs to dimension 1 and port 1 to dimension 1 or 2, if the machine has them.
                assign number[2*p+:2] = p == 0 ? 2'd1 : p == 1 ? {!wd[0], wd[0]} : wd[1:0];
            end else begin : one_dimension
                assign number[2*p+:2] = {1'b0, wd};
            end

            // The output of the dimension's group.
            wire [GROUP_BITS-1:0]   group_word = group_words[number[2*p+:2]*GROUP_BITS+:GROUP_BITS];
            wire                    port_complete;
            wire [CARRIED_BITS-1:0] port_body;
            assign {port_request[p], port_valid[p], port_complete, port_body} = group_word;
            if (DESTINATION_BITS == 0) begin : broadcast
                assign enters[p] = 1'b1;
                assign weight    = all_weight;

                always @(posedge clk) entered_q <= |all_weight;
            end else begin : destination
                wire [WC_BITS-1:0] distance;
                wire               counterclockwise;
                wire [WC_BITS-1:0] steps;
                wire               spread;
                reg                entered_by_all_q;

                // This is separate from the group word, so that Verilator sees no loop through `complete`.
                assign {spread, steps, counterclockwise, distance} = ways[number[2*p+:2]*WAY_BITS+:WAY_BITS];
                assign enters[p] = spread ? entered_by_all_q
                                          : distance == distances[p*WC_BITS+:WC_BITS] && counterclockwise == behind[p];
                assign weight    = spread ? all_weight : steps;

                always @(posedge clk) begin
                    entered_q        <= |wd;
                    entered_by_all_q <= |all_weight;
                end
            end

            // A link whose message has priority over the group blocks the group directly, not through
            // its ring port.
            assign group_waits[p] = (port_pending[p] & !ready[p]) | (at_ring_pending[p] & blocks[p]);
            assign link_words[p*LINK_WORD_BITS+:LINK_WORD_BITS] =
                {valid[p], words[p*WORD_BITS+:WORD_BITS]} & {LINK_WORD_BITS{link_select[p]}};

            // The mark of the ring port on which messages of the link continue, if there is one.
            hc_ring_mark mark (
                .clk    (clk),
                .rst    (rst),
                .waiting(waiting[p]),
                .passes (passes[p]),
                .tick   (tick),
                .hold   (holds[p])
            );

            assign m_axis_tdata[p*LINK_BITS+WORD_BITS+:WD_BITS] = wd;
            hc_programmable_port #(
                .WC_BITS     (WC_BITS),
                .CARRIED_BITS(CARRIED_BITS)
            ) out (
                .clk           (clk),
                .rst           (rst),
                .entered       (entered_q),
                .group_request (port_request[p] & enters[p]),
                .group_valid   (port_valid[p] & enters[p]),
                .group_complete(port_complete),
                .group_weight  (weight),
                .group_body    (port_body),
                .blocked       (here_blocked[p]),
                .link_valid    (here_words[p*LINK_WORD_BITS+WORD_BITS]),
                .link_word     (here_words[p*LINK_WORD_BITS+:WORD_BITS]),
                .pending_q     (pending[p]),
                .ready         (ready[p]),
                .m_axis_tvalid (m_axis_tvalid[p]),
                .m_axis_tready (m_axis_tready[p]),
                .m_axis_tdata  (m_axis_tdata[p*LINK_BITS+:WORD_BITS])
            );
        end
    endgenerate

endmodule

`default_nettype wire
