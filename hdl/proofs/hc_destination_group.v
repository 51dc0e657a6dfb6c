// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_destination_group, inserted before its endmodule: every well-formed message that
// enters is put once on each port that its field selects, and on no other port, with the weight and
// spread of hc_entry and the rest unchanged. `grant` is high when the last of these ports takes it.

    (* hierconn *) wire \arbiter.f_held ;
    (* hierconn *) wire [SOURCES-1:0] \arbiter.f_select_q ;
    localparam integer F_BITS = X_BITS + 1 + PASSED_BITS;

    reg f_past = 1'b0;

    // One source and one port stand for all.
    (* anyconst *) wire [SOURCES-1:0] f_source;
    (* anyconst *) wire [PORTS-1:0]   f_port;
    reg [F_BITS-1:0] f_body;
    integer f_i;
    always @* begin
        f_body = 0;
        for (f_i = 0; f_i < SOURCES; f_i = f_i + 1) if (f_source[f_i]) f_body = bodies[f_i*F_BITS+:F_BITS];
    end
    wire [PORTS-1:0]         f_ports;
    wire [PORTS*WC_BITS-1:0] f_weights;
    wire                     f_spread;
    hc_entry #(
        .RHO(RHO), .LARGEST(LARGEST), .X_BITS(X_BITS), .PORTS(PORTS), .WC_BITS(WC_BITS), .WEIGHTS(WEIGHTS)
    ) f_entry (
        .field(f_body[PASSED_BITS+:X_BITS+1]), .ports(f_ports), .weights(f_weights), .spread(f_spread)
    );
    wire f_wants    = |(f_ports & f_port);
    wire f_selected = |(select & f_source);
    wire f_valid    = |(valid & f_source);
    wire f_written  = port_valid && |(port_request & port_grant & f_port);
    wire f_grant    = |(grant & f_source);

    reg [SOURCES-1:0] f_stay;  // well formed and not made: must keep requesting, unchanged
    reg [SOURCES-1:0] f_held;  // selected and not completed
    reg               f_got;   // the message of the source has been put on the port
    reg [F_BITS-1:0]  f_before;
    always @(posedge clk) begin
        f_past   <= 1'b1;
        f_stay   <= rst ? {SOURCES{1'b0}} : request & valid & ~grant;
        f_held   <= rst || complete ? {SOURCES{1'b0}} : select;
        f_got    <= !rst && (f_got || (f_selected && f_written)) && !f_grant;
        f_before <= f_body;
    end
    always @* begin
        if (!f_past) assume (rst);
        assume (f_source != 0 && (f_source & (f_source - 1)) == 0);
        assume (f_port != 0 && (f_port & (f_port - 1)) == 0);
        if (f_past) assume ((f_stay & ~(request & valid)) == 0);
        if (f_past && (f_stay & f_source) != 0) assume (f_body == f_before);
        if ((request & f_source) != 0) assume (f_body[PASSED_BITS+:X_BITS+1] != 0);  // it requests only if its field is not `stay`
    end

    // Contract.
    always @* if (f_past) begin
        if (f_selected && f_written) begin
            assert (!f_got && f_valid && f_wants);
            assert (port_body == f_body[PASSED_BITS-1:0] && port_weights == f_weights && port_spread == f_spread);
        end
        if (f_grant && f_valid) assert (f_got || f_written || !f_wants);
        if (f_got) assert (|(f_source & request & valid) && f_selected);
        // it is made as soon as possible
        if (f_selected && f_valid && &(done_q | port_grant | ~f_ports)) assert (f_grant);
    end

    // Invariants.
    always @* if (f_past) begin
        assert (f_got == ((f_held & f_stay & f_source) != 0 && (done_q & f_port) != 0 && f_wants));
        // Ports have taken only the message that was selected before and keeps requesting.
        assert (done_q == 0 || (f_held & f_stay) != 0);
        assert (\arbiter.f_held == (f_held != 0));
        if (f_held != 0) assert (\arbiter.f_select_q == f_held);
    end
    always @* begin
        cover (f_past && f_got && f_grant);
        cover (f_past && f_selected && f_grant && !f_spread && f_written);
    end
