// SPDX-License-Identifier: Apache-2.0
//
// cable: one direction of a link between chips. Messages, ready and pace take STAGES cycles each.
//
// A pace that arrives late only makes the other router wait longer, so its wires may have any number
// of registers.
//
// Latency: STAGES cycles. Backpressure: each stage has two places, and its ready is a register.

`default_nettype none

module cable #(
    parameter integer STAGES = 2,  // 1 or more
    parameter integer WIDTH  = 22  // bits of a message with its header
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             s_axis_tvalid,
    output wire             s_axis_tready,
    input  wire [WIDTH-1:0] s_axis_tdata,
    input  wire [1:0]       s_pace,
    output wire             m_axis_tvalid,
    input  wire             m_axis_tready,
    output wire [WIDTH-1:0] m_axis_tdata,
    output wire [1:0]       m_pace
);

    wire [STAGES:0]           tvalid;
    wire [STAGES:0]           tready;
    wire [(STAGES+1)*WIDTH-1:0] tdata;
    reg  [2*STAGES-1:0]       pace_q;  // the latest pace lowest

    assign tvalid[0]        = s_axis_tvalid;
    assign s_axis_tready    = tready[0];
    assign tdata[0+:WIDTH]  = s_axis_tdata;
    assign m_axis_tvalid    = tvalid[STAGES];
    assign tready[STAGES]   = m_axis_tready;
    assign m_axis_tdata     = tdata[STAGES*WIDTH+:WIDTH];
    assign m_pace           = pace_q[2*STAGES-1-:2];

    wire [2*STAGES+1:0] paces = {pace_q, s_pace};
    wire                unused = &{1'b0, paces[2*STAGES+1-:2]};

    always @(posedge clk) begin
        pace_q <= paces[2*STAGES-1:0];
        if (rst) pace_q <= {2 * STAGES{1'b0}};
    end

    genvar i;
    generate
        for (i = 0; i < STAGES; i = i + 1) begin : stage
            reg             valid_q;
            reg             spare_valid_q;  // a message arrived while the previous one waited
            reg [WIDTH-1:0] data_q;
            reg [WIDTH-1:0] spare_q;

            assign tready[i]               = !spare_valid_q;
            assign tvalid[i+1]             = valid_q;
            assign tdata[(i+1)*WIDTH+:WIDTH] = data_q;

            always @(posedge clk) begin
                if (tready[i+1] | !valid_q) begin
                    valid_q <= spare_valid_q | tvalid[i];
                    data_q <= spare_valid_q ? spare_q : tdata[i*WIDTH+:WIDTH];
                    spare_valid_q <= 1'b0;
                end else if (!spare_valid_q) begin
                    spare_valid_q <= tvalid[i];
                    spare_q <= tdata[i*WIDTH+:WIDTH];
                end
                if (rst) begin
                    valid_q <= 1'b0;
                    spare_valid_q <= 1'b0;
                end
            end
        end
    endgenerate

endmodule

`default_nettype wire
