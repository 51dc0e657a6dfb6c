// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_endpoint_requests, inserted before its endmodule: the queue has a place for each get if each
// other node waits for one at most; gets have their turns in the order in which they came; each has one reply,
// with the word that was read in its turn, to the node that asked. An arbitrary get stands for all.

    (* anyconst *) wire [3:0] f_n;  // its number, modulo 16

    reg                 f_past = 1'b0;
    reg [3:0]           f_in, f_turns, f_out;  // gets that have come, had their turn, been answered
    reg [WORD_BITS-1:0] f_get;                 // {destination, address} of the get
    reg [31:0]          f_word;                // what was read for it
    reg                 f_read;                // it had its turn in the previous cycle
    reg                 f_waits;               // a reply was not accepted in the previous cycle
    reg                 f_old;                 // the oldest get waits for two cycles or more
    reg [DEST_BITS-1:0] f_dest_q;
    reg [31:0]          f_data_q;
    wire [3:0]          f_open   = f_in - f_out;
    wire [3:0]          f_queued = f_in - f_turns;

    always @(posedge clk) begin
        f_past   <= 1'b1;
        f_waits  <= reply_valid && !reply_ready && !rst;
        f_dest_q <= reply_dest;
        f_data_q <= reply_data;
        f_old    <= f_queued != 0 && !memory_turn && !rst;
        f_read   <= memory_turn && f_turns == f_n && !rst;
        if (get) f_in <= f_in + 4'd1;
        if (get && f_in == f_n) f_get <= {get_dest, get_address};
        if (memory_turn) f_turns <= f_turns + 4'd1;
        if (f_read) f_word <= mem_rdata;
        if (reply_valid && reply_ready) f_out <= f_out + 4'd1;
        if (rst) begin
            f_in    <= 4'd0;
            f_turns <= 4'd0;
            f_out   <= 4'd0;
        end
    end
    always @* begin
        if (!f_past) assume (rst);
        if (f_past && get) assume (f_open < NODES - 1);  // asserted of the endpoint
        if (f_past && memory_turn) assume (memory_request);  // asserted of the endpoint
    end

    // Contract.
    always @* if (f_past) begin
        assert (f_open <= NODES - 1 && f_queued <= f_open && count == f_queued);
        if (memory_turn) assert (f_queued != 0);
        if (memory_turn && f_turns == f_n) assert (memory_address == f_get[ADDRESS_BITS-3:0]);
        if (reply_valid) assert (f_open - f_queued == 4'd1);
        if (reply_valid && f_out == f_n) assert (reply_dest == f_get[WORD_BITS-1:ADDRESS_BITS-2]);
        if (reply_valid && f_out == f_n) assert (reply_data == f_word);
        if (f_waits) assert (reply_valid && reply_dest == f_dest_q && reply_data == f_data_q);
        // the turn of the oldest get waits for the port and the reply before it, and for nothing else
        if (f_old && f_open == f_queued) assert (memory_request);
    end

    // Invariants.
    wire f_waiting = f_n - f_turns < f_queued;  // the get is in the queue
    always @* if (f_past) begin
        assert (in_q == f_in[PLACE_BITS-1:0] && out_q == f_turns[PLACE_BITS-1:0]);
        assert (!(reads_q && reply_valid) && f_open - f_queued == reads_q + reply_valid);
        if (f_waiting) assert (places[f_n[PLACE_BITS-1:0]] == f_get);
        assert (!known_q || f_queued != 0);
        if (f_waiting && known_q && f_turns == f_n) assert (oldest_q == f_get);
        assert (f_read == (reads_q && f_out == f_n));
        if (f_read) assert (reply_dest == f_get[WORD_BITS-1:ADDRESS_BITS-2]);
        assert (!f_old || known_q);
    end
    always @* begin
        cover (f_past && f_open == NODES - 1 && f_queued == NODES - 1);
        cover (f_past && f_n == 1 && f_out == f_n && reply_valid && reply_ready);
    end
