// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
)

const mailboxMachine = `machine "torus4x4" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
  routers = false
  collective "mailed" {
    operation    = "OPERATION"
    payload_bits = 32
  }
}
`

// The word that node n writes at index i is {n, n + i}, digit by digit. So a node receives at index i {n + i, n} in a total exchange,
// and {n + i, n + i}, what that node wrote at index 0, in an all-gather.
const mailboxBench = `module bench;
    reg clk = 1'b0, rst = 1'b1, start = 1'b0, write = 1'b0;
    reg [3:0] index = 4'd0;
    wire ready, done;
    wire [63:0] s_request, s_valid, m_valid;
    wire [255:0] s_index, m_index;
    wire [2047:0] s_data, m_data;
    wire [15:0] late, wrong;

    torus4x4_mailed_network network (.clk(clk), .rst(rst), .start(start), .ready(ready), .done(done), .s_request(s_request),
        .s_index(s_index), .s_data(s_data), .s_valid(s_valid), .late(late), .m_valid(m_valid), .m_index(m_index), .m_data(m_data));

    function [3:0] plus(input [3:0] a, input [3:0] b);
        plus = {a[3:2] + b[3:2], a[1:0] + b[1:0]};
    endfunction

    genvar n;
    generate
        for (n = 0; n < 16; n = n + 1) begin : node
            wire [31:0] read_data;
            localparam [3:0] ADDRESS = n;
            wire [3:0] other = plus(ADDRESS, index);
            mailbox mailbox (.clk(clk), .write(write), .write_index(index), .write_data({24'd0, ADDRESS, other}), .read_index(index),
                .read_data(read_data), .s_request(s_request[n*4+:4]), .s_index(s_index[n*16+:16]), .s_data(s_data[n*128+:128]),
                .s_valid(s_valid[n*4+:4]), .m_valid(m_valid[n*4+:4]), .m_index(m_index[n*16+:16]), .m_data(m_data[n*128+:128]));
            assign wrong[n] = read_data !== {24'd0, other, RECEIVED};
        end
    endgenerate

    always #1 clk = !clk;

    integer i, errors = 0, done_cycles = 0;
    always @(posedge clk) begin
        if (late !== 16'd0 && !rst) errors = errors + 1;
        if (done) done_cycles = done_cycles + 1;
    end

    initial begin
        repeat (3) @(negedge clk);
        rst = 1'b0;
        write = 1'b1;
        for (i = 0; i < 16; i = i + 1) begin
            index = i;
            @(negedge clk);
        end
        write = 1'b0;
        start = 1'b1;
        @(negedge clk);
        start = 1'b0;
        repeat (20) @(negedge clk);
        for (i = 1; i < 16; i = i + 1) begin
            index = i;
            #0.1 if (wrong !== 16'd0) errors = errors + 1;
        end
        $display("errors: %0d, done: %0d", errors, done_cycles);
        $finish;
    end
endmodule
`

// The mailbox of the page carries out both operations that it is for.
func TestMailboxShownIsRight(t *testing.T) {
	needs.Tools(t, "iverilog", "vvp")
	p := read(t, "collective-networks.md")
	var mailbox string
	for _, f := range p.fences {
		if f.is("verilog") && strings.HasPrefix(f.text, "module mailbox ") {
			mailbox = f.text
		}
	}
	require.NotEmpty(t, mailbox)
	for operation, received := range map[string]string{"all-gather": "other", "total-exchange": "ADDRESS"} {
		s := newSession(t, p)
		s.write("machine.hcl", strings.Replace(mailboxMachine, "OPERATION", operation, 1))
		s.succeed("hcgen -c machine.hcl -o out")
		s.write("bench.v", mailbox+strings.Replace(mailboxBench, "RECEIVED", received, 1))
		sources, err := filepath.Glob(filepath.Join(s.dir, "out/rtl/*.v"))
		require.NoError(t, err)
		program := filepath.Join(s.dir, "bench")
		text, err := exec.Command("iverilog", append([]string{"-g2005", "-Wall", "-Wno-timescale", "-s", "bench", "-o", program, filepath.Join(s.dir, "bench.v")}, sources...)...).CombinedOutput()
		require.NoError(t, err, string(text))
		text, err = exec.Command("vvp", "-n", program).CombinedOutput()
		require.NoError(t, err, string(text))
		assert.Contains(t, string(text), "errors: 0, done: 1\n", operation)
	}
}
