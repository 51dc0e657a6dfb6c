// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// hc_prove_group: invariants of a group of a router.
//
// If some ports have taken a message and others have not, it is the message of the source to which
// the pointers of the tree arbiter lead. So no other message can be selected until all ports that the
// message enters have taken it. The group completes the message when the last port takes it.

`default_nettype none

module hc_prove_group #(
    parameter integer SOURCES    = 1,
    parameter integer LOWEST     = 0,  // the port of source 1
    parameter integer PORTS      = 1,
    parameter integer TREE_NODES = 1,  // nodes of the tree: sources after the first, but at least 1
    parameter integer MARKS      = 2
) (
    input  wire                   live,
    input  wire [SOURCES-1:0]     request,  // its message was valid in the previous cycle, and is still to enter
    input  wire                   open,     // the pace permits source 0 to request
    // The marked messages, from hc_prove_marks, and the ports that are to have them.
    input  wire [SOURCES-1:0]     source,
    input  wire [MARKS-1:0]       waiting,
    input  wire [PORTS*MARKS-1:0] wanted,
    // Registers of the design.
    input  wire [PORTS-1:0]       done,
    input  wire [TREE_NODES-1:0]  pointer,  // bit i: the half that begins with source i + 1 is preferred
    output reg  [SOURCES-1:0]     first     // the pointers lead to this source
);

    // Source 1 begins the half of all links. Every other source is a port p, and begins an upper half of
    // 2**n ports, where n is the number of the lowest 1 in p.
    integer s, n, port, node, half;
    always @* begin
        first = {SOURCES{1'b1}};
        for (s = 1; s < SOURCES; s = s + 1) begin
            if (pointer[0]) first[0] = 1'b0;
            else first[s] = 1'b0;
            port = LOWEST + s - 1;
            for (n = 2; n < SOURCES; n = n + 1) begin
                node = LOWEST + n - 1;
                half = node & -node;
                if (port >= node && port < node + half && !pointer[n-1]) first[s] = 1'b0;
                if (port < node && port >= node - half && pointer[n-1]) first[s] = 1'b0;
            end
        end
    end

    wire [SOURCES-1:0] enters = first & request & ~(open ? {SOURCES{1'b0}} : {{SOURCES - 1{1'b0}}, 1'b1});

    always @* if (live) assert (done == 0 || enters != 0);

    genvar m, p;
    generate
        for (m = 0; m < MARKS; m = m + 1) begin : mark
            wire [PORTS-1:0] lacks;  // ports that are still to take the message
            for (p = 0; p < PORTS; p = p + 1) begin : port
                assign lacks[p] = wanted[p*MARKS+m] && !done[p];
            end
            always @* if (live && waiting[m] && |(source & enters)) assert (lacks != 0);
        end
        if (PORTS > 1) begin : several
            always @* cover (live && done != 0);
        end
    endgenerate

endmodule

`default_nettype wire
