// SPDX-License-Identifier: Apache-2.0
//
// hc_chip_sessions: the session of a chip with two cables, by hc_chip_session and an hc_chip_hello at each, whose frames
// say anything. The session changes only to 0 by rst, to the next one by restart, and to a newer one of a matching hello;
// so newer is never older. Nodes and ends are in reset for 16 cycles after each change, and else not.

module hc_chip_sessions (
    input wire            clk,
    input wire            rst,
    input wire            restart,
    input wire [1:0]      show,   // a frame is there at an end
    input wire [2*48-1:0] frames
);

    localparam [31:0] HASH = 32'h12345678;

    wire [1:0]  newer, act;
    wire [15:0] newer_session;
    wire [7:0]  session;
    wire        reset;

    hc_chip_session #(.CABLES(2)) dut (
        .clk(clk), .rst(rst), .restart(restart), .newer(newer), .newer_session(newer_session), .session(session), .reset(reset)
    );

    genvar g;
    generate
        for (g = 0; g < 2; g = g + 1) begin : ends
            hc_chip_hello #(.SILENCE(4), .CHIP_BITS(1), .PORT(g), .FAR_PORT(1 - g), .HASH(HASH)) hello (
                .clk(clk), .rst(rst), .session_rst(reset), .session(session), .newer(newer[g]), .newer_session(newer_session[8*g+:8]),
                .chip(1'b0), .neighbor(1'b1), .frame_valid(show[g]), .frame_ready(act[g]), .frame(frames[48*g+:48]),
                .content(), .up(), .data(), .pattern(1'b0), .state(), .far_end(), .good(), .silences()
            );
        end
    endgenerate

    function matches(input [47:0] frame, input [3:0] far_port);
        matches = !frame[0] && frame[42:11] == HASH && frame[46:43] == far_port && frame[47];
    endfunction
    function is_newer(input [7:0] other, input [7:0] own);
        is_newer = other != 8'd0 && (own == 8'd0 || (other > own && other - own <= 8'd127) || (other < own && own - other >= 8'd129));
    endfunction

    reg              past = 1'b0, rst_q, restart_q, reset_past_q;
    reg [1:0]        show_q, act_past_q;
    reg [2*48-1:0]   frames_q;  // of the last cycle
    reg [7:0]        session_q;
    reg [4:0]        since_q;             // cycles since the last change, at most 16
    wire [1:0]       heard = {act_past_q[1] && matches(frames_q[95:48], 4'd0) && is_newer(frames_q[58:51], session_q),
                              act_past_q[0] && matches(frames_q[47:0], 4'd1) && is_newer(frames_q[10:3], session_q)};
    always @(posedge clk) begin
        past         <= 1'b1;
        rst_q        <= rst;
        restart_q    <= restart;
        reset_past_q <= reset;
        show_q       <= show & ~act;
        act_past_q   <= act;
        frames_q     <= frames;
        session_q    <= session;
        since_q      <= rst || restart || (|newer && !reset) ? 5'd0 : since_q + (since_q != 5'd16);
    end
    integer i;
    always @* begin
        if (!past) assume (rst);
        for (i = 0; i < 2; i = i + 1)
            if (past && show_q[i]) assume (frames[48*i+:48] == frames_q[48*i+:48]);  // a frame stays for two cycles
    end

    // Contract.
    always @* if (past) begin
        if (rst_q) assert (session == 8'd0);
        else if (restart_q) assert (session == (session_q == 8'd255 ? 8'd1 : session_q + 8'd1));
        else assert (session == session_q || (heard[0] && session == frames_q[10:3]) || (heard[1] && session == frames_q[58:51]));
        assert (rst_q || restart_q || session == session_q || !reset_past_q);
        assert (reset == (since_q != 5'd16));
    end

    // Invariants.
    (* hierconn *) wire [3:0] \dut.left_q ;
    always @* if (past) begin
        assert (since_q <= 5'd16);
        assert (session == session_q || reset);
        if (newer[0]) assert (matches(frames[47:0], 4'd1) && is_newer(frames[10:3], session_q) && frames[47:0] == frames_q[47:0]);
        if (newer[1]) assert (matches(frames[95:48], 4'd0) && is_newer(frames[58:51], session_q) && frames[95:48] == frames_q[95:48]);
        if (since_q != 5'd16) assert (\dut.left_q == 4'd15 - since_q[3:0]);
    end
    always @* begin
        cover (past && !rst_q && !restart_q && session != session_q && session == 8'd3 && session_q == 8'd0);
    end

endmodule
