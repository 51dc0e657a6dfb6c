// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_destination_link, inserted before its endmodule: each wanted copy of a well-formed
// message is made once, and no other copy; a malformed message is counted. The properties of its
// hc_link_input, which has the messages in f_wc and f_body, are proved with it.

    (* hierconn *) wire \queue.f_there , \queue.f_good ;
    (* hierconn *) wire [WC_BITS-1:0] \queue.f_wc ;
    (* hierconn *) wire [CARRIED_BITS-1:0] \queue.f_body ;
    (* hierconn *) wire [TARGETS-1:0] \queue.f_copies , \queue.f_wanted ;
    (* hierconn *) wire [4:0] \queue.f_count ;
    (* hierconn *) wire [SLOTS*(WC_BITS+CARRIED_BITS)-1:0] \queue.f_words ;

    reg f_past = 1'b0, f_dropped = 1'b0;
    // The targets, from the fields, of the head and of the message on the link.
    wire [SPREADS-1:0] f_targets;
    wire               f_routable;
    generate
        if (SPREADS == 1) begin : f_lowest
            assign f_targets  = 1'b1;
            assign f_routable = 1'b1;
        end else begin : f_higher
            wire [SPREADS-1:0] f_unused;
            wire [SPREADS-1:1] f_all, f_all_link;
            wire               f_legal;
            hc_spread #(.DIMENSIONS(SPREADS - 1), .FARTHEST(FARTHEST[16*(SPREADS-1)-1:0]), .FIELDS_BITS(ROUTE_BITS)) f_spread (
                .fields(\queue.f_body [CARRIED_BITS-2-:ROUTE_BITS]), .targets(f_targets), .all(f_all), .legal(f_legal)
            );
            hc_spread #(.DIMENSIONS(SPREADS - 1), .FARTHEST(FARTHEST[16*(SPREADS-1)-1:0]), .FIELDS_BITS(ROUTE_BITS)) f_check (
                .fields(body[CARRIED_BITS-2-:ROUTE_BITS]), .targets(f_unused), .all(f_all_link), .legal(f_routable)
            );
        end
    endgenerate
    wire f_spreads = \queue.f_body [CARRIED_BITS-1] || \queue.f_wc <= 1;
    wire f_continues = CONTINUES != 0 && \queue.f_wc > 1;
    wire [TARGETS-1:0] f_wants = f_targets & {SPREADS{f_spreads}} | {TARGETS{f_continues}} & ~({TARGETS{1'b1}} >> 1);
    wire f_link_good = wd == DIMENSION && wc >= 1 && wc <= LARGEST && f_routable;

    reg [TARGETS-1:0] f_made;  // copies of the head made in earlier cycles
    wire [TARGETS-1:0] f_now  = grant & request & {TARGETS{valid}};
    wire               f_done = (f_made | f_now) == f_wants;
    always @(posedge clk) begin
        f_past    <= 1'b1;
        f_dropped <= s_axis_tvalid && s_axis_tready && !f_link_good && !rst;
        f_made    <= !rst && \queue.f_there && \queue.f_good && !f_done ? f_made | f_now : 0;
    end
    always @* if (!f_past) assume (rst);

    // Contract.
    always @* if (f_past) begin
        assert (header_error == f_dropped);
        assert (request == (\queue.f_there ? f_wants & ~f_made : {TARGETS{1'b0}}));
    end

    // Invariants.
    always @* if (f_past) begin
        assert (f_made == (\queue.f_copies & f_wants));
        assert (\queue.f_count == 0 || EARLY == 0 && \queue.f_copies == 0 || (\queue.f_copies | f_wants) == \queue.f_wanted );
    end
    always @* begin
        cover (f_past && f_made != 0 && f_done);
        cover (f_past && \queue.f_there && \queue.f_good && !f_spreads == f_continues && f_done);
        cover (f_past && header_error && wd == DIMENSION);
    end
