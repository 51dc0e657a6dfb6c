// SPDX-License-Identifier: Apache-2.0
//
// manycore_top: the machine. Each node has a core and a memory at its endpoint. Programs come in one stream of bytes; the text that
// node 0 prints leaves in another.

`default_nettype none

module manycore_top #(
    parameter integer NODES        = 16,
    parameter integer ADDRESS_BITS = 11,  // of a byte in the memory of a node
    parameter integer BUS_BITS     = 19
) (
    input  wire       clk,
    input  wire       rst,                 // synchronous, active high
    input  wire       s_axis_load_tvalid,  // the memory of a program, lowest byte first
    output wire       s_axis_load_tready,
    input  wire [7:0] s_axis_load_tdata,
    output wire       m_axis_text_tvalid,
    input  wire       m_axis_text_tready,
    output wire [7:0] m_axis_text_tdata,
    output wire       running,             // a program runs
    output wire       late                 // the network for sums has not found a word of a node
);

    localparam integer WORDS = ADDRESS_BITS - 2;  // bits of the address of a word

    wire machine_rst, restart;

    wire [NODES-1:0]          cyc, we, ack, err, irq, mem_en;
    wire [NODES*BUS_BITS-1:0] adr;
    wire [NODES*32-1:0]       dat, dat_read, mem_wdata, mem_rdata, parts, sums;
    wire [NODES*4-1:0]        sel, mem_we;
    wire [NODES*WORDS-1:0]    mem_addr;
    wire [NODES-1:0]          part_valid, sum_valid, lates;
    wire [NODES-1:0]          text_valid, ended;
    wire [NODES*8-1:0]        text;
    wire                      sum_ready, unused_done;

    // Node 0 prints, and ends the program. The loader has its bus while no program runs.
    wire                load_cyc;
    wire [BUS_BITS-1:0] load_adr;
    wire [31:0]         load_dat;
    wire                unused_others = &{1'b0, text_valid[NODES-1:1], text[8*NODES-1:8], ended[NODES-1:1]};

    assign machine_rst        = rst | restart;
    assign m_axis_text_tvalid = text_valid[0];
    assign m_axis_text_tdata  = text[7:0];
    assign late               = |lates;

    // The barrier releases all nodes in one cycle. A program lets this event interrupt node 0 and so start a sum.
    reg         irq_q;
    wire        start = irq[0] & !irq_q;
    wire        unused_irqs = &{1'b0, irq[NODES-1:1], sum_ready};
    reg  [31:0] cycle_q;

    always @(posedge clk) begin
        irq_q <= irq[0];
        cycle_q <= cycle_q + 32'd1;
        if (machine_rst) begin
            irq_q <= 1'b0;
            cycle_q <= 32'd0;
        end
    end

    manycore_loader #(
        .ADDRESS_BITS(ADDRESS_BITS),
        .BUS_BITS(BUS_BITS)
    ) loader (
        .clk(clk),
        .rst(rst),
        .s_axis_load_tvalid(s_axis_load_tvalid),
        .s_axis_load_tready(s_axis_load_tready),
        .s_axis_load_tdata(s_axis_load_tdata),
        .wb_cyc_o(load_cyc),
        .wb_adr_o(load_adr),
        .wb_dat_o(load_dat),
        .wb_ack_i(ack[0]),
        .ended(ended[0]),
        .running(running),
        .restart(restart)
    );

    genvar n;
    generate
        for (n = 0; n < NODES; n = n + 1) begin : node
            wire        core_cyc, core_we;
            wire [31:0] core_adr, core_dat;
            wire [3:0]  core_sel;
            wire        unused_address = &{1'b0, core_adr[31:BUS_BITS]};

            manycore_node node (
                .clk(clk),
                .rst(machine_rst | !running),
                .wb_cyc_o(core_cyc),
                .wb_we_o(core_we),
                .wb_adr_o(core_adr),
                .wb_dat_o(core_dat),
                .wb_sel_o(core_sel),
                .wb_dat_i(dat_read[32*n+:32]),
                .wb_ack_i(ack[n]),
                .wb_err_i(err[n]),
                .start(start),
                .part_valid(part_valid[n]),
                .part(parts[32*n+:32]),
                .sum_valid(sum_valid[n]),
                .sum(sums[32*n+:32]),
                .cycle(cycle_q),
                .m_axis_text_tvalid(text_valid[n]),
                .m_axis_text_tready(m_axis_text_tready),
                .m_axis_text_tdata(text[8*n+:8]),
                .ended(ended[n])
            );

            wire loads = (n == 0) & !running;
            assign cyc[n]                    = loads ? load_cyc : core_cyc & running;
            assign we[n]                     = loads | core_we;
            assign adr[BUS_BITS*n+:BUS_BITS] = loads ? load_adr : core_adr[BUS_BITS-1:0];
            assign dat[32*n+:32]             = loads ? load_dat : core_dat;
            assign sel[4*n+:4]               = {4{loads}} | core_sel;

            manycore_memory #(
                .ADDRESS_BITS(WORDS)
            ) memory (
                .clk(clk),
                .en(mem_en[n]),
                .we(mem_we[4*n+:4]),
                .addr(mem_addr[WORDS*n+:WORDS]),
                .wdata(mem_wdata[32*n+:32]),
                .rdata(mem_rdata[32*n+:32])
            );
        end
    endgenerate

    box_system system (
        .clk(clk),
        .rst(machine_rst),
        .wb_cyc_i(cyc),
        .wb_stb_i(cyc),
        .wb_we_i(we),
        .wb_adr_i(adr),
        .wb_dat_i(dat),
        .wb_sel_i(sel),
        .wb_dat_o(dat_read),
        .wb_ack_o(ack),
        .wb_err_o(err),
        .irq(irq),
        .mem_en(mem_en),
        .mem_we(mem_we),
        .mem_addr(mem_addr),
        .mem_wdata(mem_wdata),
        .mem_rdata(mem_rdata),
        .sum_start(start),
        .sum_ready(sum_ready),
        .sum_done(unused_done),
        .sum_s_own_data(parts),
        .sum_s_own_valid(part_valid),
        .sum_late(lates),
        .sum_m_own_valid(sum_valid),
        .sum_m_own_data(sums)
    );

endmodule

`default_nettype wire
