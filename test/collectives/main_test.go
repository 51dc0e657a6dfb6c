// SPDX-License-Identifier: Apache-2.0

// Package collectives checks the hardware of collective networks against the definition of their operations.
package collectives

import (
	"fmt"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// rings is "m, rho" of each dimension of a machine, or "m, rho, registers" if its links have registers on the way.
type rings []string

// network is a collective network to be generated, by the attributes of its block.
type network struct {
	rings
	operation  string // or several, in the order of their numbers, with commas between
	attributes string // lines
}

// list is that of the operations.
func (n network) list() []string { return strings.Split(n.operation, ", ") }

// oneLane is the attribute of a network whose schedule is of one lane.
const oneLane = "schedule = \"one.json\"\n"

// oneWord stands for the all-reduce of one word per node.
const oneWord = "all-reduce of one word"

var operations = []string{"broadcast", "all-gather", "scatter", "gather", "total-exchange", "reduce-scatter", "all-reduce", oneWord}

func reduces(operation string) bool { return strings.Contains(operation, "reduce") }

// description is a machine with the network alone.
func (n network) description() string {
	var b strings.Builder
	b.WriteString("machine \"m\" {\n  routers = false\n")
	for i, d := range n.rings {
		part := strings.Split(d, ", ")
		link := ""
		if len(part) > 2 {
			link = fmt.Sprintf("    link {\n      kind = \"wires\"\n      registers = %s\n    }\n", part[2])
		}
		fmt.Fprintf(&b, "  dimension \"d%d\" {\n    m   = %s\n    rho = %s\n%s  }\n", i, part[0], part[1], link)
	}
	fmt.Fprintf(&b, "%s}\n", n.block("net"))
	return b.String()
}

// block is the one of the network, with a name.
func (n network) block(name string) string {
	operation, words := fmt.Sprintf("operation = %q\n", n.operation), ""
	if list := n.list(); len(list) > 1 {
		operation = fmt.Sprintf("operations = [\"%s\"]\n", strings.Join(list, `", "`))
	}
	if strings.Contains(operation, oneWord) {
		operation, words = strings.Replace(operation, oneWord, "all-reduce", 1), "words = \"one\"\n"
	}
	return fmt.Sprintf("  collective %q {\n    %s    %s%s\n  }\n", name, operation, words, n.attributes)
}

// writeSchedule writes a schedule of one lane beside the description of the network.
func (n network) writeSchedule(t *testing.T, config string) {
	t.Helper()
	n.attributes = strings.Replace(n.attributes, oneLane, "", 1)
	m, _, diags := machine.Load(harness.Text(t, n.description()), nil)
	require.False(t, diags.HasErrors(), diags.Error())
	c := m.Collectives[0]
	s, err := schedule.Make(m.Graph, schedule.Request{Operation: c.Operation, Root: c.Root, Algorithm: "streaming", OneLane: true})
	require.NoError(t, err)
	f, err := os.Create(filepath.Join(filepath.Dir(config), "one.json"))
	require.NoError(t, err)
	require.NoError(t, s.WriteJSON(f, m.Name))
	require.NoError(t, f.Close())
}

// generate writes the network into a new folder. If the operator is a module, the folder has one.
func (n network) generate(t *testing.T) (*plan.Collective, string) {
	t.Helper()
	config := harness.Text(t, n.description())
	if strings.Contains(n.attributes, oneLane) {
		n.writeSchedule(t, config)
	}
	m, out := harness.Generate(t, config, nil)
	c, err := plan.NewCollective(m, m.Collectives[0], schedule.ForNetwork)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(out, "rtl/test_operator.v"), []byte(operatorModule(c.Latency)), 0o644))
	return c, out
}

