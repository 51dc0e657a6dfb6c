// SPDX-License-Identifier: Apache-2.0
//
// The configuration behind a bus, for its bench.

`default_nettype none

module configured_wishbone (
    input  wire         clk,
    input  wire         rst,
    input  wire         wb_cyc_i,
    input  wire         wb_stb_i,
    input  wire         wb_we_i,
    input  wire [7:0]   wb_adr_i,
    input  wire [31:0]  wb_dat_i,
    input  wire [3:0]   wb_sel_i,
    output wire [31:0]  wb_dat_o,
    output wire         wb_ack_o,
    output wire         wb_err_o,
    input  wire         drained,
    input  wire         idle,
    input  wire         accepted,
    input  wire [15:0]  forwarded,
    input  wire         delivered,
    input  wire [15:0]  dropped,
    output wire         accepting,
    output wire         running,
    output wire         will_run,
    output wire         error,
    output wire [191:0] ports
);

    wire        write;
    wire        whole;
    wire [5:0]  address;
    wire [31:0] write_data;
    wire [31:0] read_data;
    wire        refused;
    wire [27:0] unused_rings;
    wire [47:0] unused_distances;

    hc_wishbone bridge (
        .clk(clk),
        .rst(rst),
        .wb_cyc_i(wb_cyc_i),
        .wb_stb_i(wb_stb_i),
        .wb_we_i(wb_we_i),
        .wb_adr_i(wb_adr_i),
        .wb_dat_i(wb_dat_i),
        .wb_sel_i(wb_sel_i),
        .wb_dat_o(wb_dat_o),
        .wb_ack_o(wb_ack_o),
        .wb_err_o(wb_err_o),
        .write(write),
        .whole(whole),
        .address(address),
        .write_data(write_data),
        .read_data(read_data),
        .refused(refused)
    );

    hc_configuration configuration (
        .clk(clk),
        .rst(rst),
        .write(write),
        .whole(whole),
        .address(address),
        .write_data(write_data),
        .read_data(read_data),
        .refused(refused),
        .drained(drained),
        .idle(idle),
        .accepted(accepted),
        .forwarded(forwarded),
        .delivered(delivered),
        .dropped(dropped),
        .accepting(accepting),
        .running(running),
        .will_run(will_run),
        .error(error),
        .rings(unused_rings),
        .distances(unused_distances),
        .ports(ports)
    );

endmodule

`default_nettype wire
