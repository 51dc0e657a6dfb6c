// SPDX-License-Identifier: Apache-2.0
//
// manycore_loader: loads a program into the memories of all nodes, and starts the cores.
//
// A program is the content of a memory, lowest byte first. The loader is the master of the bus of node 0 while the cores are in
// reset. It writes each word into the memory of node 0 and puts it into all others. When the program has ended, the loader resets
// the machine and takes the next one.
//
// A put ends before it is delivered. The cores start WAIT cycles after the last one, which is enough in a network without other
// messages.

`default_nettype none

module manycore_loader #(
    parameter integer ADDRESS_BITS = 11,  // of a byte in the memory of a node
    parameter integer BUS_BITS     = 19,
    parameter integer DIMENSIONS   = 2
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                s_axis_load_tvalid,
    output wire                s_axis_load_tready,
    input  wire [7:0]          s_axis_load_tdata,
    output wire                wb_cyc_o,
    output wire [BUS_BITS-1:0] wb_adr_o,
    output wire [31:0]         wb_dat_o,
    input  wire                wb_ack_i,
    input  wire                ended,     // the program has ended
    output wire                running,   // the cores run
    output wire                restart    // reset the machine
);

    localparam [7:0] WAIT = 8'd255;  // cycles
    localparam integer DIGITS_BITS = BUS_BITS - ADDRESS_BITS - DIMENSIONS - 2;
    localparam [1:0] OWN = 2'd0, PUT = 2'd2;  // regions
    localparam [2:0] TAKE = 3'd0, WRITE = 3'd1, SPREAD = 3'd2, STARTING = 3'd3, RUN = 3'd4, RESTART = 3'd5;

    reg [2:0]              state_q;
    reg [ADDRESS_BITS-1:0] byte_q;  // that comes next
    reg [31:0]             word_q;
    reg [7:0]              timer_q;

    // Of the word that byte_q is past.
    wire [ADDRESS_BITS-1:0] offset = byte_q - {{ADDRESS_BITS - 3{1'b0}}, 3'd4};

    assign s_axis_load_tready = state_q == TAKE;
    assign wb_cyc_o = (state_q == WRITE) | (state_q == SPREAD);
    assign wb_adr_o = {(state_q == SPREAD) ? {PUT, {DIMENSIONS{1'b1}}} : {OWN, {DIMENSIONS{1'b0}}}, {DIGITS_BITS{1'b0}}, offset};
    assign wb_dat_o = word_q;
    assign running  = state_q == RUN;
    assign restart  = state_q == RESTART;

    always @(posedge clk) begin
        timer_q <= timer_q - 8'd1;
        case (state_q)
            TAKE:
            if (s_axis_load_tvalid) begin
                word_q <= {s_axis_load_tdata, word_q[31:8]};
                byte_q <= byte_q + 1'b1;
                if (byte_q[1:0] == 2'd3) state_q <= WRITE;
            end
            WRITE: if (wb_ack_i) state_q <= SPREAD;
            SPREAD:
            if (wb_ack_i) begin
                timer_q <= WAIT;
                state_q <= (byte_q == {ADDRESS_BITS{1'b0}}) ? STARTING : TAKE;
            end
            STARTING: if (timer_q == 8'd0) state_q <= RUN;
            RUN: if (ended) state_q <= RESTART;
            default: state_q <= TAKE;
        endcase

        if (rst) begin
            state_q <= TAKE;
            byte_q <= {ADDRESS_BITS{1'b0}};
        end
    end

endmodule

`default_nettype wire
