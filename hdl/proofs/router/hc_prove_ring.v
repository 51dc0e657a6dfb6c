// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_prove_ring: proves how often the entrants of a ring port are passed. Entrants are the messages
// that request to enter or transfer to its ring.
//
// Proved: while an entrant waits, messages that continue pass it in at most two ticks of the clock
// of the router. After the second tick the clock stops until the port takes an entrant. If all
// entrants are messages of the node, the clock stops after the first tick.
//
// A cycle is checked in the next cycle, from the register of the port and the pace.

`default_nettype none

module hc_prove_ring #(
    parameter integer MARKED      = 1,  // 1 if messages of links are among the entrants, else 0
    parameter integer PASSES      = 1,  // ticks after which a message of the node stops the pace, 1 or 2
    parameter integer AFTER_TICK  = 2,  // least credit of a node whose message has been passed in a tick
    parameter integer CREDIT_BITS = 2,
    parameter integer PACE_BITS   = 2
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       live,
    input  wire       tvalid,     // the port is valid
    input  wire       tready,
    input  wire       entrant,    // a well-formed message requests to enter or to transfer
    input  wire       continues,  // a message requests to continue
    input  wire       good,       // that message is well formed
    input  wire [PACE_BITS-1:0] pace,
    input  wire       due,        // the router is not done with its tick while the node offers a message
    input  wire       valid,      // the node offers a message
    input  wire [CREDIT_BITS-1:0] rest,  // credit of the node
    output wire       hold,       // entrants have been passed in two ticks
    // Registers of the design, if the port has marks.
    input  wire       passed,     // the entrants have been passed since the last tick
    input  wire       once,       // the entrants have been passed in one tick or more
    input  wire       twice       // the entrants have been passed in two ticks
);

    // The previous cycle.
    reg       reset_q;
    reg       free_q;
    reg       entrant_q;
    reg       continues_q;
    reg       good_q;
    reg [PACE_BITS-1:0] pace_q;
    reg       passing_q;  // entrants had been passed since the last tick
    reg [1:0] ticks_q;    // number of ticks in which entrants had been passed

    wire       took   = free_q && tvalid;
    wire       waited = entrant_q && !(took && !continues_q) && !reset_q;
    wire       passes = took && continues_q && good_q;
    wire       ticked = pace != pace_q && !reset_q;
    wire       now    = passing_q || passes;
    wire       passing = waited && now && !ticked;
    wire [1:0] ticks   = !waited ? 2'd0 : ticks_q + (now && ticked);

    always @(posedge clk) begin
        reset_q     <= rst;
        free_q      <= !tvalid || tready;
        entrant_q   <= entrant;
        continues_q <= continues;
        good_q      <= good;
        pace_q      <= pace;
        passing_q   <= passing;
        ticks_q     <= ticks;
    end

    assign hold = ticks == 2'd2;

    // Contract.
    localparam [1:0] MOST = MARKED != 0 ? 2'd2 : PASSES[1:0];
    always @* if (live) begin
        assert (!ticked || ticks_q != 2'd2);
        assert (ticks <= MOST);
    end

    // Invariants.
    generate
        if (MARKED != 0) begin : marked
            always @* if (live) begin
                assert (passed == passing);
                assert (once == (ticks != 2'd0) && twice == hold);
            end
        end else begin : unmarked
            always @* if (live) begin
                assert (ticks == 2'd0 || rest >= AFTER_TICK);
                assert (ticks != MOST || due);
                assert (!waited || valid);
            end
        end
    endgenerate

    always @* cover (live && (MARKED != 0 ? ticks == MOST : ticks != 2'd0) && tvalid && tready && !continues);

endmodule

`default_nettype wire
