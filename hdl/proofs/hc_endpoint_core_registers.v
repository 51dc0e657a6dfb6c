// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_endpoint_core, inserted behind those of hc_endpoint_core.v: an event or error is in its register
// until a write clears it, and wins over a write in the same cycle; an access that is refused has no other effect than its
// error; a node waits at the barrier from a write to BARRIER to the release.

    reg [8:0] f_events, f_enable;  // by the contract
    reg [2:0] f_errors;
    reg       f_arrived;
    wire      f_writes = done && !f_refused && access_region == 2'd1 && access_write;
    wire      f_in_bell = f_taken && f_in_kind == 2'd0 && &f_in_offset;
    integer   f_i;

    always @(posedge clk) begin
        for (f_i = 0; f_i < 9; f_i = f_i + 1) if (f_writes && access_offset == 5 && access_data[f_i]) f_events[f_i] <= 1'b0;
        for (f_i = 0; f_i < 3; f_i = f_i + 1) if (f_writes && access_offset == 7 && access_data[f_i]) f_errors[f_i] <= 1'b0;
        if (f_writes && access_offset == 6) f_enable <= access_data[8:0];
        if (f_writes && access_offset == 4) f_arrived <= 1'b1;
        // what sets a bit comes later, and wins
        for (f_i = 0; f_i < 8; f_i = f_i + 1) begin
            if (f_in_bell && f_in[ADDRESS_BITS+30] && f_in[f_i]) f_events[f_i] <= 1'b1;
            if (done && f_ring && access_strobes[0] && access_data[f_i]) f_events[f_i] <= 1'b1;
        end
        if (done && f_outside) f_errors[0] <= 1'b1;
        if (done && f_unsupported && !f_outside) f_errors[1] <= 1'b1;
        if (dropped) f_errors[2] <= 1'b1;
        if (barrier_release) begin
            f_events[8] <= 1'b1;
            f_arrived   <= 1'b0;
        end
        if (rst) {f_events, f_enable, f_errors, f_arrived} <= 22'd0;
    end

    // Contract.
    wire f_reads = done && !f_refused && access_region == 2'd1 && !access_write;
    always @* if (f_past) begin
        assert (barrier_arrive == f_arrived);
        assert (irq == (|(f_events & f_enable)));
        if (f_reads && access_offset == 4) assert (read_data == {31'd0, f_arrived});
        if (f_reads && access_offset == 5) assert (read_data == {23'd0, f_events});
        if (f_reads && access_offset == 6) assert (read_data == {23'd0, f_enable});
        if (f_reads && access_offset == 7) assert (read_data == {29'd0, f_errors});
        // what is refused, or a register, changes no memory and sends nothing
        if (access && (f_refused || access_region == 2'd1)) assert (!f_offers && !own_turn);
    end

    // Invariants.
    (* hierconn *) wire [8:0] \registers.events_q , \registers.enable_q ;
    (* hierconn *) wire [2:0] \registers.errors_q ;
    always @* if (f_past) begin
        assert (\registers.events_q == f_events && \registers.enable_q == f_enable && \registers.errors_q == f_errors);
    end
    always @* begin
        cover (f_past && f_reads && access_offset == 5 && f_events == 9'h121);
        cover (f_past && f_writes && access_offset == 7 && access_data[2] && f_errors == 3'd7 && dropped);
        cover (f_past && irq && f_arrived);
    end
