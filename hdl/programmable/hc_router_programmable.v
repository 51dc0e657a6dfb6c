// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_router_programmable: router of one node of any machine within the limits of its parameters. The
// host writes the machine to its registers. From the first cycle with `configured` on, it behaves in
// every cycle like the router that is generated for that machine, from its reset on.
//
// Links carry {wd, wc, body}, or with destinations {wd, wc, spread, route, body}. Ports that the machine
// does not have are silent: neither valid nor ready.
//
//   bus       --> hc_configuration --> constants of each port
//   link_pace --> hc_programmable_injection --> pace
//   local     -->           |
//                           +--> hc_programmable_crossbar --> links
//   links     --> hc_programmable_inputs --> hc_delivery --> local
//                 (one slot per link)
//
// A start closes the local input. The network then delivers its messages until `drained`, the AND of
// `idle` of all routers, shows that no router holds a message. From then on all registers of messages
// and of the clock are in reset until the router is configured.
//
// Latency: one cycle per hop. Backpressure and freedom from deadlock: as in a generated router.

`default_nettype none

module hc_router_programmable #(
    parameter integer DIMENSIONS    = 4,     // largest number of dimensions of a machine, 1 to 4
    parameter integer NODES         = 15,    // largest number of nodes of a dimension, 2 to 15
    parameter integer DEGREE        = 16,    // number of ports, 1 to 16
    parameter integer WD_BITS       = 3,     // bits of wd: the number that DIMENSIONS needs
    parameter integer WC_BITS       = 3,     // bits of wc: the number that floor(NODES / 2) needs
    parameter integer NODE_BITS     = 16,    // bits of a node number: the number that NODES ** DIMENSIONS - 1 needs
    // With destinations, and DIGIT the bits of NODES - 1, the next three are 1 + (DIMENSIONS - 1) (WC_BITS + 1),
    // DIMENSIONS (DIGIT + 1) and DIMENSIONS DIGIT. Without destinations they are 0, 1 and 1.
    parameter integer DESTINATION_BITS = 0,  // bits of spread and route
    parameter integer TDEST_BITS    = 1,     // bits of tdest
    parameter integer DIGITS_BITS   = 1,     // bits of an address
    parameter integer BODY_BITS     = 8      // bits of tlast, source id and payload
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
    output wire                                        configured,          // the router accepts messages of its node
    output wire                                        illegal,             // the machine was illegal; router is closed
    output wire                                        idle,                // the router is closed and holds no message
    input  wire                                        drained,             // all routers of the machine are idle
    input  wire [DEGREE-1:0]                           s_axis_link_tvalid,
    output wire [DEGREE-1:0]                           s_axis_link_tready,
    input  wire [DEGREE*(WD_BITS+WC_BITS+DESTINATION_BITS+BODY_BITS)-1:0] s_axis_link_tdata,
    output wire [DEGREE-1:0]                           m_axis_link_tvalid,
    input  wire [DEGREE-1:0]                           m_axis_link_tready,
    output wire [DEGREE*(WD_BITS+WC_BITS+DESTINATION_BITS+BODY_BITS)-1:0] m_axis_link_tdata,
    input  wire                                        s_axis_local_tvalid,
    output wire                                        s_axis_local_tready,
    input  wire [BODY_BITS-1:0]                        s_axis_local_tdata,
    input  wire [TDEST_BITS-1:0]                       s_axis_local_tdest,  // ignored without destinations
    input  wire [DIGITS_BITS-1:0]                      node_digits,         // node address; unused without destinations
    output wire                                        m_axis_local_tvalid,
    input  wire                                        m_axis_local_tready,
    output wire [BODY_BITS-1:0]                        m_axis_local_tdata,
    output wire [1:0]                                  pace,                // clock ticks modulo 4; 0 while not running
    input  wire [2*DEGREE-1:0]                         link_pace,           // pace of the neighbour on each port
    output wire                                        destination_error,
    output wire [DEGREE-1:0]                           header_error
);

    localparam CARRIED_BITS = DESTINATION_BITS + BODY_BITS;
    localparam WORD_BITS    = WC_BITS + CARRIED_BITS;
    localparam LOCAL_BITS   = DESTINATION_BITS > 0 ? CARRIED_BITS + WC_BITS : BODY_BITS;
    localparam PORT_BITS    = 2 * WC_BITS + 3 + WD_BITS;

    // The configured machine.
    wire                        running;
    wire                        will_run;
    wire [DEGREE*PORT_BITS-1:0] ports;
    wire [DIMENSIONS*(2*WC_BITS+1)-1:0] rings;
    wire [DEGREE*WC_BITS-1:0]   distances;
    wire                        closed = rst | !running;  // reset of all modules below

    hc_configuration #(
        .DIMENSIONS(DIMENSIONS),
        .NODES     (NODES),
        .DEGREE    (DEGREE),
        .WD_BITS   (WD_BITS),
        .WC_BITS   (WC_BITS),
        .NODE_BITS (NODE_BITS),
        .DESTINATIONS(DESTINATION_BITS > 0 ? 1 : 0)
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
        .accepting (configured),
        .running   (running),
        .will_run  (will_run),
        .error     (illegal),
        .rings     (rings),
        .distances (distances),
        .ports     (ports)
    );

    // Local input.
    wire [DEGREE-1:0]     there;  // the machine has the port
    wire                  open;   // messages of the node are accepted
    wire                  tick;   // the clock ticks
    wire                  pace_hold;  // the clock must not tick
    wire [DIMENSIONS-1:0] local_request;
    wire [DIMENSIONS-1:0] local_grant;
    wire [LOCAL_BITS-1:0] local_body;

    hc_programmable_injection #(
        .DIMENSIONS (DIMENSIONS),
        .DEGREE     (DEGREE),
        .WC_BITS    (WC_BITS),
        .DESTINATION_BITS(DESTINATION_BITS),
        .TDEST_BITS (TDEST_BITS),
        .DIGITS_BITS(DIGITS_BITS),
        .LOCAL_BITS (LOCAL_BITS),
        .BODY_BITS  (BODY_BITS)
    ) injection (
        .clk              (clk),
        .rst              (closed),
        .configured       (configured),
        .rings            (rings),
        .there            (there),
        .link_pace        (link_pace),
        .hold             (pace_hold),
        .pace             (pace),
        .tick             (tick),
        .open             (open),
        .s_axis_tvalid    (s_axis_local_tvalid),
        .s_axis_tready    (s_axis_local_tready),
        .s_axis_tdata     (s_axis_local_tdata),
        .s_axis_tdest     (s_axis_local_tdest),
        .node_digits      (node_digits),
        .body             (local_body),
        .request          (local_request),
        .grant            (local_grant),
        .destination_error(destination_error)
    );

    // Link inputs.
    wire [DEGREE-1:0]                     valid;
    wire [DEGREE-1:0]                     deliver_request;
    wire [DEGREE-1:0]                     deliver_grant;
    wire [DEGREE-1:0]                     transfer_request;
    wire [DEGREE-1:0]                     transfer_grant;
    wire [DEGREE-1:0]                     continue_request;
    wire [DEGREE-1:0]                     continue_grant;
    wire [DEGREE*WORD_BITS-1:0]           words;
    wire [DEGREE*BODY_BITS-1:0]           bodies;
    wire [DEGREE-1:0]                     full;
    wire [DIMENSIONS*DEGREE-1:0]          group_request;
    wire [DIMENSIONS*DEGREE-1:0]          group_grant;

    hc_programmable_inputs #(
        .DIMENSIONS  (DIMENSIONS),
        .DEGREE      (DEGREE),
        .WD_BITS     (WD_BITS),
        .WC_BITS     (WC_BITS),
        .DESTINATION_BITS(DESTINATION_BITS),
        .CARRIED_BITS(CARRIED_BITS)
    ) inputs (
        .clk             (clk),
        .rst             (closed),
        .will_run        (will_run),
        .ports           (ports),
        .rings           (rings),
        .s_axis_tvalid   (s_axis_link_tvalid),
        .s_axis_tready   (s_axis_link_tready),
        .s_axis_tdata    (s_axis_link_tdata),
        .there           (there),
        .full            (full),
        .words           (words),
        .bodies          (bodies),
        .valid           (valid),
        .deliver_request (deliver_request),
        .deliver_grant   (deliver_grant),
        .group_request   (group_request),
        .group_grant     (group_grant),
        .transfer_request(transfer_request),
        .transfer_grant  (transfer_grant),
        .continue_request(continue_request),
        .continue_grant  (continue_grant),
        .header_error    (header_error)
    );

    hc_programmable_crossbar #(
        .DIMENSIONS  (DIMENSIONS),
        .DEGREE      (DEGREE),
        .LONGEST     (NODES > 5 ? (NODES - 2) / 2 : 1),
        .WD_BITS     (WD_BITS),
        .WC_BITS     (WC_BITS),
        .DESTINATION_BITS(DESTINATION_BITS),
        .LOCAL_BITS  (LOCAL_BITS),
        .CARRIED_BITS(CARRIED_BITS)
    ) crossbar (
        .clk             (clk),
        .rst             (closed),
        .ports           (ports),
        .rings           (rings),
        .distances       (distances),
        .local_request   (local_request),
        .local_grant     (local_grant),
        .local_body      (local_body),
        .valid           (valid),
        .group_request   (group_request),
        .group_grant     (group_grant),
        .transfer_request(transfer_request),
        .transfer_grant  (transfer_grant),
        .continue_request(continue_request),
        .continue_grant  (continue_grant),
        .words           (words),
        .tick            (tick),
        .hold            (pace_hold),
        .m_axis_tvalid   (m_axis_link_tvalid),
        .m_axis_tready   (m_axis_link_tready),
        .m_axis_tdata    (m_axis_link_tdata)
    );

    hc_delivery #(.SOURCES(DEGREE), .BODY_BITS(BODY_BITS)) delivery (
        .clk(clk), .rst(closed), .request(deliver_request), .valid(valid), .bodies(bodies), .grant(deliver_grant),
        .m_axis_tvalid(m_axis_local_tvalid), .m_axis_tready(m_axis_local_tready), .m_axis_tdata(m_axis_local_tdata)
    );
    assign idle = !open & ~|full & ~|m_axis_link_tvalid & !m_axis_local_tvalid;

endmodule

`default_nettype wire
