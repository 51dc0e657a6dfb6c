// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_router_programmable: broadcast router of one node of any machine within its limits,
// which it is told over its registers. While it runs it behaves in every cycle like the
// router generated for that machine, counted from the first cycle with `configured`.
//
// Links carry {wd, wc, source id and payload}. Ports that the machine does not have are
// silent: never valid, never ready.
//
// A start closes the local input. What is under way goes on until `drained`, the AND of
// `idle` of all routers of the machine, tells that none holds a message.
// Latency: one cycle per hop. Freedom from deadlock: as that of the generated router.

`default_nettype none

module hc_router_programmable #(
    parameter integer DIMENSIONS    = 4,   // most dimensions, 1 to 4
    parameter integer NODES         = 15,  // most nodes of a dimension, 2 to 15
    parameter integer DEGREE        = 16,  // ports, 1 to 16
    parameter integer WD_BITS       = 3,   // smallest that hold DIMENSIONS
    parameter integer WC_BITS       = 3,   // smallest that hold floor(NODES / 2)
    parameter integer COST_BITS     = 16,  // smallest that hold NODES ** DIMENSIONS - 1
    parameter integer BODY_BITS     = 8    // bits of source id and payload
) (
    input  wire                                        clk,
    input  wire                                        rst,
    // From hc_wishbone or hc_axi4lite.
    input  wire                                        write,
    input  wire                                        whole,
    input  wire [5:0]                                  address,
    input  wire [31:0]                                 write_data,
    output wire [31:0]                                 read_data,
    output wire                                        refused,
    output wire                                        configured,  // takes messages of its node
    output wire                                        illegal,     // the machine was; closed
    output wire                                        idle,        // closed, and no message is left in this router
    input  wire                                        drained,     // nor in any router of the machine
    input  wire [DEGREE-1:0]                           s_axis_link_tvalid,
    output wire [DEGREE-1:0]                           s_axis_link_tready,
    input  wire [DEGREE*(WD_BITS+WC_BITS+BODY_BITS)-1:0] s_axis_link_tdata,
    output wire [DEGREE-1:0]                           m_axis_link_tvalid,
    input  wire [DEGREE-1:0]                           m_axis_link_tready,
    output wire [DEGREE*(WD_BITS+WC_BITS+BODY_BITS)-1:0] m_axis_link_tdata,
    input  wire                                        s_axis_local_tvalid,
    output wire                                        s_axis_local_tready,
    input  wire [BODY_BITS-1:0]                        s_axis_local_tdata,
    output wire                                        m_axis_local_tvalid,
    input  wire                                        m_axis_local_tready,
    output wire [BODY_BITS-1:0]                        m_axis_local_tdata,
    output wire [DEGREE-1:0]                           header_error
);

    localparam LINK_BITS = WD_BITS + WC_BITS + BODY_BITS;
    localparam PORT_BITS = 2 * WC_BITS + 3 + WD_BITS;

    // The machine.
    wire                        accepting;
    wire                        running;
    wire                        will_run;
    wire [4:0]                  steps;
    wire [COST_BITS-1:0]        cost;
    wire [COST_BITS-1:0]        share;
    wire [DEGREE*PORT_BITS-1:0] ports;
    wire                        closed = rst | !running;  // the reset of all that follows

    hc_configuration #(
        .DIMENSIONS(DIMENSIONS),
        .NODES     (NODES),
        .DEGREE    (DEGREE),
        .WD_BITS   (WD_BITS),
        .WC_BITS   (WC_BITS),
        .COST_BITS (COST_BITS)
    ) configuration (
        .clk       (clk),
        .rst       (rst),
        .write     (write),
        .whole     (whole),
        .address   (address),
        .write_data(write_data),
        .read_data (read_data),
        .refused   (refused),
        .drained   (drained),
        .idle      (idle),
        .accepted  (s_axis_local_tvalid & s_axis_local_tready),
        .forwarded (m_axis_link_tvalid & m_axis_link_tready),
        .delivered (m_axis_local_tvalid & m_axis_local_tready),
        .dropped   (header_error),
        .accepting (accepting),
        .running   (running),
        .will_run  (will_run),
        .error     (illegal),
        .steps     (steps),
        .cost      (cost),
        .share     (share),
        .ports     (ports)
    );

    assign configured = accepting;
    // Local input, behind the injection gate.
    wire                  local_open;
    wire [DIMENSIONS-1:0] local_ask;
    wire [DIMENSIONS-1:0] local_made;

    hc_programmable_local #(
        .DIMENSIONS(DIMENSIONS),
        .DEGREE    (DEGREE),
        .COST_BITS (COST_BITS)
    ) local_side (
        .clk           (clk),
        .rst           (closed),
        .accepting     (accepting),
        .cost          (cost),
        .share         (share),
        .steps         (steps),
        .link_valid    (m_axis_link_tvalid),
        .link_ready    (m_axis_link_tready),
        .s_axis_tvalid (s_axis_local_tvalid),
        .s_axis_tready (s_axis_local_tready),
        .local_valid   (m_axis_local_tvalid),
        .local_ready   (m_axis_local_tready),
        .ask           (local_ask),
        .made          (local_made),
        .open          (local_open)
    );

    wire                  links_empty;
    assign idle       = !local_open & links_empty & !m_axis_local_tvalid;

    // Link inputs.
    wire [DEGREE-1:0]                     accept;
    wire [DEGREE-1:0]                     deliver_ask;
    wire [DEGREE-1:0]                     deliver_made;
    wire [DEGREE-1:0]                     transfer_ask;
    wire [DEGREE-1:0]                     transfer_made;
    wire [DEGREE-1:0]                     continue_ask;
    wire [DEGREE-1:0]                     continue_made;
    wire [DEGREE*(WC_BITS+BODY_BITS)-1:0] next_words;
    wire [DEGREE*BODY_BITS-1:0]           bodies;
    wire [DIMENSIONS*DEGREE-1:0]          group_ask;
    wire [DIMENSIONS*DEGREE-1:0]          group_made;
    wire [DEGREE-1:0]                     unused_made = group_made[(DIMENSIONS-1)*DEGREE+:DEGREE];

    assign group_ask[(DIMENSIONS-1)*DEGREE+:DEGREE] = {DEGREE{1'b0}};

    genvar p, j;
    generate
        for (p = 0; p < DEGREE; p = p + 1) begin : in
            wire [WC_BITS-1:0]    next_wc;
            wire [DIMENSIONS+1:0] ask;
            wire [DIMENSIONS+1:0] made;

            hc_programmable_input #(
                .DIMENSIONS(DIMENSIONS),
                .WD_BITS   (WD_BITS),
                .WC_BITS   (WC_BITS)
            ) link_input (
                .clk          (clk),
                .rst          (closed),
                .will_run     (will_run),
                .dimension    (ports[p*PORT_BITS+:WD_BITS]),
                .largest      (ports[p*PORT_BITS+WD_BITS+3+WC_BITS+:WC_BITS]),
                .farthest     (ports[p*PORT_BITS+WD_BITS+2]),
                .s_axis_tvalid(s_axis_link_tvalid[p]),
                .s_axis_tready(s_axis_link_tready[p]),
                .wd           (s_axis_link_tdata[p*LINK_BITS+BODY_BITS+WC_BITS+:WD_BITS]),
                .wc           (s_axis_link_tdata[p*LINK_BITS+BODY_BITS+:WC_BITS]),
                .next_wc      (next_wc),
                .accept       (accept[p]),
                .ask          (ask),
                .made         (made),
                .header_error (header_error[p])
            );

            assign bodies[p*BODY_BITS+:BODY_BITS] = s_axis_link_tdata[p*LINK_BITS+:BODY_BITS];
            assign next_words[p*(WC_BITS+BODY_BITS)+:WC_BITS+BODY_BITS] =
                {next_wc, s_axis_link_tdata[p*LINK_BITS+:BODY_BITS]};
            assign deliver_ask[p]   = ask[0];
            assign made[0]          = deliver_made[p];
            assign transfer_ask[p]  = ask[DIMENSIONS];
            assign continue_ask[p]  = ask[DIMENSIONS+1];
            assign made[DIMENSIONS]   = transfer_made[p];
            assign made[DIMENSIONS+1] = continue_made[p];
            for (j = 1; j < DIMENSIONS; j = j + 1) begin : target
                assign group_ask[(j-1)*DEGREE+p] = ask[j];
                assign made[j]                   = group_made[(j-1)*DEGREE+p];
            end
        end
    endgenerate

    hc_programmable_crossbar #(
        .DIMENSIONS(DIMENSIONS),
        .DEGREE    (DEGREE),
        .LONGEST   (NODES > 5 ? (NODES - 2) / 2 : 1),
        .WD_BITS   (WD_BITS),
        .WC_BITS   (WC_BITS),
        .BODY_BITS (BODY_BITS)
    ) crossbar (
        .clk          (clk),
        .rst          (closed),
        .ports        (ports),
        .local_ask    (local_ask),
        .local_made   (local_made),
        .local_body   (s_axis_local_tdata),
        .accept       (accept),
        .group_ask    (group_ask),
        .group_made   (group_made),
        .transfer_ask (transfer_ask),
        .transfer_made(transfer_made),
        .continue_ask (continue_ask),
        .continue_made(continue_made),
        .words        (next_words),
        .m_axis_tvalid(m_axis_link_tvalid),
        .m_axis_tready(m_axis_link_tready),
        .m_axis_tdata (m_axis_link_tdata),
        .empty        (links_empty)
    );

    hc_delivery #(
        .SOURCES(DEGREE),
        .WIDTH  (BODY_BITS),
        .DEPTH  (2)
    ) delivery (
        .clk          (clk),
        .rst          (closed),
        .ask          (deliver_ask),
        .accept       (accept),
        .bodies       (bodies),
        .made         (deliver_made),
        .m_axis_tvalid(m_axis_local_tvalid),
        .m_axis_tready(m_axis_local_tready),
        .m_axis_tdata (m_axis_local_tdata)
    );

endmodule

`default_nettype wire
