// SPDX-License-Identifier: Apache-2.0
//
// bench: compares an endpoint and its bridge with the contract in docs/endpoints.md, in every cycle. It prints
// PASS, or the first difference.
//
// The contract is stated here with numbers and times. A random master, a memory and a stand-in for the network
// drive the endpoint; the stand-in answers the gets of the endpoint, and sends gets of the other nodes, one at a
// time each. With TIMEOUT it sometimes answers too late, and the cables of the chip come up some time after a reset.

`default_nettype none

module bench;

    parameter integer AXI          = 0;  // 1: AXI4-Lite, 0: Wishbone
    parameter integer DIMENSIONS   = 2;  // 1 to 3
    parameter integer M1           = 3;
    parameter integer M2           = 4;
    parameter integer M3           = 2;
    parameter integer ADDRESS_BITS = 10;
    parameter integer GETS         = 1;
    parameter integer ADDS         = 1;
    parameter integer TIMEOUT      = 0;   // of accesses to other nodes; 0: none
    parameter integer CYCLES       = 20000;
    parameter integer LIVES        = 40;  // from reset to reset
    parameter integer SEED         = 1;

    localparam integer W1 = $clog2(M1), W2 = $clog2(M2), W3 = $clog2(M3);
    localparam integer NODES        = M1 * (DIMENSIONS > 1 ? M2 : 1) * (DIMENSIONS > 2 ? M3 : 1);
    localparam integer NODE_BITS    = $clog2(NODES);
    localparam integer DIGITS_BITS  = W1 + (DIMENSIONS > 1 ? W2 : 0) + (DIMENSIONS > 2 ? W3 : 0);
    localparam integer DEST_BITS    = DIGITS_BITS + DIMENSIONS;
    localparam integer KIND_BITS    = GETS ? 2 : ADDS ? 1 : 0;
    localparam integer WORD_BITS    = ADDRESS_BITS - 2;
    localparam integer PAYLOAD_BITS = KIND_BITS + 4 + WORD_BITS + 32;
    localparam integer BUS_BITS     = ADDRESS_BITS + DIGITS_BITS + DIMENSIONS + 2;
    localparam integer LAST         = (1 << WORD_BITS) - 1;  // the word of the doorbell
    localparam integer STALL        = GETS + 1 + 4 * ADDS;
    localparam integer MOST         = 65536;                 // gets of other nodes
    localparam [95:0]  ALL_RINGS    = {M3[15:0] / 16'd2, M3[15:0], M2[15:0] / 16'd2, M2[15:0], M1[15:0] / 16'd2, M1[15:0]};

    localparam [32*DIMENSIONS-1:0] RINGS = ALL_RINGS[32*DIMENSIONS-1:0];

    function integer nodes_of(input integer i);
        nodes_of = i == 0 ? M1 : i == 1 ? M2 : M3;
    endfunction

    function integer low_of(input integer i);  // of the digit
        low_of = i == 0 ? 0 : i == 1 ? W1 : W1 + W2;
    endfunction

    // The design.
    reg                    clk = 1'b0;
    reg                    rst = 1'b1;
    reg  [NODE_BITS-1:0]   node_id;
    reg  [DIGITS_BITS-1:0] node_digits;
    reg  [DEST_BITS-1:0]   own_dest;
    wire                   access, access_write, done, refused;
    wire [BUS_BITS-3:0]    access_address;
    wire [3:0]             access_strobes;
    wire [31:0]            access_data, read_data;
    wire [DEST_BITS-1:0]   access_dest;
    wire [DIMENSIONS-1:0]  legal, same;
    wire                   irq, mem_en;
    wire [3:0]             mem_we;
    wire [WORD_BITS-1:0]   mem_addr;
    wire [31:0]            mem_wdata;
    reg  [31:0]            mem_rdata;
    wire                   m_valid;
    reg                    m_ready;
    wire [PAYLOAD_BITS-1:0] m_data;
    wire [DEST_BITS-1:0]   m_dest;
    reg                    s_valid;
    wire                   s_ready;
    reg  [63:0]            s_data;
    wire                   arrive;
    reg                    release_;
    reg                    dropped;
    reg                    linked;

    // The bus. A Wishbone master uses those of a write, and wb_we.
    reg                wb_stb, wb_we;
    wire [31:0]        wb_dat;
    wire               wb_ack, wb_err;
    reg                aw_valid, w_valid, b_ready, ar_valid, r_ready;
    wire               aw_ready, w_ready, b_valid, ar_ready, r_valid;
    reg [BUS_BITS-1:0] w_address, r_address;
    reg [31:0]         w_data;
    reg [3:0]          w_strobes;
    wire [1:0]         b_resp, r_resp;
    wire [31:0]        r_data;

    genvar d;
    generate
        if (AXI) begin : axi
            hc_endpoint_axi4lite #(
                .BUS_BITS(BUS_BITS)
            ) bridge (
                .clk           (clk),
                .rst           (rst),
                .s_axi_awvalid (aw_valid),
                .s_axi_awready (aw_ready),
                .s_axi_awaddr  (w_address),
                .s_axi_awprot  (3'd0),
                .s_axi_wvalid  (w_valid),
                .s_axi_wready  (w_ready),
                .s_axi_wdata   (w_data),
                .s_axi_wstrb   (w_strobes),
                .s_axi_bvalid  (b_valid),
                .s_axi_bready  (b_ready),
                .s_axi_bresp   (b_resp),
                .s_axi_arvalid (ar_valid),
                .s_axi_arready (ar_ready),
                .s_axi_araddr  (r_address),
                .s_axi_arprot  (3'd0),
                .s_axi_rvalid  (r_valid),
                .s_axi_rready  (r_ready),
                .s_axi_rdata   (r_data),
                .s_axi_rresp   (r_resp),
                .access        (access),
                .access_write  (access_write),
                .access_address(access_address),
                .access_strobes(access_strobes),
                .access_data   (access_data),
                .done          (done),
                .refused       (refused),
                .read_data     (read_data)
            );
        end else begin : wishbone
            hc_endpoint_wishbone #(
                .BUS_BITS(BUS_BITS)
            ) bridge (
                .clk           (clk),
                .rst           (rst),
                .wb_cyc_i      (wb_stb),
                .wb_stb_i      (wb_stb),
                .wb_we_i       (wb_we),
                .wb_adr_i      (w_address),
                .wb_dat_i      (w_data),
                .wb_sel_i      (w_strobes),
                .wb_dat_o      (wb_dat),
                .wb_ack_o      (wb_ack),
                .wb_err_o      (wb_err),
                .access        (access),
                .access_write  (access_write),
                .access_address(access_address),
                .access_strobes(access_strobes),
                .access_data   (access_data),
                .done          (done),
                .refused       (refused),
                .read_data     (read_data)
            );
        end
        for (d = 0; d < DIMENSIONS; d = d + 1) begin : dimension
            localparam integer M    = d == 0 ? M1 : d == 1 ? M2 : M3;
            localparam integer BITS = d == 0 ? W1 : d == 1 ? W2 : W3;
            localparam integer LOW  = d == 0 ? 0 : d == 1 ? W1 : W1 + W2;
            hc_endpoint_digit #(
                .M         (M),
                .DIGIT_BITS(BITS)
            ) digit (
                .all  (access_address[WORD_BITS+DIGITS_BITS+d]),
                .digit(access_address[WORD_BITS+LOW+:BITS]),
                .own  (node_digits[LOW+:BITS]),
                .field(access_dest[LOW+d+:BITS+1]),
                .legal(legal[d]),
                .same (same[d])
            );
        end
    endgenerate

    hc_endpoint_core #(
        .NODES       (NODES),
        .NODE_BITS   (NODE_BITS),
        .DIMENSIONS  (DIMENSIONS),
        .DIGITS_BITS (DIGITS_BITS),
        .DEST_BITS   (DEST_BITS),
        .ADDRESS_BITS(ADDRESS_BITS),
        .PAYLOAD_BITS(PAYLOAD_BITS),
        .GETS        (GETS),
        .ADDS        (ADDS),
        .TIMEOUT     (TIMEOUT),
        .RINGS       (RINGS)
    ) endpoint (
        .clk            (clk),
        .rst            (rst),
        .node_id        (node_id),
        .node_digits    (node_digits),
        .own_dest       (own_dest),
        .access         (access),
        .access_write   (access_write),
        .access_region  (access_address[BUS_BITS-4+:2]),
        .access_offset  (access_address[WORD_BITS-1:0]),
        .access_strobes (access_strobes),
        .access_data    (access_data),
        .access_dest    (access_dest),
        .access_legal   (&legal),
        .access_same    (&same),
        .access_set     (|access_address[WORD_BITS+DIGITS_BITS+:DIMENSIONS]),
        .access_zero    (~|access_address[WORD_BITS+:DEST_BITS]),
        .done           (done),
        .refused        (refused),
        .read_data      (read_data),
        .irq            (irq),
        .mem_en         (mem_en),
        .mem_we         (mem_we),
        .mem_addr       (mem_addr),
        .mem_wdata      (mem_wdata),
        .mem_rdata      (mem_rdata),
        .m_axis_tvalid  (m_valid),
        .m_axis_tready  (m_ready),
        .m_axis_tdata   (m_data),
        .m_axis_tdest   (m_dest),
        .s_axis_tvalid  (s_valid),
        .s_axis_tready  (s_ready),
        .s_axis_tdata   (s_data[PAYLOAD_BITS-1:0]),
        .barrier_arrive (arrive),
        .barrier_release(release_),
        .dropped        (dropped),
        .linked         (linked)
    );

    integer now = 0;
    integer rand_ = SEED;
    integer i;

    function integer below(input integer n);  // a random number
        below = $unsigned($random(rand_)) % n;
    endfunction

    function [31:0] dest_of(input integer node);  // tdest of one node
        integer j, left;
        begin
            dest_of = 0;
            left = node;
            for (j = 0; j < DIMENSIONS; j = j + 1) begin
                dest_of = dest_of | ((left % nodes_of(j)) << (low_of(j) + j));
                left = left / nodes_of(j);
            end
        end
    endfunction

    function [31:0] digits_of(input integer node);
        integer j, left;
        begin
            digits_of = 0;
            left = node;
            for (j = 0; j < DIMENSIONS; j = j + 1) begin
                digits_of = digits_of | ((left % nodes_of(j)) << low_of(j));
                left = left / nodes_of(j);
            end
        end
    endfunction

    task fail(input [8*60-1:0] what);
        begin
            $display("FAIL: cycle %0d: %0s", now, what);
            $finish;
        end
    endtask

    // The contract: what the endpoint remembers.
    reg  [31:0]         ram [0:LAST];
    reg                 ack, err, bus_read_write;      // Wishbone; the access was a write
    reg                 writing, reading;              // AXI4-Lite: an access is under way
    reg                 wrote;                         // the access before was a write
    reg                 b_waits, b_error, r_waits, r_error;
    reg  [31:0]         answer;                        // of a read
    integer             stage;      // of the access: 0 begins or waits for its turn, 1 has read, 2 is offered, 3 waits for its reply
    integer             turn;       // pointer of the memory port
    integer             hold;       // cycles for which an add holds the port
    reg  [31:0]         sum;
    integer             sum_place;
    integer             asked [0:MOST-1];              // cycle in which a get came
    integer             asker [0:MOST-1];              // node
    integer             place [0:MOST-1];              // word
    integer             in, out;                       // gets that came, and that had their turn
    integer             reply;                         // 0 none, 1 the word is being read, 2 waits for the network
    reg  [31:0]         reply_word;
    integer             sender;                        // pointer of the sender
    reg  [8:0]          events, enable;
    reg  [3:0]          errors;
    integer             age;        // cycles since the access began
    reg                 left;       // the message of an access that ended late is on offer
    reg                 left_get;
    reg  [63:0]         left_message;
    reg  [31:0]         left_dest;
    reg                 owed;       // the reply to a get has not come
    reg                 arrived;

    // What it does in this cycle.
    reg          acc, we, outside, unsupported, wrong, own, set, illegal, exists, writable, ends;
    reg  [31:0]  address, word, dest, data, digit_bits, all_bits, value;
    reg  [3:0]   strobes;
    integer      region, kind, m, v, w;
    localparam integer NOTHING = 0, ERROR = 1, REGISTER = 2, BELL = 3, WRITE = 4, READ = 5, ADD = 6, SEND = 7, GET = 8;
    integer      s_kind, s_word;
    reg  [3:0]   s_strobes;
    reg          s_memory, s_bell, s_taken;
    reg  [2:0]   wants;
    integer      chosen, sends;
    reg          x_en;
    reg  [3:0]   x_we;
    reg  [31:0]  x_addr, x_wdata;
    reg  [63:0]  x_message;
    reg  [31:0]  x_dest;
    reg  [8:0]   new_events;
    reg  [3:0]   new_errors;
    reg          on_offer, late, accepted;  // the message of the access is on offer; it ends late; the network accepts a message of the own bus

    integer look = 0;  // EVENTS or ERRORS, which are of interest after a clash or an access that was both errors; 0: neither

    // What has happened at all.
    integer counts [0:31];
    integer stalled, waited;
    localparam integer FULL = 16, BOTH = 17, SLOWEST = 18, DELIVERED = 20, DELIVERED_BELL = 24, ADDED = 25, HELD = 26, CLASH = 27,
        TWICE = 28, LATE = 29, LEFT = 30, BEHIND = 31;

    task decode;
        begin
            if (AXI) begin
                acc     = writing | reading;
                we      = writing;
                address = writing ? w_address : r_address;
            end else begin
                acc     = wb_stb & !ack & !err;
                we      = wb_we;
                address = w_address;
            end
            strobes    = w_strobes;
            data       = w_data;
            word       = (address >> 2) & LAST;
            digit_bits = (address >> ADDRESS_BITS) & ((1 << DIGITS_BITS) - 1);
            all_bits   = (address >> (ADDRESS_BITS + DIGITS_BITS)) & ((1 << DIMENSIONS) - 1);
            region     = address >> (ADDRESS_BITS + DIGITS_BITS + DIMENSIONS);
            illegal    = 1'b0;
            own        = 1'b1;
            set        = all_bits != 0;
            dest       = 0;
            for (i = 0; i < DIMENSIONS; i = i + 1) begin
                w = $clog2(nodes_of(i));
                v = (digit_bits >> low_of(i)) & ((1 << w) - 1);
                m = (node_digits >> low_of(i)) & ((1 << w) - 1);
                if (!all_bits[i] && v >= nodes_of(i)) illegal = 1'b1;
                if (all_bits[i] || v != m) own = 1'b0;
                dest = dest | (((all_bits[i] << w) | v) << (low_of(i) + i));
            end
            exists   = word <= 8 || (word >= 16 && word < 16 + DIMENSIONS);
            writable = word >= 4 && word <= 7;
            outside  = region < 2 ? digit_bits != 0 || all_bits != 0 : illegal;
            case (region)
                0: unsupported = 1'b0;
                1: unsupported = !exists || (we && (!writable || strobes != 15));
                2: unsupported = !we && (set || (!own && GETS == 0));
                3: unsupported = !we || ADDS == 0 || strobes != 15;
            endcase
            wrong = acc && unsupported;
            if (outside) unsupported = 1'b0;
            if (!acc) kind = NOTHING;
            else if (outside || unsupported) kind = ERROR;
            else if (region == 1) kind = REGISTER;
            else if (region == 2 && own && we && word == LAST) kind = BELL;
            else if (region == 3 && own) kind = ADD;
            else if (region == 0 || own) kind = we ? WRITE : READ;
            else kind = we ? SEND : GET;
        end
    endtask

    task registers;
        begin
            value = 0;
            case (word)
                0: value = (1 << 24) | ((TIMEOUT != 0) << 18) | (ADDS << 17) | (GETS << 16) | (ADDRESS_BITS << 8) | DIMENSIONS;
                1: value = node_id;
                2: value = node_digits;
                3: value = NODES;
                4: value = arrived;
                5: value = events;
                6: value = enable;
                7: value = errors;
                8: value = (!linked << 19) | (owed << 18) | (left << 17) | ((reply == 2) << 16) | (in - out);
                default: for (i = 0; i < DIMENSIONS; i = i + 1) if (word == 16 + i) value = ((nodes_of(i) / 2) << 16) | nodes_of(i);
            endcase
        end
    endtask

    // What the outputs must be, from what the endpoint remembers and its inputs.
    task expected;
        begin
            decode;
            s_kind    = s_data >> (36 + WORD_BITS) & ((1 << KIND_BITS) - 1);
            s_strobes = s_data >> (32 + WORD_BITS);
            s_word    = (s_data >> 32) & LAST;
            s_bell    = s_valid && s_kind == 0 && s_word == LAST;
            s_memory  = s_valid && s_kind < 2 && !s_bell;

            wants[0] = s_memory;
            wants[1] = in > out && asked[out] + 2 <= now && reply == 0;
            wants[2] = (kind == WRITE || kind == READ || kind == ADD) && stage == 0;
            chosen   = 3;
            if (hold == 0) for (i = 2; i >= 0; i = i - 1) if (wants[(turn+i)%3]) chosen = (turn + i) % 3;
            s_taken  = s_valid && (!s_memory || chosen == 0);

            x_en    = chosen < 3 || hold == 1;
            x_we    = 0;
            x_wdata = 0;
            case (chosen)
                0: begin
                    x_addr  = s_word;
                    x_wdata = s_data;
                    if (s_kind == 0) x_we = s_strobes;
                end
                1: x_addr = place[out];
                2: begin
                    x_addr  = word;
                    x_wdata = data;
                    if (kind == WRITE) x_we = strobes;
                end
                default: begin
                    x_addr  = sum_place;
                    x_wdata = sum;
                    x_we    = 4'hf;
                end
            endcase

            on_offer = stage == 2 && linked && !left && !(kind == GET && owed);
            wants = {1'b0, reply == 2, on_offer || left};
            sends = wants[sender] ? sender : wants[1-sender] ? 1 - sender : 2;
            x_message = 0;
            if (sends == 0 && left) begin
                x_dest    = left_dest;
                x_message = left_message;
            end else if (sends == 0) begin
                x_dest    = dest;
                x_message = ((kind == GET ? 2 : region == 3 ? 1 : 0) << 4) | (kind == GET ? 0 : strobes);
                x_message = (x_message << WORD_BITS | word) << 32 | (kind == GET ? {{32 - DEST_BITS{1'b0}}, own_dest} : data);
            end else begin
                x_dest    = dest_of(asker[out-1]);
                x_message = 64'd3 << (36 + WORD_BITS) | reply_word;
            end

            accepted = sends == 0 && m_ready;
            case (kind)
                NOTHING: ends = 1'b0;
                ERROR, REGISTER, BELL: ends = 1'b1;
                WRITE, ADD: ends = chosen == 2;
                READ: ends = stage == 1;
                SEND: ends = accepted && !left;
                GET: ends = stage == 3 && s_valid && s_kind == 3;
            endcase
            late = TIMEOUT != 0 && (kind == SEND || kind == GET) && age == TIMEOUT && !ends;
            ends = ends | late;
            value = stage == 3 ? s_data[31:0] : mem_rdata;
            if (kind == REGISTER) registers;
        end
    endtask

    task compare;
        begin
            if (AXI) begin
                if (aw_ready !== (writing && ends) || w_ready !== (writing && ends)) fail("ready of a write");
                if (ar_ready !== (reading && ends)) fail("ready of a read");
                if (b_valid !== b_waits || (b_waits && b_resp !== (b_error ? 2'b10 : 2'b00))) fail("response to a write");
                if (r_valid !== r_waits || (r_waits && r_resp !== (r_error ? 2'b10 : 2'b00))) fail("response to a read");
                if (r_waits && !r_error && r_data !== answer) fail("word of a read");
            end else begin
                if (wb_ack !== ack || wb_err !== err) fail("answer");
                if (ack && !bus_read_write && wb_dat !== answer) fail("word of a read");
            end
            if (irq !== |(events & enable)) fail("interrupt");
            if (arrive !== arrived) fail("barrier");
            if (mem_en !== x_en) fail("mem_en");
            if (x_en && (mem_we !== x_we || mem_addr !== x_addr[WORD_BITS-1:0])) fail("mem_we or mem_addr");
            for (i = 0; i < 4; i = i + 1) if (x_en && x_we[i] && mem_wdata[8*i+:8] !== x_wdata[8*i+:8]) fail("mem_wdata");
            if (m_valid !== (sends < 2)) fail("tvalid of the message sent");
            if (m_valid && (m_data !== x_message[PAYLOAD_BITS-1:0] || m_dest !== x_dest[DEST_BITS-1:0])) fail("message sent");
            if (s_valid && s_ready !== s_taken) fail("tready of the message delivered");
        end
    endtask

    task advance;
        begin
            if (kind != NOTHING && ends) counts[kind] = counts[kind] + 1;
            waited = kind == NOTHING || ends ? 0 : waited + 1;
            age    = waited;
            if (waited > 2000) fail("access does not end");
            if (s_taken && s_bell) counts[DELIVERED_BELL] = counts[DELIVERED_BELL] + 1;
            if (s_taken) counts[DELIVERED+s_kind] = counts[DELIVERED+s_kind] + 1;
            stalled = s_valid && !s_taken ? stalled + 1 : 0;
            if (stalled > STALL) fail("receiver stalls too long");
            if (stalled > counts[SLOWEST]) counts[SLOWEST] = stalled;
            if (in - out == NODES - 1) counts[FULL] = counts[FULL] + 1;
            if (in - out >= NODES) fail("the bench sends too many gets");
            if (reply == 2 && stage == 2) counts[BOTH] = counts[BOTH] + 1;
            if (hold > 0 && (s_memory || (kind >= WRITE && kind <= ADD))) counts[HELD] = counts[HELD] + 1;

            // The registers. A barrier that releases the node finds that it has arrived.
            new_events = {release_, 8'd0};
            if (s_taken && s_bell && s_strobes[0]) new_events = new_events | s_data[7:0];
            if (kind == BELL && strobes[0]) new_events = new_events | data[7:0];
            new_errors = {late, dropped, kind == ERROR && unsupported, kind == ERROR && outside};
            if (kind == REGISTER && we && word == 5 && (data & new_events) != 0) begin
                counts[CLASH] = counts[CLASH] + 1;
                look = 5;
            end
            if (outside && wrong && !errors[1]) begin
                counts[TWICE] = counts[TWICE] + 1;
                look = 7;
            end
            if (kind == REGISTER && we && word == 5) events = events & ~data;
            if (kind == REGISTER && we && word == 6) enable = data;
            if (kind == REGISTER && we && word == 7) errors = errors & ~data;
            if (kind == REGISTER && we && word == 4) arrived = 1'b1;
            if (release_) arrived = 1'b0;
            events = events | new_events;
            errors = errors | new_errors;

            // The memory port.
            if (hold == 2) sum = sum + mem_rdata;
            hold = hold == 0 ? 0 : hold - 1;
            if ((chosen == 0 && s_kind == 1) || (chosen == 2 && kind == ADD)) begin
                sum       = x_wdata;
                sum_place = x_addr;
                hold      = 2;
                counts[ADDED] = counts[ADDED] + 1;
            end
            if (chosen < 3) turn = (chosen + 1) % 3;

            // Gets of other nodes.
            if (reply == 2 && sends == 1 && m_ready) begin
                reply = 0;
                busy[asker[out-1]] = 1'b0;
            end
            if (reply == 1) begin
                reply      = 2;
                reply_word = mem_rdata;
            end
            if (chosen == 1) begin
                reply = 1;
                out   = out + 1;
            end
            if (s_taken && s_kind == 2) begin
                asked[in] = now;
                asker[in] = next_asker;
                place[in] = s_word;
                in        = in + 1;
            end
            if (sends < 2) sender = m_ready ? 1 - sends : sends;

            // What accesses leave behind, and the access.
            if (late) counts[LATE] = counts[LATE] + 1;
            if (left && accepted) counts[LEFT] = counts[LEFT] + 1;
            if (stage == 2 && (left || (kind == GET && owed))) counts[BEHIND] = counts[BEHIND] + 1;
            if (s_taken && s_kind == 3) owed = 1'b0;
            if (accepted && (left ? left_get : kind == GET)) begin
                owed      = 1'b1;
                reply_due = 1'b1;
            end
            if (left) left = !accepted;
            else if (late && on_offer && !accepted) begin
                left         = 1'b1;
                left_get     = kind == GET;
                left_dest    = dest;
                left_message = ((kind == GET ? 2 : region == 3 ? 1 : 0) << 4) | (kind == GET ? 0 : strobes);
                left_message = (left_message << WORD_BITS | word) << 32 | (kind == GET ? {{32 - DEST_BITS{1'b0}}, own_dest} : data);
            end
            if (ends) stage = 0;
            else if (kind == GET && on_offer && accepted) stage = 3;
            else if (kind == READ && chosen == 2) stage = 1;
            else if ((kind == SEND || kind == GET) && stage == 0) stage = 2;

            // The bus.
            if (AXI) begin
                if (b_waits && b_ready) b_waits = 1'b0;
                if (r_waits && r_ready) r_waits = 1'b0;
                if (!acc) begin  // no access was under way
                    if (aw_valid && w_valid && !b_waits && !(wrote && ar_valid && !r_waits)) writing = 1'b1;
                    else if (ar_valid && !r_waits) reading = 1'b1;
                    if (writing || reading) wrote = writing;
                end
                if (acc && ends && writing) begin
                    writing  = 1'b0;
                    b_waits  = 1'b1;
                    b_error  = kind == ERROR || late;
                    aw_valid = 1'b0;
                    w_valid  = 1'b0;
                end
                if (acc && ends && reading) begin
                    reading  = 1'b0;
                    r_waits  = 1'b1;
                    r_error  = kind == ERROR || late;
                    ar_valid = 1'b0;
                    answer   = value;
                end
            end else begin
                if (ack || err) wb_stb = 1'b0;
                ack            = acc && ends && kind != ERROR && !late;
                err            = acc && ends && (kind == ERROR || late);
                bus_read_write = we;
                if (ends) answer = value;
            end
            if (s_taken) s_valid = 1'b0;
            now = now + 1;
        end
    endtask

    // The inputs of the next cycle. How busy they are changes from time to time.
    integer       bus_rate, deliver_rate, ready_rate, get_rate;  // of 16
    integer       reply_wait;   // a reply comes in about this number of messages
    reg [NODES-1:0] busy;        // nodes that wait for the reply to a get
    integer       next_asker;
    reg           reply_due;
    integer       waits_w;      // an AXI4-Lite write is not complete
    reg [31:0]    drawn_address;

    task draw_address;
        integer area, words;
        begin
            area = below(16);
            words = below(4) == 0 ? LAST : below(6);
            if (below(8) == 0) words = below(LAST + 1);
            drawn_address = area < 2 ? 0 : area < 8 ? 1 : area < 12 ? 2 : 3;  // region
            if (drawn_address == 1) case (below(8))  // mostly EVENTS and ERRORS
                0: ;
                1: words = 16 + below(DIMENSIONS + 1);
                2: words = below(10);
                3: words = 4 + 2 * below(2);
                default: words = 5 + 2 * below(2);
            endcase
            drawn_address = drawn_address << (DIMENSIONS + DIGITS_BITS);
            if (area >= 8) case (below(8))
                0: drawn_address = drawn_address | below(1 << (DIMENSIONS + DIGITS_BITS));
                1, 2: drawn_address = drawn_address | digits_of(node_id);
                3: drawn_address = drawn_address | digits_of(node_id) | 1 << (DIGITS_BITS + below(DIMENSIONS));
                default: drawn_address = drawn_address | digits_of(below(NODES));
            endcase
            else if (below(6) == 0) drawn_address = drawn_address | 1 << below(DIMENSIONS + DIGITS_BITS);
            if (look != 0) begin  // some of these accesses are reads
                drawn_address = 1 << (DIMENSIONS + DIGITS_BITS);
                words         = look;
                if (below(4) == 0) look = 0;
            end
            drawn_address = (drawn_address << WORD_BITS | words) << 2 | below(4);
        end
    endtask

    task draw_data;
        begin
            w_data = $random(rand_);
            if (below(2)) w_data = w_data & $random(rand_) & $random(rand_);
            if (below(3) == 0) w_data = 32'hffff_ffff;  // clears everything
            w_strobes = below(3) ? 15 : below(16);
        end
    endtask

    task draw_message;
        integer k;
        begin
            s_data     = {$random(rand_), $random(rand_)};
            s_word     = below(3) == 0 ? LAST : below(6);
            s_strobes  = below(2) ? 15 : below(16);
            next_asker = below(NODES);
            for (i = 0; i < NODES && (next_asker == node_id || busy[next_asker]); i = i + 1) next_asker = (next_asker + 1) % NODES;
            k = below(3);
            if (k == 1 && ADDS == 0) k = 0;
            if (GETS && below(16) < get_rate && next_asker != node_id && !busy[next_asker]) k = 2;
            else if (k == 2) k = 0;
            if (reply_due && below(reply_wait) == 0) k = 3;
            if (k == 2) begin
                s_data[31:0]     = dest_of(next_asker);
                busy[next_asker] = 1'b1;
            end
            if (k == 3) reply_due = 1'b0;
            if (k > 1) s_strobes = 0;
            if (k == 1) s_strobes = 15;
            if (k == 3) s_word = 0;
            s_data  = ((k << 4 | s_strobes) << WORD_BITS | s_word) << 32 | s_data[31:0];
            s_valid = 1'b1;
        end
    endtask

    task draw;
        begin
            if (now % 128 == 0) begin
                bus_rate     = below(3) == 0 ? 16 : below(16);
                deliver_rate = below(3) == 0 ? 16 : 1 + below(16);
                ready_rate   = below(2) ? 16 : 1 + below(8);
                get_rate     = below(17);
                reply_wait   = TIMEOUT != 0 && below(2) ? 50 : 4;
                if (below(8) == 0) begin  // the network accepts nothing, and all nodes ask
                    deliver_rate = 16;
                    ready_rate   = 0;
                    get_rate     = 16;
                end
            end
            if (AXI) begin
                if (!aw_valid && !w_valid && waits_w == 0 && below(16) < bus_rate) begin
                    draw_address;
                    w_address = drawn_address;
                    draw_data;
                    aw_valid  = below(3) > 0;
                    w_valid   = !aw_valid || below(3) > 0;
                    waits_w   = !aw_valid || !w_valid;
                end else if (waits_w != 0 && below(2)) begin
                    aw_valid = 1'b1;
                    w_valid  = 1'b1;
                    waits_w  = 0;
                end
                if (!ar_valid && below(16) < bus_rate) begin
                    draw_address;
                    r_address = drawn_address;
                    ar_valid  = 1'b1;
                end
                b_ready = below(3) > 0;
                r_ready = below(3) > 0;
            end else if (!wb_stb && below(16) < bus_rate) begin
                draw_address;
                w_address = drawn_address;
                draw_data;
                wb_we  = below(2);
                wb_stb = 1'b1;
            end
            if (!s_valid && (reply_due || below(16) < deliver_rate)) draw_message;
            m_ready  = below(16) < ready_rate;
            release_ = arrived && below(64) == 0;
            dropped  = below(64) == 0;
            linked   = linked || below(100) == 0;
        end
    endtask

    task cycle;  // whose inputs have been set
        reg        read;
        reg [31:0] got;
        begin
            #1 expected;
            compare;
            read = mem_en && mem_we == 0;
            got  = read ? ram[mem_addr] : $random(rand_);
            if (mem_en) for (i = 0; i < 4; i = i + 1) if (mem_we[i]) ram[mem_addr][8*i+:8] = mem_wdata[8*i+:8];
            #1 clk = 1'b1;
            #1 advance;
            mem_rdata = got;
            clk = 1'b0;
        end
    endtask

    // Some cycles of reset, in whatever the endpoint was doing. Its inputs stay as they are until the reset ends.
    task reset(input integer cycles);
        begin
            rst         = 1'b1;
            node_id     = below(NODES);
            node_digits = digits_of(node_id);
            own_dest    = dest_of(node_id);
            repeat (cycles) begin
                #1 clk = 1'b1;
                #1 clk = 1'b0;
                if (m_valid !== 1'b0 || irq !== 1'b0 || arrive !== 1'b0) fail("an output in reset");
                if (AXI ? {b_valid, r_valid} !== 2'b00 : {wb_ack, wb_err} !== 2'b00) fail("an answer in reset");
            end
            {aw_valid, w_valid, b_ready, ar_valid, r_ready, s_valid, m_ready, release_, dropped} = 0;  // a Wishbone master can go on
            linked         = TIMEOUT == 0;
            rst            = 1'b0;
            now            = 0;
            {ack, err}     = 0;
            bus_read_write = 0;
            {writing, reading, wrote, b_waits, r_waits} = 0;
            stage     = 0;
            turn      = 0;
            hold      = 0;
            in        = 0;
            out       = 0;
            reply     = 0;
            sender    = 0;
            events    = 0;
            enable    = 0;
            errors    = 0;
            arrived   = 0;
            busy      = 0;
            reply_due = 0;
            waits_w   = 0;
            stalled   = 0;
            waited    = 0;
            age       = 0;
            left      = 0;
            owed      = 0;
        end
    endtask

    task seen(input integer what, input integer times, input [8*60-1:0] name);
        if (counts[what] < times) begin
            $display("FAIL: seen %0d times: %0s", counts[what], name);
            $finish;
        end
    endtask

    initial begin
        for (i = 0; i < 32; i = i + 1) counts[i] = 0;
        for (i = 0; i <= LAST; i = i + 1) ram[i] = $random(rand_);
        mem_rdata = $random(rand_);
        w_address = 0;
        r_address = 0;
        w_data    = 0;
        w_strobes = 0;
        wb_we     = 0;
        s_data    = 0;
        {wb_stb, aw_valid, w_valid, b_ready, ar_valid, r_ready, s_valid, m_ready, release_, dropped} = 0;
        linked = 0;
        repeat (LIVES) begin
            reset(1 + below(2));
            repeat (CYCLES / LIVES) begin
                draw;
                cycle;
            end
        end

        seen(ERROR, 100, "bus errors");
        seen(REGISTER, 100, "accesses of registers");
        seen(BELL, 5, "puts to the own doorbell");
        seen(WRITE, 100, "writes of the own memory");
        seen(READ, 100, "reads of the own memory");
        seen(SEND, 50, "puts and adds to others");
        seen(DELIVERED, 100, "puts of others");
        seen(DELIVERED_BELL, 20, "puts of others to the doorbell");
        seen(SLOWEST, STALL, "the longest stall");
        seen(CLASH, 1, "an event in the cycle in which it is cleared");
        seen(TWICE, 1, "an access that is both errors");
        if (GETS) begin
            seen(GET, 30, "gets from others");
            seen(DELIVERED + 2, 20, "gets of others");
            seen(FULL, 1, "a full queue");
            seen(BOTH, 10, "a message and a reply");
        end
        if (ADDS) begin
            seen(ADD, 10, "adds to the own node");
            seen(DELIVERED + 1, 50, "adds of others");
            seen(HELD, 20, "requests while the port is held");
        end
        if (TIMEOUT) begin
            seen(LATE, 20, "accesses that end late");
            seen(LEFT, 5, "messages that were left behind");
            seen(BEHIND, 20, "accesses that wait for an earlier one");
        end
        $display("PASS");
        $finish;
    end

endmodule

`default_nettype wire
