// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_weight_engine: computes the constants of a router from the dimensions of the machine, by
// equation (6) of the paper "Broadcasting in Hypercycles", without a divider.
//
// It divides by subtracting rho repeatedly: floor(m/2) gives D, and continuing with the other floor((m-1)/2)
// nodes of the ring gives a and k. hc_weight computes the weights from them. The ports are
// counted in order, dimension 1 first, in each clockwise 1..rho, then counterclockwise. The constants
// of each port are shifted into `ports`.
//
// Latency: a start waits until the network has drained, then takes less than 64 cycles per dimension
// and 40 more. Then the router runs. If the machine is illegal, error and a code are set instead, and the
// router stays closed. A start while busy is ignored, and rank, preference, m and rho must not change
// then.

`default_nettype none

module hc_weight_engine #(
    parameter integer DIMENSIONS = 4,   // largest number of dimensions of a machine, 1 to 4
    parameter integer NODES      = 15,  // largest number of nodes of a dimension, 2 to 15
    parameter integer DEGREE     = 16,  // number of ports, 1 to 16
    parameter integer WD_BITS    = 3,   // bits of wd: the number that DIMENSIONS needs
    parameter integer WC_BITS    = 3,   // bits of wc: the number that floor(NODES / 2) needs
    parameter integer NODE_BITS  = 16   // bits of a node number: the number that NODES ** DIMENSIONS - 1 needs
) (
    input  wire                             clk,
    input  wire                             rst,
    input  wire                             start,       // configure the router
    input  wire                             drained,     // no message is left in any router of the machine
    input  wire [2:0]                       rank,        // number of dimensions of the machine
    input  wire [1:0]                       preference,  // 0 clockwise, 1 counterclockwise, 2 balanced
    output reg  [1:0]                       dimension,   // number, from 0, of the dimension whose m and rho are read
    input  wire [WC_BITS:0]                 m,           // m of that dimension
    input  wire [WC_BITS-1:0]               rho,         // rho of that dimension
    output wire                             busy,
    output reg                              accepting,   // the router accepts messages of its node
    output reg                              running,     // the router works with the constants below
    output wire                             will_run,    // the router works in the next cycle
    output wire                             error,       // the machine of the last start is illegal
    output reg  [2:0]                       error_code,  // 0 none, 1 rank, 2 preference, 3 m, 4 rho, 5 degree
    output reg  [4:0]                       degree,      // number of ports of the machine
    output reg  [4:0]                       steps,       // diameter: the sum of all D
    output wire [NODE_BITS-1:0]             others,      // number of nodes - 1
    output reg  [DIMENSIONS*3*WC_BITS-1:0]  constants,   // {k, a, D} of each dimension, dimension 1 lowest
    output reg  [DIMENSIONS*4*WC_BITS-1:0]  sides,       // {k, q} counterclockwise, {k, q} clockwise
    output wire                             clear,       // forget the previous machine
    output wire                             counting,    // a port of the dimension is counted
    output reg  [WC_BITS-1:0]               distance_q,  // distance of that port
    output wire                             shifting,    // the constants of a port are shifted into `ports`
    // Constants of each port, port 0 lowest: {D, entering weight, distance is rho,
    // distance is 1, counterclockwise, wd}; all 0 if the machine does not have the port.
    output reg  [DEGREE*(2*WC_BITS+3+WD_BITS)-1:0] ports
);

    localparam PORT_BITS = 2 * WC_BITS + 3 + WD_BITS;

    localparam [WC_BITS-1:0] ONE = {{WC_BITS - 1{1'b0}}, 1'b1};

    localparam [3:0] CLOSED   = 4'd0;   // nothing has been configured
    localparam [3:0] DRAIN    = 4'd1;   // until no message is left
    localparam [3:0] MACHINE  = 4'd2;   // check rank and preference
    localparam [3:0] RING     = 4'd3;   // check m and rho
    localparam [3:0] MULTIPLY = 4'd4;   // N grows m times
    localparam [3:0] HALF     = 4'd5;   // divide floor(m/2) by rho
    localparam [3:0] WHOLE    = 4'd6;   // continue to m - 1
    localparam [3:0] REST     = 4'd7;   // divide floor((m-1)/2) by rho
    localparam [3:0] COUNT    = 4'd8;   // one port per cycle
    localparam [3:0] FILL     = 4'd9;   // until the ports have moved to their places
    localparam [3:0] SETTLE   = 4'd10;  // values that the router derives from the ports settle
    localparam [3:0] OPEN     = 4'd11;
    localparam [3:0] FAILED   = 4'd12;

    localparam [2:0] BAD_RANK       = 3'd1;
    localparam [2:0] BAD_PREFERENCE = 3'd2;
    localparam [2:0] BAD_M          = 3'd3;
    localparam [2:0] BAD_RHO        = 3'd4;
    localparam [2:0] BAD_DEGREE     = 3'd5;

    reg  [3:0]           state_q;
    reg  [WC_BITS:0]     rest_q;       // the dividend that is left
    reg  [WC_BITS-1:0]   quotient_q;
    reg  [WC_BITS-1:0]   largest_q;    // D of the dimension
    reg  [WC_BITS-1:0]   half_rest_q;  // floor(m/2) mod rho
    reg                  behind_q;     // the port is counterclockwise
    reg  [4:0]           shifts_q;     // number of shifts of the ports

    // The ring.
    wire [2:0]         number    = {1'b0, dimension} + 3'd1;
    wire               last      = number == rank;
    wire [WC_BITS-1:0] half      = m[WC_BITS:1];                           // floor(m/2)
    wire [WC_BITS-1:0] other     = half - {{WC_BITS - 1{1'b0}}, !m[0]};  // floor((m-1)/2)
    wire               antipodal = rho == half && !m[0];                   // 2 rho = m
    wire               bad_rank  = rank == 3'd0 || rank > DIMENSIONS[2:0];
    wire [WC_BITS+1:0] spare     = {1'b0, NODES[WC_BITS:0]} - {1'b0, m};
    wire               bad_m     = half == {WC_BITS{1'b0}} || spare[WC_BITS+1];
    wire               bad_rho   = rho == {WC_BITS{1'b0}} || rho > half;

    // The only subtraction: of rho, or of 1 to count while N grows.
    wire [WC_BITS-1:0] part      = state_q == MULTIPLY ? ONE : rho;
    wire [WC_BITS+1:0] left      = {1'b0, rest_q} - {2'b00, part};
    wire               divided   = left[WC_BITS+1];
    wire               uneven    = |rest_q;
    wire               balanced  = preference[1];

    // The port.
    wire [WC_BITS-1:0]   weight;
    wire [4*WC_BITS-1:0] ring_sides;
    wire                 nearest  = distance_q == ONE;
    wire                 farthest = distance_q == rho;
    wire [WC_BITS-1:0]   next     = distance_q + ONE;
    wire                 side_ends = farthest | antipodal & behind_q & next == rho;
    wire                 ring_ends = side_ends & (behind_q | antipodal & nearest & farthest);
    wire                 full     = shifts_q == DEGREE[4:0];
    wire [PORT_BITS-1:0] port     = {largest_q, weight, farthest, nearest, behind_q, number[WD_BITS-1:0]};
    wire [PORT_BITS-1:0] entry    = port & {PORT_BITS{counting}};
    wire [(DEGREE+1)*PORT_BITS-1:0] pushed = {entry, ports};

    // The error that is found in this cycle, if any.
    reg  [2:0] fault;
    always @* begin
        case (state_q)
            MACHINE: fault = bad_rank ? BAD_RANK : &preference ? BAD_PREFERENCE : 3'd0;
            RING:    fault = bad_m ? BAD_M : bad_rho ? BAD_RHO : 3'd0;
            COUNT:   fault = full ? BAD_DEGREE : 3'd0;
            default: fault = 3'd0;
        endcase
    end

    wire unused = &{1'b0, number, pushed[PORT_BITS-1:0]};

    hc_weight #(
        .WC_BITS(WC_BITS)
    ) port_weight (
        .preference      (preference),
        .antipodal       (antipodal),
        .largest         (largest_q),
        .half_rest       (half_rest_q),
        .quotient        (quotient_q),
        .rest            (rest_q[WC_BITS-1:0]),
        .counterclockwise(behind_q),
        .distance        (distance_q),
        .sides           (ring_sides),
        .weight          (weight)
    );

    assign clear    = state_q == DRAIN & drained;
    assign counting = state_q == COUNT;
    assign shifting = (counting || state_q == FILL) && !full;
    wire grow       = state_q == MULTIPLY & |left;
    wire multiplied = state_q == MULTIPLY & ~|left;

    hc_node_count #(
        .NODE_BITS(NODE_BITS)
    ) node_count (
        .clk       (clk),
        .rst       (rst | clear),
        .grow      (grow),
        .multiplied(multiplied),
        .others    (others)
    );

    assign busy      = state_q != CLOSED && state_q != OPEN && state_q != FAILED;
    assign error     = state_q == FAILED;
    assign will_run  = !rst & (running & !clear | state_q == SETTLE);

    integer i;
    always @(posedge clk) begin
        case (state_q)
            DRAIN: if (clear) state_q <= MACHINE;
            MACHINE: state_q <= RING;
            RING: begin
                state_q <= MULTIPLY;
                rest_q  <= m;
            end
            MULTIPLY: if (|left) begin
                rest_q <= left[WC_BITS:0];
            end else begin
                state_q    <= HALF;
                rest_q     <= {1'b0, half};
                quotient_q <= {WC_BITS{1'b0}};
            end
            HALF: if (divided) begin
                state_q     <= WHOLE;
                largest_q   <= quotient_q + {{WC_BITS - 1{1'b0}}, uneven};
                half_rest_q <= rest_q[WC_BITS-1:0];
                rest_q      <= rest_q + {1'b0, other};
                quotient_q  <= {WC_BITS{uneven}};  // D is one more than the quotient: -1
            end
            WHOLE: if (divided) begin
                state_q <= balanced ? REST : COUNT;
                steps   <= steps + {{5 - WC_BITS{1'b0}}, largest_q};
                for (i = 0; i < DIMENSIONS; i = i + 1)
                    if (dimension == i[1:0])
                        constants[i*3*WC_BITS+:3*WC_BITS] <= {rest_q[WC_BITS-1:0], quotient_q, largest_q};
                if (balanced) begin
                    rest_q     <= {1'b0, other};
                    quotient_q <= {WC_BITS{1'b0}};
                end
            end
            REST: if (divided) state_q <= COUNT;
            COUNT: begin
                for (i = 0; i < DIMENSIONS; i = i + 1)
                    if (dimension == i[1:0])
                        sides[i*4*WC_BITS+:4*WC_BITS] <= ring_sides;
                distance_q <= side_ends ? ONE : next;
                behind_q   <= behind_q | side_ends;
                if (ring_ends) begin
                    state_q <= last ? FILL : RING;
                    degree  <= shifts_q + 5'd1;
                    if (!last & !full) dimension <= number[1:0];
                end
            end
            FILL: if (full) state_q <= SETTLE;
            SETTLE: {state_q, accepting} <= {OPEN, 1'b1};
            default: if (start) {state_q, accepting} <= {DRAIN, 1'b0};
        endcase
        if ((state_q == HALF || state_q == WHOLE || state_q == REST) && !divided) begin
            rest_q     <= left[WC_BITS:0];
            quotient_q <= quotient_q + ONE;
        end
        if (shifting) begin
            shifts_q <= shifts_q + 5'd1;
            ports    <= pushed[PORT_BITS+:DEGREE*PORT_BITS];
        end
        if (!counting) begin
            distance_q <= ONE;
            behind_q   <= 1'b0;
        end
        if (|fault) begin
            state_q    <= FAILED;
            error_code <= fault;
        end
        running <= will_run;
        if (clear | rst) begin
            error_code <= 3'd0;
            dimension  <= 2'd0;
            degree     <= 5'd0;
            steps      <= 5'd0;
            shifts_q   <= 5'd0;
            constants  <= {DIMENSIONS * 3 * WC_BITS{1'b0}};
            sides      <= {DIMENSIONS * 4 * WC_BITS{1'b0}};
        end
        if (rst) {state_q, accepting} <= {CLOSED, 1'b0};
    end

endmodule

`default_nettype wire
