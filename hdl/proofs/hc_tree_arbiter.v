// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_tree_arbiter, inserted before its endmodule: the pointers change as
// docs/architecture.md says, and after reset each node prefers its lower half; at most one requester is
// selected, only if it requests, and it stays selected until it is completed; the word is that of the selected
// requester; a requester below n nodes that keeps requesting waits for at most 2^n - 1 completions of others.

    reg f_past = 1'b0;
    always @(posedge clk) f_past <= 1'b1;
    always @* if (!f_past) assume (rst);

    // A symbolic requester stands for all.
    (* anyconst *) wire [REQUESTERS-1:0] f_requester;
    always @* assume (f_requester != 0 && (f_requester & (f_requester - 1)) == 0);
    wire f_requests = |(request & f_requester);
    wire f_got      = |(select & f_requester);

    // Numbers, and where the upper half of a node begins. With ALONE, requester 0 has a half of 32 numbers.
    function integer f_number(input integer f_n);
        f_number = ALONE == 0 ? LOWEST + f_n : f_n == 0 ? 0 : 32 + LOWEST + f_n - 1;
    endfunction
    function integer f_begin(input integer f_node);
        f_begin = ALONE != 0 && f_node == 1 ? 32 : f_number(f_node);
    endfunction
    function integer f_half(input integer f_node);
        f_half = f_begin(f_node) & -f_begin(f_node);
    endfunction
    function f_in_upper(input integer f_n, input integer f_node);
        f_in_upper = f_number(f_n) >= f_begin(f_node) && f_number(f_n) < f_begin(f_node) + f_half(f_node);
    endfunction
    function f_in_lower(input integer f_n, input integer f_node);
        f_in_lower = f_number(f_n) < f_begin(f_node) && f_number(f_n) >= f_begin(f_node) - f_half(f_node);
    endfunction

    // The half of each node to which its pointer leads, and the halves that request.
    reg [REQUESTERS-1:0]       f_pointer;  // the pointer leads to the upper half; bit 0 belongs to no node
    reg [REQUESTERS-1:0]       f_upper_requests;
    reg [REQUESTERS-1:0]       f_lower_requests;
    reg [REQUESTERS-1:0]       f_select;
    reg [WORD_BITS-1:0]        f_word;
    integer f_i, f_m;
    always @* begin
        f_upper_requests = 0;
        f_lower_requests = 0;
        f_select         = request;
        f_word           = 0;
        for (f_m = 1; f_m < REQUESTERS; f_m = f_m + 1)
            for (f_i = 0; f_i < REQUESTERS; f_i = f_i + 1) begin
                if (f_in_upper(f_i, f_m) && request[f_i]) f_upper_requests[f_m] = 1'b1;
                if (f_in_lower(f_i, f_m) && request[f_i]) f_lower_requests[f_m] = 1'b1;
            end
        for (f_i = 0; f_i < REQUESTERS; f_i = f_i + 1) begin
            for (f_m = 1; f_m < REQUESTERS; f_m = f_m + 1) begin
                if (f_in_upper(f_i, f_m) && f_lower_requests[f_m] && !f_pointer[f_m]) f_select[f_i] = 1'b0;
                if (f_in_lower(f_i, f_m) && f_upper_requests[f_m] && f_pointer[f_m]) f_select[f_i] = 1'b0;
            end
            if (f_select[f_i]) f_word = words[f_i*WORD_BITS+:WORD_BITS];
        end
    end
    integer f_j, f_k;
    always @(posedge clk) begin
        for (f_k = 1; f_k < REQUESTERS; f_k = f_k + 1)
            for (f_j = 0; f_j < REQUESTERS; f_j = f_j + 1) if (f_select[f_j]) begin
                if (f_in_upper(f_j, f_k)) f_pointer[f_k] <= !complete;
                if (f_in_lower(f_j, f_k)) f_pointer[f_k] <= complete;
            end
        if (rst) f_pointer <= 0;
    end

    // The largest number of completions before that of f_requester: those before it in its half, one of the
    // other half after each of these, and one more if the pointer leads to the other half.
    reg     [5:0] f_before;
    reg     [5:0] f_most;
    integer f_h, f_a, f_b;
    always @* begin
        f_before = 0;
        f_most   = 0;
        for (f_h = 1; f_h <= 32; f_h = 2 * f_h)
            for (f_a = 1; f_a < REQUESTERS; f_a = f_a + 1)
                for (f_b = 0; f_b < REQUESTERS; f_b = f_b + 1)
                    if (f_half(f_a) == f_h && f_requester[f_b] && (f_in_upper(f_b, f_a) || f_in_lower(f_b, f_a))) begin
                        f_before = 2 * f_before + (f_in_upper(f_b, f_a) != f_pointer[f_a]);
                        f_most   = 2 * f_most + 1;
                    end
    end

    reg                  f_fresh = 1'b0;  // the cycle after reset
    reg                  f_held = 1'b0;  // the selected requester was not completed
    reg [REQUESTERS-1:0] f_select_q;
    reg [5:0]            f_waited = 0;  // completions of others while f_requester requests
    always @(posedge clk) begin
        f_fresh    <= rst;
        f_held     <= !rst && select != 0 && !complete;
        f_select_q <= select;
        f_waited   <= rst || !f_requests || (f_got && complete) ? 0 : f_waited + (complete && select != 0 && !f_got);
    end

    // Contract.
    always @* if (f_past) begin
        assert (select == f_select);
        if (f_fresh) assert (select == (request & -request));
        assert ((select & ~request) == 0);
        assert ((select & (select - 1)) == 0);
        assert ((select != 0) == (request != 0));
        if (request != 0) assert (word == f_word);
        if (f_held && (request & f_select_q) != 0) assert (select == f_select_q);
        assert (f_waited <= f_most);
    end

    // Invariants.
    reg     f_leads;  // the pointers lead to the requester that was selected
    integer f_d, f_e;
    always @* begin
        f_leads = 1'b1;
        for (f_d = 1; f_d < REQUESTERS; f_d = f_d + 1)
            for (f_e = 0; f_e < REQUESTERS; f_e = f_e + 1) if (f_select_q[f_e]) begin
                if (f_in_upper(f_e, f_d) && !f_pointer[f_d]) f_leads = 1'b0;
                if (f_in_lower(f_e, f_d) && f_pointer[f_d]) f_leads = 1'b0;
            end
    end
    always @* if (f_past) begin
        if (f_requests) assert (f_waited + f_before <= f_most);
        assert (!f_held || ((f_select_q & (f_select_q - 1)) == 0 && f_leads));
    end
    generate
        if (REQUESTERS > 1) begin : f_several
            always @* if (f_past) assert (several.pointer_q == f_pointer[REQUESTERS-1:1]);
        end
    endgenerate

    always @* begin
        cover (f_past && f_waited == f_most && f_got && complete && request == {REQUESTERS{1'b1}});
        cover (f_past && f_held && f_got && request == {REQUESTERS{1'b1}});
    end
