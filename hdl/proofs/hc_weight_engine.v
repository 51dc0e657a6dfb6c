// SPDX-License-Identifier: Apache-2.0
//
// Properties of hc_weight_engine, inserted before its endmodule: for any machine, legal or not, by
// induction. The expected constants come from hc_ring_table.vh, which the test prints from package
// hypercycle.

    // Any machine: m and rho of its dimensions, which change only while not busy.
    wire [4*(WC_BITS+1)-1:0] f_any_m;
    wire [4*WC_BITS-1:0]     f_any_rho;
    assign f_any_m   = $anyseq;
    assign f_any_rho = $anyseq;
    reg  [4*(WC_BITS+1)-1:0] f_m;
    reg  [4*WC_BITS-1:0]     f_rho;
    reg                      f_past = 1'b0;
    always @(posedge clk) begin
        f_past <= 1'b1;
        if (!busy && !start) f_m <= f_any_m;
        if (!busy && !start) f_rho <= f_any_rho;
    end
    always @* begin
        assume (m == f_m[dimension*(WC_BITS+1)+:WC_BITS+1]);
        assume (rho == f_rho[dimension*WC_BITS+:WC_BITS]);
        if (!f_past) assume (rst);
    end
    reg                      f_held_q = 1'b0;
    reg  [2:0]               f_held_rank_q;
    reg  [1:0]               f_held_preference_q;
    always @(posedge clk) begin
        f_held_q            <= busy || start;
        f_held_rank_q       <= rank;
        f_held_preference_q <= preference;
    end
    always @* if (f_held_q) assume (rank == f_held_rank_q && preference == f_held_preference_q);

    // The machine of the last start, and its properties by the specification: the degree of each
    // dimension, the ports before it, and whether it is legal.
    reg  [4*(WC_BITS+1)-1:0] f_m_q;
    reg  [4*WC_BITS-1:0]     f_rho_q;
    reg  [2:0]               f_rank_q;
    reg  [1:0]               f_preference_q;
    always @(posedge clk) if (busy) begin
        f_m_q          <= f_m;
        f_rho_q        <= f_rho;
        f_rank_q       <= rank;
        f_preference_q <= preference;
    end
    wire                     f_computes = busy && state_q != DRAIN;
    wire [4*(WC_BITS+1)-1:0] f_ms    = busy ? f_m : f_m_q;
    wire [4*WC_BITS-1:0]     f_rhos  = busy ? f_rho : f_rho_q;
    wire [2:0]               f_rank  = busy ? rank : f_rank_q;
    wire [1:0]               f_preference = busy ? preference : f_preference_q;
    wire [6:0]               f_first [0:4];
    wire [3:0]               f_legal;
    assign f_first[0] = 7'd0;
    genvar f;
    generate
        for (f = 0; f < 4; f = f + 1) begin : f_ring
            wire [WC_BITS:0]   f_nodes = f_ms[f*(WC_BITS+1)+:WC_BITS+1];
            wire [WC_BITS-1:0] f_reach = f_rhos[f*WC_BITS+:WC_BITS];
            wire [4:0]         f_twice = {f_reach, 1'b0};
            assign f_first[f+1] = f_first[f] + f_twice - (f_twice == f_nodes && f_reach != 0);
            assign f_legal[f]   = f_nodes >= 2 && f_nodes <= NODES && f_reach >= 1 && f_twice <= f_nodes;
        end
    endgenerate
    wire f_legal_head = f_rank >= 1 && f_rank <= DIMENSIONS && f_preference != 3;
    // Sums over the dimensions before this one, and over all.
    wire [3:0] f_before    = (4'd1 << dimension) - 4'd1;
    wire [3:0] f_all       = (4'd1 << f_rank) - 4'd1;
    wire       f_fits      = f_first[f_rank] <= DEGREE;
    wire       f_is_legal  = f_legal_head && &(f_legal | ~f_all) && f_fits;

    // The constants of each ring from package hypercycle: {k, q} of floor((m-1)/2), {k, q} of
    // floor(m/2), {k, a, D}, four bits each.
`include "hc_ring_table.vh"
    // {k, q} counterclockwise, {k, q} clockwise.
    function [15:0] f_sides(input [1:0] preference, input [27:0] ring);
        case (preference)
            2'd0:    f_sides = {ring[11:4], 4'd0, ring[3:0]};
            2'd1:    f_sides = {4'd0, ring[3:0], ring[11:4]};
            default: f_sides = {ring[27:20], ring[19:12]};
        endcase
    endfunction

    // A symbolic dimension and a symbolic port stand for all.
    wire [1:0]  f_dim;
    wire [3:0]  f_port;
    assign f_dim  = $anyconst;
    assign f_port = $anyconst;
    always @* assume (f_dim < DIMENSIONS && f_port < DEGREE);

    // The values of a dimension by the specification, wide enough for every sum.
    wire [1:0] f_at    = f_port < f_first[1] ? 2'd0 : f_port < f_first[2] ? 2'd1 : f_port < f_first[3] ? 2'd2 : 2'd3;
    wire       f_there = f_port < f_first[f_rank];

    wire [5:0] f_pm    = f_ms[f_at*(WC_BITS+1)+:WC_BITS+1];
    wire [5:0] f_prho  = f_rhos[f_at*WC_BITS+:WC_BITS];
    wire [27:0] f_pt   = f_table(f_pm, f_prho);
    wire [5:0] f_place = f_port - f_first[f_at];
    wire       f_ccw   = f_place >= f_prho;
    wire [5:0] f_dist  = f_ccw ? f_place - f_prho + 1 : f_place + 1;
    wire [15:0] f_ps   = f_sides(f_preference, f_pt);
    wire [5:0] f_cw_weight  = f_ps[3:0] + (f_dist <= f_ps[7:4]);
    wire [5:0] f_ccw_weight = f_ps[11:8] + (f_dist <= f_ps[15:12]);
    wire [5:0] f_weight = 2 * f_dist == f_pm ? f_cw_weight + f_ccw_weight : f_ccw ? f_ccw_weight : f_cw_weight;
    wire [WC_BITS-1:0]   f_short_d      = f_pt[3:0];
    wire [WC_BITS-1:0]   f_short_weight = f_weight;
    wire [WD_BITS-1:0]   f_wd   = f_at + 1;
    wire [PORT_BITS-1:0] f_want = f_there ? {f_short_d, f_short_weight, f_dist == f_prho, f_dist == 1, f_ccw, f_wd}
                                          : {PORT_BITS{1'b0}};

    wire [5:0] f_dm    = f_ms[f_dim*(WC_BITS+1)+:WC_BITS+1];
    wire [5:0] f_drho  = f_rhos[f_dim*WC_BITS+:WC_BITS];
    wire [27:0] f_dt   = f_table(f_dm, f_drho);
    wire [15:0] f_ds   = f_sides(f_preference, f_dt);

    // Contract.
    wire [WC_BITS-1:0] f_d_short = f_dt[3:0];
    wire [WC_BITS-1:0] f_a_short = f_dt[7:4];
    wire [WC_BITS-1:0] f_k_short = f_dt[11:8];
    wire [WC_BITS-1:0] f_xq = f_ds[3:0];
    wire [WC_BITS-1:0] f_xk = f_ds[7:4];
    wire [WC_BITS-1:0] f_yq = f_ds[11:8];
    wire [WC_BITS-1:0] f_yk = f_ds[15:12];
    wire [WC_BITS:0] f_error_m = f_ms[dimension*(WC_BITS+1)+:WC_BITS+1];
    always @* if (f_past) begin
        if (accepting) begin
            assert (f_is_legal);
            assert (running && !error && error_code == 0);
            assert (degree == f_first[f_rank]);
            assert (ports[f_port*PORT_BITS+:PORT_BITS] == f_want);
        end
        if (accepting && f_dim < f_rank) begin
            assert (constants[f_dim*3*WC_BITS+:3*WC_BITS] == {f_k_short, f_a_short, f_d_short});
            assert (sides[f_dim*4*WC_BITS+:4*WC_BITS] == {f_yk, f_yq, f_xk, f_xq});
        end
        if (error) begin
            assert (!f_is_legal && !running && !accepting);
            case (error_code)
                BAD_RANK:       assert (f_rank == 0 || f_rank > DIMENSIONS);
                BAD_PREFERENCE: assert (f_preference == 3);
                BAD_M:          assert (f_error_m < 2 || f_error_m > NODES);
                BAD_RHO:        assert (!f_legal[dimension] && f_error_m >= 2 && f_error_m <= NODES);
                BAD_DEGREE:     assert (!f_fits);
                default:        assert (1'b0);
            endcase
        end
    end

    // The engine stops: this number falls in every cycle.
    wire [8:0] f_ahead = {f_rank - dimension, 6'd0} + {f_rank - dimension, 4'd0} + 9'd34;
    reg  [8:0] f_measure;
    always @* begin
        case (state_q)
            MACHINE:  f_measure = 9'd511;
            RING:     f_measure = f_ahead - 9'd0;
            MULTIPLY: f_measure = f_ahead - 9'd17 + rest_q;
            HALF:     f_measure = f_ahead - 9'd25 + rest_q;
            WHOLE:    f_measure = f_ahead - 9'd41 + rest_q;
            REST:     f_measure = f_ahead - 9'd50 + rest_q;
            COUNT:    f_measure = f_ahead - 9'd50 - (behind_q ? rho : 9'd0) - distance_q;
            FILL:     f_measure = 9'd1 + DEGREE - shifts_q;
            default:  f_measure = 9'd0;
        endcase
    end
    reg       f_computed_q = 1'b0;
    reg [8:0] f_measure_q;
    always @(posedge clk) begin
        f_computed_q <= f_computes && !rst;
        f_measure_q  <= f_measure;
    end
    always @* if (f_past && f_computed_q && f_computes)
        assert (f_measure < f_measure_q);

    // Invariants, which the induction of the contract needs.
    wire [5:0] f_cm   = m;
    wire [5:0] f_crho = rho;
    wire [5:0] f_ch   = f_cm / 2;
    wire [5:0] f_co   = (f_cm - 1) / 2;
    wire [27:0] f_ct  = f_table(f_cm, f_crho);
    wire [5:0] f_q    = quotient_q;
    wire [5:0] f_l    = largest_q;
    // q - D, where the quotient begins at -1 if rho does not divide floor(m/2)
    wire [5:0] f_beyond = f_q - (&quotient_q && f_crho > 1 ? 6'd1 << WC_BITS : 6'd0);
    wire [5:0] f_total  = f_l + f_beyond;
    wire       f_ring_known = state_q == WHOLE || state_q == REST || state_q == COUNT;
    wire       f_in_ring    = f_ring_known || state_q == MULTIPLY || state_q == HALF;
    wire       f_after      = state_q == FILL || state_q == SETTLE || state_q == OPEN;
    wire [6:0] f_base       = f_first[dimension];
    always @* if (f_past) begin
        assert (state_q <= FAILED);
        assert (running == (state_q == OPEN) || state_q == DRAIN);
        assert (accepting == (state_q == OPEN));
        if (state_q == CLOSED) assert (!running);
        if (f_computes || accepting) assert (error_code == 0);
        if (f_in_ring || state_q == RING) begin
            assert (f_legal_head && dimension < f_rank);
            assert (&(f_legal | ~f_before));
        end
        if (state_q == RING || state_q == MULTIPLY || state_q == HALF || state_q == WHOLE || state_q == REST)
            assert (shifts_q == f_base);
        if (state_q == MACHINE) assert (shifts_q == 0 && dimension == 0);
        if (f_in_ring) assert (f_legal[dimension]);
        if (state_q == MULTIPLY) assert (rest_q >= 1 && rest_q <= m);
        if (state_q == HALF) assert (f_q * f_crho + rest_q == f_ch && rest_q <= f_ch && f_q <= f_ch);
        if (f_ring_known) assert (f_l == f_ct[3:0] && half_rest_q == f_ct[19:16]);
        if (state_q == WHOLE) begin
            assert (f_total * f_crho + rest_q == f_cm - 1);
            assert (f_total < 16 && rest_q <= half_rest_q + f_co);
        end
        if (state_q == REST) begin
            assert (balanced);
            assert (f_q * f_crho + rest_q == f_co && rest_q <= f_co && f_q <= f_co);
        end
        if (state_q == COUNT) begin
            if (balanced) assert (f_q == f_ct[23:20] && rest_q == f_ct[27:24]);
            else assert (f_q == f_ct[7:4] && rest_q == f_ct[11:8]);
            assert (shifts_q == f_base + (behind_q ? rho : 7'd0) + distance_q - 7'd1);
            assert (distance_q >= 1 && distance_q <= rho);
            assert (!(behind_q && 2 * distance_q == f_cm));
        end
        if (f_in_ring || f_after || state_q == RING) begin
            assert (shifts_q <= DEGREE);
            if (shifts_q > f_port)
                assert (ports[(f_port+DEGREE-shifts_q)*PORT_BITS+:PORT_BITS] == f_want);
        end
        if (f_after) begin
            assert (f_is_legal && dimension + 3'd1 == f_rank);
            assert (degree == f_first[f_rank] && shifts_q >= degree);
            if (state_q != FILL) assert (shifts_q == DEGREE);
        end
        if (f_after || (f_in_ring || state_q == RING) && f_dim < dimension ||
            (state_q == REST || state_q == COUNT) && f_dim == dimension)
            if (f_dim < f_rank) assert (constants[f_dim*3*WC_BITS+:3*WC_BITS] == {f_k_short, f_a_short, f_d_short});
        if (f_after || (f_in_ring || state_q == RING) && f_dim < dimension)
            if (f_dim < f_rank) assert (sides[f_dim*4*WC_BITS+:4*WC_BITS] == {f_yk, f_yq, f_xk, f_xq});
    end

    // N - 1: hc_node_count_product.v proves that N is the product of the counted dimensions. A dimension
    // has one node more than pulses of grow before its pulse of multiplied. Here: between a clear and
    // the end these are the nodes of each dimension, once and in order.
    reg [3:0] f_grown;    // pulses of grow since the last pulse of multiplied
    reg [2:0] f_counted;  // pulses of multiplied
    always @(posedge clk) begin
        if (grow) f_grown <= f_grown + 4'd1;
        if (multiplied) {f_grown, f_counted} <= {4'd0, f_counted + 3'd1};
        if (rst | clear) {f_grown, f_counted} <= 7'd0;
    end
    always @* if (f_past) begin
        assert (!(grow && multiplied) && !(grow && f_grown == 14));  // assumed there
        if (multiplied) assert (f_grown + 1 == f_ms[dimension*(WC_BITS+1)+:WC_BITS+1] && f_counted == dimension);
        if (accepting) assert (f_counted == f_rank);
        if (f_computes || accepting) assert (!clear);
        if (accepting) assert (!grow && !multiplied);
        // Invariants.
        if (state_q == MACHINE || state_q == RING) assert (f_grown == 0 && f_counted == dimension);
        if (state_q == MULTIPLY) assert (f_grown + rest_q == m && f_counted == dimension);
        if (f_ring_known || state_q == HALF) assert (f_grown == 0 && f_counted == dimension + 3'd1);
        if (f_after) assert (f_grown == 0 && f_counted == f_rank);
    end

    always @(posedge clk) if (f_past) begin
        cover (multiplied && f_counted == 1 && f_grown == 2);
        cover (accepting && f_rank == DIMENSIONS && $past(busy));
        cover (accepting && f_preference == 2 && f_first[f_rank] > 2);
        cover (accepting && $past(accepting) && start);
        cover (error_code == BAD_RANK);
        cover (error_code == BAD_PREFERENCE);
        cover (error_code == BAD_M && dimension == 1);
        cover (error_code == BAD_RHO);
        cover (error_code == BAD_DEGREE);
    end
