// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_config_registers: the registers of a programmable router, behind the bridge of the
// configuration bus. Package registers describes them, and prints the addresses and bits below.
//
// A register has 32 bits, which are written together. A value that does not fit is stored as an
// illegal value, so that hc_weight_engine reports it.
//
// Latency: read_data and refused follow the address in the same cycle. A write takes effect in the
// next cycle. Counters are two cycles late.

`default_nettype none

module hc_config_registers #(
    parameter integer DIMENSIONS = 4,   // largest number of dimensions of a machine, 1 to 4
    parameter integer NODES      = 15,  // largest number of nodes of a dimension, 2 to 15
    parameter integer DEGREE     = 16,  // number of ports, 1 to 16
    parameter integer WC_BITS    = 3,   // bits of wc: the number that floor(NODES / 2) needs
    parameter integer NODE_BITS  = 16   // bits of a node number: the number that NODES ** DIMENSIONS - 1 needs
) (
    input  wire                            clk,
    input  wire                            rst,
    // The bus.
    input  wire                            write,      // write access, for one cycle
    input  wire                            whole,      // the write has all byte strobes
    input  wire [5:0]                      address,    // address of the access, in words
    input  wire [31:0]                     write_data,
    output reg  [31:0]                     read_data,
    output wire                            refused,    // the access is an error and has no effect
    // The engine.
    output reg                             start,      // configure the router
    output reg  [2:0]                      rank,
    output reg  [1:0]                      preference,
    input  wire [1:0]                      dimension,
    output reg  [WC_BITS:0]                m,          // m of the dimension that the engine selects
    output reg  [WC_BITS-1:0]              rho,        // rho of that dimension
    input  wire                            busy,
    input  wire                            accepting,
    input  wire                            running,
    input  wire                            error,
    input  wire [2:0]                      error_code,
    input  wire [4:0]                      degree,
    input  wire [4:0]                      steps,
    input  wire [NODE_BITS-1:0]            others,
    input  wire [DIMENSIONS*3*WC_BITS-1:0] constants,
    input  wire [DIMENSIONS*4*WC_BITS-1:0] sides,
    // The router.
    input  wire                            idle,       // the router is closed and holds no message
    input  wire                            accepted,   // the local input completes a handshake
    input  wire [DEGREE-1:0]               forwarded,  // the link output completes a handshake
    input  wire                            delivered,  // the local output completes a handshake
    input  wire [DEGREE-1:0]               dropped     // header_error of each port
);

    // Printed by package registers; its test compares them.
    localparam [7:0] VERSION = 8'd1;
    localparam [5:0] AT_LIMITS = 6'd0;
    localparam integer LIMITS_MAX_DIMENSIONS = 0;
    localparam integer LIMITS_MAX_NODES = 8;
    localparam integer LIMITS_MAX_DEGREE = 16;
    localparam integer LIMITS_VERSION = 24;
    localparam [5:0] AT_CONTROL = 6'd1;
    localparam [5:0] AT_STATUS = 6'd2;
    localparam integer STATUS_DONE = 0;
    localparam integer STATUS_ERROR = 1;
    localparam integer STATUS_BUSY = 2;
    localparam integer STATUS_IDLE = 3;
    localparam integer STATUS_CODE = 8;
    localparam integer STATUS_DIMENSION = 12;
    localparam [5:0] AT_RANK = 6'd3;
    localparam [5:0] AT_PREFERENCE = 6'd4;
    localparam [5:0] AT_DEGREE = 6'd5;
    localparam [5:0] AT_OTHERS = 6'd6;
    localparam [5:0] AT_STEPS = 6'd7;
    localparam [5:0] AT_DIMENSION = 6'd8;
    localparam integer DIMENSION_M = 0;
    localparam integer DIMENSION_RHO = 16;
    localparam [5:0] AT_CONSTANTS = 6'd12;
    localparam integer CONSTANTS_D = 0;
    localparam integer CONSTANTS_A = 8;
    localparam integer CONSTANTS_K = 16;
    localparam [5:0] AT_SIDES = 6'd16;
    localparam integer SIDES_CLOCKWISE_Q = 0;
    localparam integer SIDES_CLOCKWISE_K = 8;
    localparam integer SIDES_COUNTERCLOCKWISE_Q = 16;
    localparam integer SIDES_COUNTERCLOCKWISE_K = 24;
    localparam [5:0] AT_ACCEPTED = 6'd20;
    localparam [5:0] AT_FORWARDED = 6'd21;
    localparam [5:0] AT_DELIVERED = 6'd22;
    localparam [5:0] AT_DROPPED = 6'd23;

    localparam [2:0] ERROR_M = 3'd3;  // the first error of a dimension

    reg [DIMENSIONS*(WC_BITS+1)-1:0] m_q;
    reg [DIMENSIONS*WC_BITS-1:0]     rho_q;
    reg [31:0]                       accepted_q;
    reg [31:0]                       forwarded_q;
    reg [31:0]                       delivered_q;
    reg [31:0]                       dropped_q;

    // The value that is written, or 0 if it does not fit.
    wire               m_fits   = ~|write_data[DIMENSION_RHO-1:DIMENSION_M+WC_BITS+1];
    wire               rho_fits = ~|write_data[31:DIMENSION_RHO+WC_BITS];
    wire [WC_BITS:0]   m_new    = write_data[DIMENSION_M+:WC_BITS+1] & {WC_BITS + 1{m_fits}};
    wire [WC_BITS-1:0] rho_new  = write_data[DIMENSION_RHO+:WC_BITS] & {WC_BITS{rho_fits}};

    reg                known;      // a register has this address
    reg                writable;
    integer            i;

    always @* begin
        read_data = 32'd0;
        known     = 1'b1;
        writable  = 1'b0;
        case (address)
            AT_LIMITS: begin
                read_data[LIMITS_MAX_DIMENSIONS+:8] = DIMENSIONS[7:0];
                read_data[LIMITS_MAX_NODES+:8]      = NODES[7:0];
                read_data[LIMITS_MAX_DEGREE+:8]     = DEGREE[7:0];
                read_data[LIMITS_VERSION+:8]        = VERSION;
            end
            AT_CONTROL: writable = 1'b1;
            AT_STATUS: begin
                read_data[STATUS_DONE]         = accepting;
                read_data[STATUS_ERROR]        = error;
                read_data[STATUS_BUSY]         = busy;
                read_data[STATUS_IDLE]         = idle;
                read_data[STATUS_CODE+:3]      = error_code;
                read_data[STATUS_DIMENSION+:3] = error_code < ERROR_M ? 3'd0 : {1'b0, dimension} + 3'd1;
            end
            AT_RANK: begin
                read_data[2:0] = rank;
                writable       = 1'b1;
            end
            AT_PREFERENCE: begin
                read_data[1:0] = preference;
                writable       = 1'b1;
            end
            AT_DEGREE:    read_data[4:0] = degree;
            AT_OTHERS:    read_data[NODE_BITS-1:0] = others;
            AT_STEPS:     read_data[4:0] = steps;
            AT_ACCEPTED:  read_data = accepted_q;
            AT_FORWARDED: read_data = forwarded_q;
            AT_DELIVERED: read_data = delivered_q;
            AT_DROPPED:   read_data = dropped_q;
            default:      known = 1'b0;
        endcase
        for (i = 0; i < DIMENSIONS; i = i + 1) begin
            if (address == AT_DIMENSION + i[5:0]) begin
                known                                = 1'b1;
                writable                             = 1'b1;
                read_data[DIMENSION_M+:WC_BITS+1]    = m_q[i*(WC_BITS+1)+:WC_BITS+1];
                read_data[DIMENSION_RHO+:WC_BITS]    = rho_q[i*WC_BITS+:WC_BITS];
            end
            if (address == AT_CONSTANTS + i[5:0]) begin
                known                                = 1'b1;
                read_data[CONSTANTS_D+:WC_BITS]      = constants[i*3*WC_BITS+:WC_BITS];
                read_data[CONSTANTS_A+:WC_BITS]      = constants[(i*3+1)*WC_BITS+:WC_BITS];
                read_data[CONSTANTS_K+:WC_BITS]      = constants[(i*3+2)*WC_BITS+:WC_BITS];
            end
            if (address == AT_SIDES + i[5:0]) begin
                known                                       = 1'b1;
                read_data[SIDES_CLOCKWISE_Q+:WC_BITS]        = sides[i*4*WC_BITS+:WC_BITS];
                read_data[SIDES_CLOCKWISE_K+:WC_BITS]        = sides[(i*4+1)*WC_BITS+:WC_BITS];
                read_data[SIDES_COUNTERCLOCKWISE_Q+:WC_BITS] = sides[(i*4+2)*WC_BITS+:WC_BITS];
                read_data[SIDES_COUNTERCLOCKWISE_K+:WC_BITS] = sides[(i*4+3)*WC_BITS+:WC_BITS];
            end
        end
    end

    assign refused = !known | write & (!writable | !whole | busy | start);

    // m and rho of the dimension that the engine selects.
    integer j;
    always @* begin
        m   = {WC_BITS + 1{1'b0}};
        rho = {WC_BITS{1'b0}};
        for (j = 0; j < DIMENSIONS; j = j + 1) begin
            if (dimension == j[1:0]) begin
                m   = m_q[j*(WC_BITS+1)+:WC_BITS+1];
                rho = rho_q[j*WC_BITS+:WC_BITS];
            end
        end
    end

    // The number of ports that complete a handshake.
    reg [4:0] forwards_q;
    reg [4:0] drops_q;
    reg [4:0] forwards;
    reg [4:0] drops;
    integer   p;
    always @* begin
        forwards = 5'd0;
        drops    = 5'd0;
        for (p = 0; p < DEGREE; p = p + 1) begin
            forwards = forwards + {4'd0, forwarded[p]};
            drops    = drops + {4'd0, dropped[p]};
        end
    end

    reg     accepted_once_q;
    reg     delivered_once_q;
    integer n;
    always @(posedge clk) begin
        start            <= 1'b0;
        accepted_once_q  <= accepted;
        delivered_once_q <= delivered;
        forwards_q       <= forwards;
        drops_q          <= drops;
        accepted_q       <= accepted_q + {31'd0, accepted_once_q};
        forwarded_q      <= forwarded_q + {27'd0, forwards_q};
        delivered_q      <= delivered_q + {31'd0, delivered_once_q};
        dropped_q        <= dropped_q + {27'd0, drops_q};
        if (write & !refused) begin
            if (address == AT_CONTROL) start <= write_data[0];
            if (address == AT_RANK) rank <= |write_data[31:3] ? 3'd0 : write_data[2:0];
            if (address == AT_PREFERENCE) preference <= |write_data[31:2] ? 2'd3 : write_data[1:0];
            for (n = 0; n < DIMENSIONS; n = n + 1) begin
                if (address == AT_DIMENSION + n[5:0]) begin
                    m_q[n*(WC_BITS+1)+:WC_BITS+1] <= m_new;
                    rho_q[n*WC_BITS+:WC_BITS]     <= rho_new;
                end
            end
        end
        if (rst | !running) begin
            accepted_once_q  <= 1'b0;
            delivered_once_q <= 1'b0;
            forwards_q       <= 5'd0;
            drops_q          <= 5'd0;
            accepted_q       <= 32'd0;
            forwarded_q      <= 32'd0;
            delivered_q      <= 32'd0;
            dropped_q        <= 32'd0;
        end
        if (rst) begin
            start      <= 1'b0;
            rank       <= 3'd0;
            preference <= 2'd0;
            m_q        <= {DIMENSIONS * (WC_BITS + 1){1'b0}};
            rho_q      <= {DIMENSIONS * WC_BITS{1'b0}};
        end
    end

endmodule

`default_nettype wire
