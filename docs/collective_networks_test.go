// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
)

// machineOf is the 4x4 torus with a collective network.
func machineOf(block string) string {
	return `machine "torus4x4" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  dimension "y" {
    m   = 4
    rho = 1
  }
  routers = false
  collective ` + block + `
}
`
}

// shown is the Verilog of the page that begins with some words.
func shown(t *testing.T, p page, begin string) string {
	t.Helper()
	for _, f := range p.fences {
		if f.is("verilog") && strings.HasPrefix(f.text, begin) {
			return f.text
		}
	}
	require.FailNow(t, "the page does not show "+begin)
	return ""
}

// simulated is what a bench prints with the network of a machine.
func simulated(t *testing.T, p page, machine, bench string) string {
	t.Helper()
	s := newSession(t, p)
	s.write("machine.hcl", machine)
	s.succeed("hcgen -c machine.hcl -o out")
	s.write("bench.v", bench)
	sources, err := filepath.Glob(filepath.Join(s.dir, "out/rtl/*.v"))
	require.NoError(t, err)
	program := filepath.Join(s.dir, "bench")
	text, err := exec.Command("iverilog", append([]string{"-g2005", "-Wall", "-Wno-timescale", "-I", s.dir, "-s", "bench", "-o", program, filepath.Join(s.dir, "bench.v")}, sources...)...).CombinedOutput()
	require.NoError(t, err, string(text))
	text, err = exec.Command("vvp", "-n", program).CombinedOutput()
	require.NoError(t, err, string(text))
	return string(text)
}

// Node n finishes BUSY cycles after a start or a reset, but node 5 in the second operation LATE cycles after it, later than the next
// start. Its part is in time for the fourth. A reset ends operation CUT and all whose results are on their way.
const sumBench = `module bench;
    reg clk = 1'b0, rst = 1'b1;
    wire ready, done;
    wire [15:0] late, s_own_valid, m_own_valid;
    wire [511:0] s_own_data, m_own_data, totals;
    wire [15:0] part_starts;

    COUNTER
    FAILED

    torus4x4__sum_network sum (.clk(clk), .rst(rst), .start(start), .ready(ready), .done(done), .s_own_data(s_own_data),
        .s_own_valid(s_own_valid), .late(late), .m_own_valid(m_own_valid), .m_own_data(m_own_data));

    integer number = 0;  // of operations that were started
    integer dones = 0;   // of operations that are done, or were ended by a reset
    genvar n;
    generate
        for (n = 0; n < 16; n = n + 1) begin : node
            reg [5:0] busy;
            wire finished = busy == 6'd1;
            wire [31:0] result = 100 * number + n;

            SUM

            assign totals[n*32+:32] = total;
            assign part_starts[n] = started;
            always @(posedge clk) begin
                if (rst | start) busy <= n == 5 && number == 1 ? 6'dLATE : BUSY;
                else if (busy != 6'd0) busy <= busy - 6'd1;
                // node 5 does not begin again before it has finished
                if (n == 5 && start && number == 2) busy <= busy - 6'd1;
            end
        end
    endgenerate

    always #1 clk = !clk;

    integer k;
    reg [31:0] want, expected[0:31];
    reg was_done = 1'b0, was_good = 1'b0;
    always @(posedge clk) begin
        if (start & ready & !rst) number <= number + 1;
        want = 32'd0;
        for (k = 0; k < 16; k = k + 1) want = want + s_own_data[k*32+:32];
        if (part_starts[0]) expected[number-1] <= want;
        was_done <= done & !rst;
        was_good <= good & !rst;
        if (was_done) $display("operation %0d: good %b, right %b", dones + 1, was_good, !was_good | totals === {16{expected[dones]}});
        if (|late & !rst) $display("operation %0d: late %h", dones + 1 + was_done, late);
        if (rst) dones <= number;
        else if (was_done) dones <= dones + 1;
    end

    initial begin
        repeat (3) @(negedge clk);
        rst = 1'b0;
        wait (number == CUT);
        repeat (2) @(negedge clk);
        rst = 1'b1;
        @(negedge clk);
        rst = 1'b0;
        $display("reset, ready %b", ready);
        wait (dones == CUT + 2);
        $finish;
    end
endmodule
`

