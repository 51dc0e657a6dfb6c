// SPDX-FileCopyrightText: The hcgen authors
// SPDX-License-Identifier: Apache-2.0
//
// standin_router: a simple design with the port contract of a router, for the tests of the
// benches. Machine C_4<2>: three ports, every broadcast one hop.
//
// One register per output. The local input is accepted when all links are free and the
// neighbour clock permits it, a link input when delivery is free and its port has the turn,
// which advances in every cycle. Faults for the benches to find are triggered by payloads
// and, if NODE_FAULTS is set, by nodes 0, 2 and 3.

`default_nettype none

module standin_router #(
    // Node 0 is not ready in the cycle after a reset of one cycle, node 2 delivers
    // when the receiver was not ready for 40 cycles without a delivery, node 3
    // delivers in reset and does not reset header_error.
    parameter integer NODE_FAULTS = 1
) (
    input  wire         clk,
    input  wire         rst,
    input  wire [1:0]   node_id,
    input  wire [2:0]   s_axis_link_tvalid,
    output wire [2:0]   s_axis_link_tready,
    input  wire [128:0] s_axis_link_tdata,
    output wire [2:0]   m_axis_link_tvalid,
    input  wire [2:0]   m_axis_link_tready,
    output wire [128:0] m_axis_link_tdata,
    input  wire         s_axis_local_tvalid,
    output wire         s_axis_local_tready,
    input  wire [38:0]  s_axis_local_tdata,
    output wire         m_axis_local_tvalid,
    input  wire         m_axis_local_tready,
    output wire [38:0]  m_axis_local_tdata,
    output wire [1:0]   m_axis_local_tid,
    output wire [2:0]   header_error,
    output wire [1:0]   pace,
    input  wire [5:0]   link_pace
);

    localparam [38:0] LOST = 39'h7fffffffff;  // never delivered
    localparam [38:0] SWAPPED = 39'h7ffffffffe;  // delivered with another payload
    localparam [38:0] TWICE = 39'h7ffffffffd;  // delivered twice, if the receiver is ready at once
    localparam [38:0] CORRUPT = 39'h7ffffffffc;  // sent with a malformed header
    localparam [38:0] STUCK = 39'h7ffffffffb;  // never taken

    reg [2:0]  link_valid_q;
    reg [42:0] link_q;
    reg        local_valid_q;
    reg        again_q;
    reg [40:0] local_q;
    reg [2:0]  error_q;
    reg [2:0]  turn_q;
    reg [5:0]  refused_q;
    reg [1:0]  reset_q;  // rst of the last two cycles

    // The neighbour clock.
    reg  [1:0] pace_q;
    reg  [1:0] credit_q;
    reg        injected_q;
    wire [1:0] rest = credit_q - {1'b0, injected_q};
    wire [1:0] late = pace_q - 2'd1;
    wire       behind = link_pace[1:0] == late | link_pace[3:2] == late | link_pace[5:4] == late;
    wire       tick = !behind & (!s_axis_local_tvalid | !rest[1]);

    wire       cold = NODE_FAULTS != 0 && node_id == 2'd0 && reset_q == 2'b01;

    wire [2:0] good;
    genvar p;
    generate
        for (p = 0; p < 3; p = p + 1) begin : port
            assign good[p] = &s_axis_link_tdata[p*43+41+:2];
        end
    endgenerate

    wire [2:0]  taken = s_axis_link_tvalid & s_axis_link_tready;
    wire [2:0]  selected = taken & good;
    wire [40:0] body = (s_axis_link_tdata[40:0] & {41{selected[0]}})
                     | (s_axis_link_tdata[83:43] & {41{selected[1]}})
                     | (s_axis_link_tdata[126:86] & {41{selected[2]}});
    wire        write = |selected;
    wire        inject = s_axis_local_tvalid & s_axis_local_tready;

    assign s_axis_link_tready  = turn_q & {3{!local_valid_q}};
    assign s_axis_local_tready = ~|link_valid_q && rest != 2'd0 && s_axis_local_tdata != STUCK && !cold;
    assign m_axis_link_tvalid  = link_valid_q;
    assign m_axis_link_tdata   = {3{link_q}};
    assign m_axis_local_tvalid = local_valid_q;
    assign m_axis_local_tdata  = local_q[38:0];
    assign m_axis_local_tid    = local_q[40:39];
    assign header_error        = error_q;
    assign pace                = pace_q;

    always @(posedge clk) begin
        if (inject) link_q <= {s_axis_local_tdata != CORRUPT, 1'b1, node_id, s_axis_local_tdata};
        if (write) local_q <= body[38:0] == SWAPPED ? body ^ 41'd7 : body;

        link_valid_q <= inject ? 3'b111 : link_valid_q & ~m_axis_link_tready;
        again_q      <= write & body[38:0] == TWICE;
        if (write) local_valid_q <= body[38:0] != LOST;
        else if (m_axis_local_tready) local_valid_q <= again_q;
        error_q <= taken & ~good;
        turn_q  <= {turn_q[1:0], turn_q[2]};
        if (tick) pace_q <= pace_q + 2'd1;
        credit_q   <= tick & !rest[1] ? rest + 2'd1 : rest;
        injected_q <= inject;
        reset_q <= {reset_q[0], rst};
        refused_q <= local_valid_q | m_axis_local_tready ? 6'd0 : refused_q + 6'd1;
        if (NODE_FAULTS != 0 && node_id == 2'd2 && refused_q == 6'd40) local_valid_q <= 1'b1;

        if (rst) begin
            link_valid_q  <= 3'b000;
            again_q       <= 1'b0;
            local_valid_q <= NODE_FAULTS != 0 && node_id == 2'd3;
            error_q       <= NODE_FAULTS != 0 && node_id == 2'd3 ? s_axis_link_tvalid & ~good : 3'b000;
            turn_q        <= 3'b001;
            refused_q     <= 6'd0;
            pace_q        <= 2'd0;
            credit_q      <= 2'd1;
            injected_q    <= 1'b0;
        end
    end

endmodule

`default_nettype wire
