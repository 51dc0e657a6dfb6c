// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_destination_group, inserted before its endmodule: every well-formed message that
// enters is put once on each port that its field selects, and on no other port, with the weight and
// spread of hc_entry and the rest unchanged. `made` is high when the last of these ports takes it.

    (* hierconn *) wire \arbiter.f_held ;
    (* hierconn *) wire [SOURCES-1:0] \arbiter.f_select_q ;
    localparam integer F_BITS = X_BITS + 1 + WIDTH;

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
        .field(f_body[WIDTH+:X_BITS+1]), .ports(f_ports), .weights(f_weights), .spread(f_spread)
    );
    wire f_wants    = |(f_ports & f_port);
    wire f_selected = |(select & f_source);
    wire f_good     = |(accept & f_source);
    wire f_written  = offer_accept && |(offer & room & f_port);
    wire f_made     = |(made & f_source);

    reg [SOURCES-1:0] f_stay;  // well formed and not made: must keep requesting, unchanged
    reg [SOURCES-1:0] f_held;  // selected and not completed
    reg               f_got;   // the message of the source has been put on the port
    reg [F_BITS-1:0]  f_before;
    always @(posedge clk) begin
        f_past   <= 1'b1;
        f_stay   <= rst ? {SOURCES{1'b0}} : ask & accept & ~made;
        f_held   <= rst || completed ? {SOURCES{1'b0}} : select;
        f_got    <= !rst && (f_got || (f_selected && f_written)) && !f_made;
        f_before <= f_body;
    end
    always @* begin
        if (!f_past) assume (rst);
        assume (f_source != 0 && (f_source & (f_source - 1)) == 0);
        assume (f_port != 0 && (f_port & (f_port - 1)) == 0);
        if (f_past) assume ((f_stay & ~(ask & accept)) == 0);
        if (f_past && (f_stay & f_source) != 0) assume (f_body == f_before);
        if ((ask & f_source) != 0) assume (f_body[WIDTH+:X_BITS+1] != 0);  // it requests only if its field is not `stay`
    end

    // Contract.
    always @* if (f_past) begin
        if (f_selected && f_written) begin
            assert (!f_got && f_good && f_wants);
            assert (offer_body == f_body[WIDTH-1:0] && offer_weights == f_weights && offer_spread == f_spread);
        end
        if (f_made && f_good) assert (f_got || f_written || !f_wants);
        if (f_got) assert (|(f_source & ask & accept) && f_selected);
        // it is made as soon as possible
        if (f_selected && f_good && &(taken_q | room | ~f_ports)) assert (f_made);
    end

    // Invariants.
    always @* if (f_past) begin
        assert (f_got == ((f_held & f_stay & f_source) != 0 && (taken_q & f_port) != 0 && f_wants));
        // Ports have taken only the message that was selected before and keeps requesting.
        assert (taken_q == 0 || (f_held & f_stay) != 0);
        assert (\arbiter.f_held == (f_held != 0));
        if (f_held != 0) assert (\arbiter.f_select_q == f_held);
    end
    always @* begin
        cover (f_past && f_got && f_made);
        cover (f_past && f_selected && f_made && !f_spread && f_written);
    end