// operatorModule adds its operands and 7, after a number of cycles.
func operatorModule(latency int) string {
	var b strings.Builder
	b.WriteString("`default_nettype none\nmodule test_operator #(parameter integer W = 32) (\n" +
		"    input wire clk, input wire [W-1:0] a, input wire [W-1:0] b, output wire [W-1:0] y);\n" +
		"    localparam [31:0] SEVEN = 32'd7;\n    wire [W+31:0] more = {{W{1'b0}}, SEVEN};\n    wire unused = &{1'b0, clk, more};\n" +
		"    wire [W-1:0] y0 = a + b + more[W-1:0];\n")
	for i := range latency {
		fmt.Fprintf(&b, "    reg [W-1:0] y%d;\n    always @(posedge clk) y%d <= y%d;\n", i+1, i+1, i)
	}
	fmt.Fprintf(&b, "    assign y = y%d;\nendmodule\n`default_nettype wire\n", latency)
	return b.String()
}

// config is what the bench has to know, in C++.
func config(n network, c *plan.Collective) string {
	var b strings.Builder
	for name, is := range map[string]bool{"REQUESTS": c.Requests(), "OWN": c.HasOwn(), "DELIVERS": c.Delivers(), "RESULT": c.HasResult()} {
		if is {
			fmt.Fprintf(&b, "#define %s\n", name)
		}
	}
	b.WriteString("struct Ring { int m, bits; };\nconstexpr Ring RINGS[] = {")
	for i, width := range c.IndexFields {
		fmt.Fprintf(&b, "{%d, %d}, ", c.Graph.Dimension(i+1).M, width)
	}
	operator := len(machine.Operators)
	for i, name := range machine.Operators {
		if name == c.Operator {
			operator = i
		}
	}
	fmt.Fprintf(&b, "};\nconstexpr int N = %d, D = %d, WIDTH = %d, A = %d, ROOT = %d, TURNS = %d, SKEW = %d, OPERATOR = %d;\n",
		c.Nodes, c.Degree, c.PayloadBits, c.IndexBits, c.Collective.Root, c.Turns, c.Skew, operator)
	if c.Vector > 0 {
		fmt.Fprintf(&b, "constexpr int V = %d, B = %d;\n", c.Vector, max(1, bits.Len(uint(c.Vector-1))))
		switch n.operation {
		case "scatter", "total-exchange", "reduce-scatter", "all-reduce":
			b.WriteString("#define W_INDEX\n")
		}
		switch n.operation {
		case "all-gather", "gather", "total-exchange", "all-reduce":
			b.WriteString("#define R_INDEX\n")
		}
	}
	if c.Several() {
		fmt.Fprintf(&b, "#define OPERATION_BITS %d\n", bits.Len(uint(len(c.Schedules)-1)))
	}
	var timings []string
	for i, s := range c.Schedules {
		fmt.Fprintf(&b, "constexpr int TIMES%d[] = {%s};\n", i, strings.Trim(strings.ReplaceAll(fmt.Sprint(s.Times), " ", ", "), "[]"))
		timings = append(timings, fmt.Sprintf("{%d, %d, %d, TIMES%d}", slices.Index(operations, n.list()[i]), s.Steps, s.Period, i))
	}
	fmt.Fprintf(&b, "struct Timing {\n  int kind, steps, period;\n  const int* times;\n};\nconstexpr Timing OPERATIONS[] = {%s};\n",
		strings.Join(timings, ", "))
	return b.String()
}

// simulate runs a bench of testdata on a module of the Verilog in a folder and returns what it prints. The error is that of a
// network that differs from the definition.
func simulate(t *testing.T, n network, c *plan.Collective, out, module, source string) (string, error) {
	t.Helper()
	needs.Tools(t, "verilator", "g++")
	bench, err := filepath.Abs(filepath.Join("testdata", source))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(out, "config.h"), []byte(config(n, c)), 0o644))
	build := exec.Command("verilator", "-Wall", "--cc", "--exe", "--build", "--x-assign", "unique", "--x-initial", "unique",
		"-CFLAGS", "-std=c++17 -O0 -I"+out, "-MAKEFLAGS", "VM_PARALLEL_BUILDS=0 OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0", "--output-split", "0",
		"--prefix", "Vnetwork", "--top-module", module, "-Mdir", "build", "-f", "filelist.f", bench)
	build.Dir = out
	text, err := build.CombinedOutput()
	require.NoError(t, err, string(text))
	run := exec.Command(filepath.Join(out, "build/Vnetwork"))
	text, err = run.CombinedOutput()
	return string(text), err
}
