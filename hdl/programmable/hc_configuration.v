// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_configuration: the registers (hc_config_registers) and the weight engine (hc_weight_engine) of
// a programmable router. It provides all values that depend on the configured machine.
//
// Latency: see hc_config_registers and hc_weight_engine.

`default_nettype none

module hc_configuration #(
    parameter integer DIMENSIONS = 4,   // largest number of dimensions of a machine, 1 to 4
    parameter integer NODES      = 15,  // largest number of nodes of a dimension, 2 to 15
    parameter integer DEGREE     = 16,  // number of ports, 1 to 16
    parameter integer WD_BITS    = 3,   // bits of wd: the number that DIMENSIONS needs
    parameter integer WC_BITS    = 3,   // bits of wc: the number that floor(NODES / 2) needs
    parameter integer NODE_BITS  = 16,  // bits of a node number: the number that NODES ** DIMENSIONS - 1 needs
    parameter integer DESTINATIONS = 0  // 1 if messages have destinations, else 0
) (
    input  wire                                    clk,
    input  wire                                    rst,
    // From hc_wishbone or hc_axi4lite.
    input  wire                                    write,
    input  wire                                    whole,
    input  wire [5:0]                              address,
    input  wire [31:0]                             write_data,
    output wire [31:0]                             read_data,
    output wire                                    refused,
    // From the router.
    input  wire                                    drained,    // no message is left in any router of the machine
    input  wire                                    idle,       // the router is closed and holds no message
    input  wire                                    accepted,   // the local input completes a handshake
    input  wire [DEGREE-1:0]                       forwarded,  // the link output completes a handshake
    input  wire                                    delivered,  // the local output completes a handshake
    input  wire [DEGREE-1:0]                       dropped,    // header_error of each port
    // To the router; see hc_weight_engine.
    output wire                                    accepting,
    output wire                                    running,
    output wire                                    will_run,
    output wire                                    error,
    output wire [DIMENSIONS*(2*WC_BITS+1)-1:0]     rings,      // from hc_ring_record; 0 without destinations
    output wire [DEGREE*WC_BITS-1:0]               distances,  // distance of each port
    output wire [DEGREE*(2*WC_BITS+3+WD_BITS)-1:0] ports
);

    generate
        if (DIMENSIONS < 1 || DIMENSIONS > 4) begin : illegal_dimensions
            hc_configuration_DIMENSIONS_must_be_1_to_4 illegal ();
        end
        if (NODES < 2 || NODES > 15) begin : illegal_nodes
            hc_configuration_NODES_must_be_2_to_15 illegal ();
        end
        if (DEGREE < 1 || DEGREE > 16) begin : illegal_degree
            hc_configuration_DEGREE_must_be_1_to_16 illegal ();
        end
        if (2 ** WD_BITS <= DIMENSIONS) begin : illegal_wd_bits
            hc_configuration_WD_BITS_must_hold_DIMENSIONS illegal ();
        end
        if (2 ** WC_BITS <= NODES / 2) begin : illegal_wc_bits
            hc_configuration_WC_BITS_must_hold_half_of_NODES illegal ();
        end
        if (2 ** NODE_BITS < NODES ** DIMENSIONS) begin : illegal_node_bits
            hc_configuration_NODE_BITS_must_hold_NODES_to_the_DIMENSIONS_minus_1 illegal ();
        end
    endgenerate

    wire                            start;
    wire [2:0]                      rank;
    wire [1:0]                      preference;
    wire [1:0]                      dimension;
    wire [WC_BITS:0]                m;
    wire [WC_BITS-1:0]              rho;
    wire                            busy;
    wire [2:0]                      error_code;
    wire [4:0]                      degree;
    wire [4:0]                      steps;
    wire [NODE_BITS-1:0]            others;
    wire [DIMENSIONS*3*WC_BITS-1:0] constants;
    wire [DIMENSIONS*4*WC_BITS-1:0] sides;
    wire                            clear;
    wire                            counting;
    wire [WC_BITS-1:0]              distance;
    wire                            shifting;

    hc_config_registers #(
        .DIMENSIONS(DIMENSIONS),
        .NODES     (NODES),
        .DEGREE    (DEGREE),
        .WC_BITS   (WC_BITS),
        .NODE_BITS (NODE_BITS)
    ) registers (
        .clk       (clk),
        .rst       (rst),
        .write     (write),
        .whole     (whole),
        .address   (address),
        .write_data(write_data),
        .read_data (read_data),
        .refused   (refused),
        .start     (start),
        .rank      (rank),
        .preference(preference),
        .dimension (dimension),
        .m         (m),
        .rho       (rho),
        .busy      (busy),
        .accepting (accepting),
        .running   (running),
        .error     (error),
        .error_code(error_code),
        .degree    (degree),
        .steps     (steps),
        .others    (others),
        .constants (constants),
        .sides     (sides),
        .idle      (idle),
        .accepted  (accepted),
        .forwarded (forwarded),
        .delivered (delivered),
        .dropped   (dropped)
    );

    hc_weight_engine #(
        .DIMENSIONS(DIMENSIONS),
        .NODES     (NODES),
        .DEGREE    (DEGREE),
        .WD_BITS   (WD_BITS),
        .WC_BITS   (WC_BITS),
        .NODE_BITS (NODE_BITS)
    ) engine (
        .clk       (clk),
        .rst       (rst),
        .start     (start),
        .drained   (drained),
        .rank      (rank),
        .preference(preference),
        .dimension (dimension),
        .m         (m),
        .rho       (rho),
        .busy      (busy),
        .accepting (accepting),
        .running   (running),
        .will_run  (will_run),
        .error     (error),
        .error_code(error_code),
        .degree    (degree),
        .steps     (steps),
        .others    (others),
        .constants (constants),
        .sides     (sides),
        .clear     (clear),
        .counting  (counting),
        .distance_q(distance),
        .shifting  (shifting),
        .ports     (ports)
    );

    generate
        if (DESTINATIONS == 0) begin : broadcast
            wire unused = &{1'b0, clear, counting, distance, shifting};

            assign rings     = {DIMENSIONS * (2 * WC_BITS + 1){1'b0}};
            assign distances = {DEGREE * WC_BITS{1'b0}};
        end else begin : destination
            hc_ring_record #(
                .DIMENSIONS(DIMENSIONS),
                .DEGREE    (DEGREE),
                .WC_BITS   (WC_BITS)
            ) record (
                .clk      (clk),
                .clear    (clear | rst),
                .counting (counting),
                .dimension(dimension),
                .m        (m),
                .rho      (rho),
                .shifting (shifting),
                .distance (distance),
                .rings    (rings),
                .distances(distances)
            );
        end
    endgenerate

endmodule

`default_nettype wire
