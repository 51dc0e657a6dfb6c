// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_endpoint_core, inserted behind those of hc_endpoint_core.v: the memory at any address is what puts,
// adds and writes of the own bus make of it, each once and as one step; reads return it; each get of another node
// has one reply, with the word at its turn, to the node that asked, and they come in the order of the gets.

    (* anyconst *) wire [ADDRESS_BITS-3:0] f_address;
    (* anyconst *) wire [3:0]              f_number;  // of a get, modulo 16

    // The memory that the endpoint needs: the word at the address, and what is read there.
    reg [31:0] f_stored;
    reg [31:0] f_read_q;
    reg        f_reads_q;
    // The word by the contract, and the last two cycles in which an add to it was accepted.
    reg [31:0] f_word;
    reg        f_add_q, f_add_qq;
    // The get: what it asks, and the word by the contract at its turn.
    reg [DEST_BITS-1:0]    f_asks_dest;
    reg [ADDRESS_BITS-3:0] f_asks_offset;
    reg [31:0]             f_asks_word;

    function [31:0] f_bytes(input [31:0] f_old_word, input [31:0] f_new_word, input [3:0] f_strobes);
        f_bytes = {f_strobes[3] ? f_new_word[31:24] : f_old_word[31:24], f_strobes[2] ? f_new_word[23:16] : f_old_word[23:16],
            f_strobes[1] ? f_new_word[15:8] : f_old_word[15:8], f_strobes[0] ? f_new_word[7:0] : f_old_word[7:0]};
    endfunction

    wire f_here     = mem_en && mem_addr == f_address;
    wire f_in_here  = f_taken && f_in_offset == f_address;
    wire f_put_in   = f_in_here && f_in_kind == 2'd0 && !(&f_in_offset);
    wire f_add_in   = f_in_here && f_in_kind == 2'd1;
    wire f_own_here = done && f_memory && access_write && access_offset == f_address;
    wire f_put_own  = f_own_here && access_region != 2'd3;
    wire f_add_own  = f_own_here && access_region == 2'd3;
    wire [31:0] f_next_stored = f_here ? f_bytes(f_stored, mem_wdata, mem_we) : f_stored;

    (* hierconn *) wire       \gets.requests.memory_turn ;
    (* hierconn *) wire [3:0] \gets.requests.f_turns , \gets.requests.f_n ;
    (* hierconn *) wire [DEST_BITS+ADDRESS_BITS-3:0] \gets.requests.f_get ;
    (* hierconn *) wire [31:0] \gets.requests.f_word , \gets.requests.reply_data ;
    (* hierconn *) wire       \gets.requests.f_read , \gets.requests.reply_valid ;
    wire f_get_turn = \gets.requests.memory_turn && \gets.requests.f_turns == f_number;

    always @(posedge clk) begin
        f_stored  <= f_next_stored;
        f_reads_q <= f_here && mem_we == 4'd0;
        f_read_q  <= f_stored;
        f_add_q   <= (f_add_in || f_add_own) && !rst;
        f_add_qq  <= f_add_q && !rst;
        if (f_put_in) f_word <= f_bytes(f_word, f_in[31:0], f_in[F_FULL-3:F_FULL-6]);
        if (f_put_own) f_word <= f_bytes(f_word, access_data, access_strobes);
        if (f_add_in) f_word <= f_in[31:0] + f_word;
        if (f_add_own) f_word <= access_data + f_word;
        if (rst) f_word <= f_next_stored;
        if (f_get && f_asked == f_number) {f_asks_dest, f_asks_offset} <= {f_in[DEST_BITS-1:0], f_in_offset};
        if (f_get_turn) f_asks_word <= f_word;
    end
    always @* begin
        if (f_reads_q) assume (mem_rdata == f_read_q);
        assume (f_number == \gets.requests.f_n );
    end

    // Contract.
    always @* if (f_past) begin
        assert (f_put_in + f_add_in + f_put_own + f_add_own <= 1);
        if (!f_add_q && !f_add_qq) assert (f_stored == f_word);
        if (done && f_memory && !access_write && access_offset == f_address) assert (read_data == f_word);
        if (m_axis_tvalid && f_replies) assert (f_answered != f_asked && f_out[F_FULL-3:32] == 0);
        if (m_axis_tvalid && f_replies && f_answered == f_number) assert (m_axis_tdest == f_asks_dest);
        if (m_axis_tvalid && f_replies && f_answered == f_number && f_asks_offset == f_address) assert (f_out[31:0] == f_asks_word);
    end

    // Invariants.
    (* hierconn *) wire [31:0]             \memory.adds.sum_q ;
    (* hierconn *) wire [ADDRESS_BITS-3:0] \memory.adds.address_q ;
    (* hierconn *) wire                    \memory.adds.sums_q , \memory.adds.stores_q ;
    wire f_of_here = \memory.adds.address_q == f_address;
    always @* if (f_past) begin
        assert (!(\memory.adds.sums_q && \memory.adds.stores_q ));
        assert (f_add_q == (\memory.adds.sums_q && f_of_here) && f_add_qq == (\memory.adds.stores_q && f_of_here));
        if (f_add_q) assert (f_reads_q && f_read_q == f_stored && f_word == \memory.adds.sum_q + f_stored);
        if (f_add_qq) assert (f_word == \memory.adds.sum_q );
        if (\own.reads_memory && access_offset == f_address) assert (f_reads_q && f_read_q == f_word);
        if (f_number - f_answered < f_open) assert ({f_asks_dest, f_asks_offset} == \gets.requests.f_get );
        if (\gets.requests.f_read && f_asks_offset == f_address) assert (f_reads_q && f_read_q == f_asks_word);
        if (\gets.requests.reply_valid && f_answered == f_number && f_asks_offset == f_address) assert (\gets.requests.f_word == f_asks_word);
    end
    always @* begin
        cover (f_past && m_axis_tvalid && f_replies && f_answered == f_number && f_asks_offset == f_address && f_number == 1 && f_asks_word == 3);
        cover (f_past && done && f_memory && !access_write && access_offset == f_address && read_data == 5);
    end