// The nodes of the page that add up a word of each, started by its counter, with its register for late words. In chunks of 4 bits, results
// are on their way for 7 cycles. The counter starts an operation in every period, 8 cycles before the one before is done.
func TestSumAndCounterShownAreRight(t *testing.T) {
	needs.Tools(t, "iverilog", "vvp")
	p := read(t, "collective-networks.md")
	sum := "\"sum\" {\n    operation    = \"all-reduce\"\n    operator     = \"add\"\n    words        = \"one\"\n    payload_bits = 32\n    chunk_bits   = %d\n  }"
	counter := shown(t, p, "localparam [4:0] CYCLES")
	for _, c := range []struct {
		name             string
		chunk            int
		cycles           string
		busy, late       string
		cut              int
		before, at, done string
	}{
		{"whole words", 32, "5'd19", "n / 2 + 3", "25", 5, "", "6", "7"},
		{"chunks", 4, "5'd4", "n % 3 + 2", "7", 8, "operation 5: good 1, right 1\n", "9", "10"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Contains(t, counter, "5'd19")
			bench := strings.NewReplacer("COUNTER", strings.Replace(counter, "5'd19", c.cycles, 1), "FAILED", shown(t, p, "reg  failed;"), "SUM", shown(t, p, "reg  [31:0] part;"),
				"BUSY", c.busy, "LATE", c.late, "CUT", fmt.Sprint(c.cut)).Replace(sumBench)
			printed := simulated(t, p, machineOf(fmt.Sprintf(sum, c.chunk)), bench)
			assert.Equal(t, `operation 1: good 1, right 1
operation 2: good 1, right 1
operation 3: late 0020
operation 3: good 0, right 1
operation 4: good 1, right 1
`+c.before+`reset, ready 1
operation `+c.at+`: good 1, right 1
operation `+c.done+`: good 1, right 1
`, printed)
		})
	}
}

// Each node gives node t the word 1000 o + n + 16 t in operation o. The registers of the page say in each cycle which operation it is.
const turnsBench = `module adder #(parameter integer W = 32) (
    input wire clk, input wire [W-1:0] a, input wire [W-1:0] b, output reg [W-1:0] y);
    always @(posedge clk) y <= a + b;
endmodule

module bench;
    ` + "`" + `include "out/integration/torus4x4.vh"
    reg clk = 1'b0, rst = 1'b1, start = 1'b0;
    wire ready, done;
    wire [15:0] late, m_own_valid;
    wire [63:0] s_request, m_valid;
    wire [255:0] s_index, m_index;
    reg  [255:0] index_q;
    reg  [2047:0] s_data;
    reg  [511:0] s_own_data;
    wire [2047:0] m_data;
    wire [511:0] m_own_data;

    TURNS

    torus4x4__sum_network sum (.clk(clk), .rst(rst), .start(start), .ready(ready), .done(done), .s_request(s_request), .s_index(s_index),
        .s_data(s_data), .s_valid({64{1'b1}}), .s_own_data(s_own_data), .s_own_valid(16'hffff), .late(late), .m_valid(m_valid),
        .m_index(m_index), .m_data(m_data), .m_own_valid(m_own_valid), .m_own_data(m_own_data));

    function [3:0] other(input [3:0] node, input [3:0] i);
        other = {node[3:2] + i[3:2], node[1:0] + i[1:0]};
    endfunction

    always #2 clk = !clk;
    integer n, l, cycle, started = 0, delivered = 0, results = 0, wrong = 0;
    always @(posedge clk) index_q <= s_index;
    always @* begin
        for (l = 0; l < 64; l = l + 1) s_data[l*32+:32] = 1000 * given + l / 4 + 16 * other(l / 4, index_q[l*4+:4]);
        for (n = 0; n < 16; n = n + 1) s_own_data[n*32+:32] = 1000 * given + n + 16 * n;
    end
    initial begin
        repeat (3) @(negedge clk);
        rst = 1'b0;
        for (cycle = 0; cycle < 200; cycle = cycle + 1) begin
            start = cycle < 150 && cycle % 23 < 15;
            #1;
            if (start & ready) started = started + 1;
            for (l = 0; l < 64; l = l + 1) if (m_valid[l]) begin
                delivered = delivered + 1;
                if (m_data[l*32+:32] !== 16000 * ended + 120 + 256 * other(l / 4, m_index[l*4+:4])) wrong = wrong + 1;
            end
            for (n = 0; n < 16; n = n + 1) if (m_own_valid[n]) begin
                results = results + 1;
                if (m_own_data[n*32+:32] !== 16000 * ended + 120 + 256 * n) wrong = wrong + 1;
            end
            @(negedge clk);
        end
        $display("%0d operations, %0d turns, %0d words, %0d results, %0d wrong", started, TURNS, delivered, results, wrong);
        $finish;
    end
endmodule
`

// The shift register of the page says to which operation words belong. All operations that start end.
func TestTurnsShownAreRight(t *testing.T) {
	needs.Tools(t, "iverilog", "vvp")
	p := read(t, "collective-networks.md")
	sum := "\"sum\" {\n    operation        = \"all-reduce\"\n    operator_module  = \"adder\"\n    operator_latency = 1\n    pipelined        = true\n    payload_bits     = 32\n  }"
	bench := strings.Replace(turnsBench, "TURNS\n", shown(t, p, "localparam integer TURNS")+"\n", 1)
	assert.Equal(t, "20 operations, 4 turns, 4800 words, 320 results, 0 wrong\n", simulated(t, p, machineOf(sum), bench))
}
