// SPDX-License-Identifier: Apache-2.0

package collectives

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// choice is a network of several operations. Beside it a machine has a network of each of them alone.
type choice struct {
	rings
	operations []string
	common     string // attributes of all networks
	reductions string // of those that combine words
	oneWord    bool   // the all-reduce is that of one word
}

var everyOperation = collective.Operations()

// choices are networks with operations of one cycle, with as many operations as numbers and with more numbers, with results of all operations, of some
// and of none, with a latency, with links that have registers, and in chunks that take longer than an operation.
var choices = []choice{
	{rings{"3, 1"}, []string{"all-gather", "reduce-scatter"}, "payload_bits = 8\n", "chunk_bits = 8\n", false},
	{rings{"4, 1", "4, 1"}, []string{"all-gather", "reduce-scatter"}, "payload_bits = 8\n", "chunk_bits = 8\n", false},
	{rings{"2, 1"}, everyOperation, "payload_bits = 4\n", "chunk_bits = 4\n", false},
	{rings{"6, 1"}, everyOperation, "payload_bits = 7\n", "chunk_bits = 2\n", false},
	{rings{"5, 1", "3, 1"}, []string{"reduce-scatter", "broadcast", "gather"}, "payload_bits = 4\n", "operator = \"xor\"\nchunk_bits = 4\n", false},
	{rings{"3, 1"}, everyOperation, "payload_bits = 33\n", "chunk_bits = 1\n", false},
	{rings{"4, 1", "2, 1"}, []string{"all-reduce", "all-gather", "reduce-scatter"}, "payload_bits = 4\n", "chunk_bits = 4\n", true},
	{rings{"4, 1", "3, 1"}, []string{"broadcast", "all-reduce"}, "payload_bits = 4\n", "chunk_bits = 4\n", true},
	{rings{"3, 1", "2, 1"}, everyOperation, "payload_bits = 4\n", operator(2), false},
	{rings{"4, 1", "3, 1"}, []string{"all-reduce", "broadcast", "reduce-scatter"}, "payload_bits = 4\n", operator(1), true},
	{rings{"5, 1"}, []string{"all-reduce", "total-exchange", "reduce-scatter"}, "payload_bits = 4\n", operator(0), false},
	{rings{"2, 1"}, []string{"reduce-scatter", "broadcast", "all-reduce"}, "payload_bits = 3\n", operator(2), false},
	{rings{"3, 1, 2", "2, 1"}, everyOperation, "payload_bits = 4\n", "chunk_bits = 4\n", false},
	{rings{"4, 1, 1"}, everyOperation, "payload_bits = 5\n", "chunk_bits = 1\n", false},
	{rings{"3, 1, 1", "2, 1, 3"}, everyOperation, "payload_bits = 4\n", operator(3), false},
	{rings{"4, 1", "3, 1"}, []string{"all-reduce", "reduce-scatter", "all-gather"}, "payload_bits = 5\n", "operator = \"signed_max\"\nchunk_bits = 2\n", false},
	{rings{"4, 1"}, []string{"reduce-scatter", "all-gather", "all-reduce"}, "payload_bits = 1\n", "", false},
	{rings{"8, 2"}, []string{"all-gather", "reduce-scatter", "all-reduce"}, "payload_bits = 3\n", "chunk_bits = 3\n", false},
	{rings{"2, 1", "2, 1", "2, 1"}, everyOperation, "payload_bits = 3\n", "chunk_bits = 3\n", false},
	{rings{"5, 2"}, []string{"gather", "broadcast", "scatter"}, "payload_bits = 3\n", "", false},
}

// operator are the attributes of a reduction with the operator of the tests.
func operator(latency int) string {
	return fmt.Sprintf("operator_module = \"test_operator\"\noperator_latency = %d\n", latency)
}

func (c choice) name() string {
	return strings.ReplaceAll(fmt.Sprintf("%s on %s, %s%s", strings.Join(c.operations, ", "), strings.Join(c.rings, "; "), c.common, c.reductions), "\n", " ")
}

// description is a machine with the network "net" and the networks "alone0" and so on, one for each of its operations.
func (c choice) description() string {
	var b strings.Builder
	dimensions, _, _ := strings.Cut(network{rings: c.rings, operation: "broadcast"}.description(), "  collective ")
	b.WriteString(dimensions)
	add := func(name, key, value string, operations ...string) {
		fmt.Fprintf(&b, "  collective %q {\n    %s = %s\n    %s", name, key, value, c.common)
		if slices.ContainsFunc(operations, collective.Rooted) {
			fmt.Fprintf(&b, "    root = [%s]\n", strings.TrimSuffix(strings.Repeat("1, ", len(c.rings)), ", "))
		}
		if slices.ContainsFunc(operations, collective.Reduces) {
			b.WriteString(c.reductions)
		}
		if c.oneWord && slices.Contains(operations, "all-reduce") {
			b.WriteString("    words = \"one\"\n")
		}
		b.WriteString("  }\n")
	}
	add("net", "operations", strings.ReplaceAll(fmt.Sprintf("%q", c.operations), " ", ", "), c.operations...)
	for i, operation := range c.operations {
		add(fmt.Sprintf("alone%d", i), "operation", fmt.Sprintf("%q", operation), operation)
	}
	return b.String() + "}\n"
}

// write writes the Verilog of all networks into a new folder, and returns the list of the files.
func (c choice) write(t *testing.T) (networks []*plan.Collective, out string, list []string) {
	t.Helper()
	m, _, diags := machine.Load(harness.Text(t, c.description()), nil)
	require.False(t, diags.HasErrors(), diags.Error())
	networks, err := plan.Collectives(m, schedule.ForNetwork)
	require.NoError(t, err)
	files, err := rtl.Files(plan.New(m), networks)
	require.NoError(t, err)
	out = t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(out, "rtl"), 0o755))
	for _, f := range files {
		var b strings.Builder
		require.NoError(t, f.Content(&b))
		require.NoError(t, os.WriteFile(filepath.Join(out, f.Path), []byte(b.String()), 0o644))
		list = append(list, f.Path)
	}
	if networks[0].Operator == "test_operator" {
		list = append(list, "rtl/test_operator.v")
		require.NoError(t, os.WriteFile(filepath.Join(out, "rtl/test_operator.v"), []byte(operatorModule(networks[0].Latency)), 0o644))
	}
	return networks, out, list
}

// aloneBench compares the network "net" with those of its operations alone in every cycle, with starts, resets and words at random.
type aloneBench struct {
	strings.Builder
	net   *plan.Collective
	alone []*plan.Collective
}

// delayed are the outputs that are as many cycles later as the chunks of the network take, also of operations that only copy words.
var delayed = []string{"done", "late", "m_valid", "m_index", "m_data", "m_own_valid", "m_own_data"}

// benchCycles is the number of cycles of a run.
const benchCycles = 1500

func newAloneBench(networks []*plan.Collective) string {
	b := &aloneBench{net: networks[0], alone: networks[1:]}
	b.line("`timescale 1ns / 1ns")
	b.line("module later #(parameter WIDTH = 1, parameter CYCLES = 0) (input clk, input rst, input [WIDTH-1:0] value, output [WIDTH-1:0] word);")
	b.line("    reg  [CYCLES*WIDTH:0] words_q;")
	b.line("    wire [(CYCLES+1)*WIDTH-1:0] words = {words_q, value};")
	b.line("    always @(posedge clk) words_q <= rst ? 0 : words;")
	b.line("    assign word = words[CYCLES*WIDTH+:WIDTH];")
	b.line("endmodule")
	b.line("module bench;")
	b.line("    always #1 clk = !clk;\n    integer cycle = 0, faults = 0, j;\n    integer done_of[0:%d], late_of[0:%d];", len(b.alone)-1, len(b.alone)-1)
	for _, w := range b.net.Wires() {
		if w.Output {
			b.line("    wire [%d:0] %s;", w.Width()-1, w.Name)
		} else {
			b.line("    reg [%d:0] %s = 0;", w.Width()-1, w.Name)
		}
	}
	b.instance(b.net, func(name string) string { return name })
	for i, c := range b.alone {
		b.operation(i, c)
	}
	b.line("    always @(posedge clk) begin\n        cycle <= cycle + 1;")
	for _, w := range b.net.Wires() {
		if !w.Output {
			b.drive(w)
		}
	}
	b.line("        if (cycle > 8) begin")
	b.compare()
	b.line("        end\n        if (cycle == %d || faults > 9) begin", benchCycles)
	for i := range b.alone {
		b.line("            $display(\"%s: %%0d done, %%0d late\", done_of[%d], late_of[%d]);", b.alone[i].Operation(), i, i)
	}
	b.line("            $display(\"%%0d faults\", faults);\n            $finish;\n        end\n    end")
	b.line("    initial for (j = 0; j < %d; j = j + 1) begin\n        done_of[j] = 0;\n        late_of[j] = 0;\n    end\nendmodule", len(b.alone))
	return b.String()
}

func (b *aloneBench) line(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }

// has reports whether a network has a port.
func has(c *plan.Collective, name string) bool {
	return slices.ContainsFunc(c.Wires(), func(w plan.Wire) bool { return w.Name == name })
}

// instance is a network whose ports are connected to these wires.
func (b *aloneBench) instance(c *plan.Collective, wire func(name string) string) {
	var list []string
	for _, w := range c.Wires() {
		list = append(list, fmt.Sprintf(".%s(%s)", w.Name, wire(w.Name)))
	}
	b.line("    %s %s (%s);", c.NetworkModule, c.Name, strings.Join(list, ", "))
}

// operation is the network of an operation alone. It starts if net is ready, and the operation chosen.
func (b *aloneBench) operation(i int, c *plan.Collective) {
	output := map[string]bool{}
	for _, w := range c.Wires() {
		if output[w.Name] = w.Output; !w.Output {
			continue
		}
		raw, cycles := fmt.Sprintf("%s_%s", c.Name, w.Name), 0
		if slices.Contains(delayed, w.Name) {
			cycles = b.net.Skew - c.Skew
		}
		b.line("    wire [%d:0] raw_%s, %s;", w.Width()-1, raw, raw)
		b.line("    later #(%d, %d) later_%s (clk, rst, raw_%s, %s);", w.Width(), cycles, raw, raw, raw)
	}
	relation := "=="
	if i == len(b.alone)-1 {
		relation = ">="
	}
	b.line("    wire %s_chosen = operation %s %d;", c.Name, relation, i)
	b.line("    wire %s_shows = ready ? %s_chosen : !%s_ready;", c.Name, c.Name, c.Name) // its requests are those of net
	b.instance(c, func(name string) string {
		switch {
		case name == "start":
			return fmt.Sprintf("start & ready & %s_chosen", c.Name)
		case output[name]:
			return fmt.Sprintf("raw_%s_%s", c.Name, name)
		}
		return name
	})
}

// drive gives an input its next value. Words are late now and then, and operations follow one another at once now and then.
func (b *aloneBench) drive(w plan.Wire) {
	switch {
	case w.Name == "clk":
	case w.Name == "rst":
		b.line("        rst <= cycle < 4 || $urandom %% 256 == 0;")
	case w.Name == "start":
		b.line("        start <= cycle[7] | $urandom;")
	case strings.HasSuffix(w.Name, "_valid"):
		b.line("        for (j = 0; j < %d; j = j + 1) %s[j] <= cycle[9] | $urandom %% 8 != 0;", w.Width(), w.Name)
	default:
		b.line("        for (j = 0; j < %d; j = j + 32) %s[j+:32] <= $urandom;", w.Width(), w.Name)
	}
}

// either is a port of any of the operations.
func (b *aloneBench) either(name string, more func(c *plan.Collective) string) string {
	list := []string{"1'b0"}
	for _, c := range b.alone {
		if has(c, name) {
			list = append(list, fmt.Sprintf("%s_%s%s", c.Name, name, more(c)))
		}
	}
	return strings.Join(list, " | ")
}

// compare compares all outputs of the network.
func (b *aloneBench) compare() {
	differs := func(what, is, should string) {
		b.line("            if (%s !== (%s)) begin\n                faults = faults + 1;\n                $display(\"cycle %%0d: %s\", cycle);\n            end", is, should, what)
	}
	plain := func(*plan.Collective) string { return "" }
	var ready []string
	for i, c := range b.alone {
		ready = append(ready, c.Name+"_ready")
		b.line("            if (%s_done) done_of[%d] = done_of[%d] + 1;\n            if (|%s_late) late_of[%d] = late_of[%d] + 1;", c.Name, i, i, c.Name, i, i)
	}
	differs("ready", "ready", strings.Join(ready, " & "))
	for _, name := range []string{"done", "late", "m_valid", "m_own_valid"} {
		if has(b.net, name) {
			differs(name, name, b.either(name, plain))
		}
	}
	if has(b.net, "s_request") {
		differs("s_request", "s_request", b.either("s_request", func(c *plan.Collective) string {
			return fmt.Sprintf(" & {%d{%s_shows}}", b.net.Nodes*b.net.Degree, c.Name)
		}))
	}
	for _, word := range []struct{ valid, name string }{
		{"s_request", "s_index"}, {"m_valid", "m_index"}, {"m_valid", "m_data"}, {"m_own_valid", "m_own_data"},
	} {
		for _, c := range b.alone {
			for _, w := range c.Wires() {
				if w.Name != word.name {
					continue
				}
				shows, lane := "", fmt.Sprintf("[j*%d+:%d]", w.Bits, w.Bits)
				if word.valid == "s_request" {
					shows = fmt.Sprintf(" && %s_shows", c.Name)
				}
				b.line("            for (j = 0; j < %d; j = j + 1) if (%s_%s[j]%s) begin", w.Lanes, c.Name, word.valid, shows)
				differs(word.name+" of "+c.Operation(), word.name+lane, c.Name+"_"+word.name+lane)
				b.line("            end")
			}
		}
	}
}

// run simulates the bench and returns what it prints.
func (c choice) run(t *testing.T, networks []*plan.Collective, out string, list []string) string {
	t.Helper()
	needs.Tools(t, "iverilog", "vvp")
	require.NoError(t, os.WriteFile(filepath.Join(out, "bench.sv"), []byte(newAloneBench(networks)), 0o644))
	require.Empty(t, output(t, out, append([]string{"iverilog", "-g2012", "-s", "bench", "-o", "bench.vvp", "bench.sv"}, list...)...))
	return output(t, out, "vvp", "-n", "bench.vvp")
}

// A network of several operations does in each of them what the network of that operation alone does. A short run has the first network.
func TestNetworksOfSeveralOperationsDoWhatThoseOfEachDo(t *testing.T) {
	for i, c := range choices {
		t.Run(c.name(), func(t *testing.T) {
			if i > 0 {
				needs.Time(t)
			}
			networks, out, list := c.write(t)
			text := c.run(t, networks, out, list)
			assert.Contains(t, text, "\n0 faults\n")
			for _, operation := range c.operations {
				assert.Regexp(t, operation+`: [1-9]\d* done, [1-9]\d* late`, text, "each operation ends, and has late words")
			}
		})
	}
}

// The bench finds a node that does not know the operation that starts, or that takes its result for that of the one before, own words
// and results of operations that have none, and numbers that do not go with the steps.
func TestBenchOfSeveralOperationsFindsFaults(t *testing.T) {
	needs.Time(t)
	c := choice{rings{"4, 1"}, []string{"all-gather", "reduce-scatter", "all-reduce"}, "payload_bits = 4\n", "chunk_bits = 4\n", false}
	for name, fault := range map[string]struct{ from, to, finds string }{
		"requests of the operation before":           {"always @* begin\n        case (at)", "always @* begin\n        case (count)", "s_request"},
		"selects of the operation before":            {"always @(posedge clk) begin\n        case (at)", "always @(posedge clk) begin\n        case (count)", "m_own_data of reduce-scatter"},
		"a result of the operation that starts":      {"case (count)\n            4'd10: begin  // result", "case (at)\n            4'd10: begin  // result", "m_own_data of all-reduce"},
		"own words of each operation":                {"start & (at == 4'd3 | at == 4'd6)", "start & ready", "late"},
		"a result of an operation without results":   {"4'd5: result <= 1'b1;", "4'd2: result <= 1'b1;", "m_own_valid"},
		"a first number that is too high":            {"{4'd6, 4'd3, 4'd0}", "{4'd7, 4'd3, 4'd0}", "s_request"},
		"a last number that is too low":              {"{4'd10, 4'd5, 4'd2}", "{4'd9, 4'd5, 4'd2}", "ready"},
		"words that are delivered a step too early":  {"4'd9: begin  // all-reduce, step 3\n                delivery ", "4'd8: begin  // all-reduce, step 3\n                delivery ", "m_valid"},
		"words that one operation takes from others": {"4'd7: begin  // all-reduce, step 2\n                register0_select", "4'd5: begin  // all-reduce, step 2\n                register0_select", "m_data of all-reduce"},
	} {
		t.Run(name, func(t *testing.T) {
			networks, out, list := c.write(t)
			path := filepath.Join(out, "rtl", networks[0].NodeModule(0)+".v")
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, 1, strings.Count(string(text), fault.from), "the fault has one place")
			require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(text), fault.from, fault.to, 1)), 0o644))
			assert.Contains(t, c.run(t, networks, out, list), ": "+fault.finds)
		})
	}
}

// Verilator, Yosys and Icarus Verilog accept every network of several operations without a warning. A short run has the first network.
func TestNetworksOfSeveralOperationsAreClean(t *testing.T) {
	needs.Tools(t, "verilator", "yosys", "iverilog")
	for i, c := range choices {
		t.Run(c.name(), func(t *testing.T) {
			if i > 0 {
				needs.Time(t)
			}
			networks, out, list := c.write(t)
			top, files := networks[0].NetworkModule, strings.Join(list, " ")
			for _, command := range []string{
				"verilator --lint-only -Wall --language 1364-2005 --top-module " + top + " " + files,
				"verilator --lint-only -Wall --top-module " + top + " " + files,
				"iverilog -g2005 -Wall -t null -s " + top + " " + files,
			} {
				assert.Empty(t, output(t, out, strings.Fields(command)...), command)
			}
			assert.Empty(t, output(t, out, "yosys", "-q", "-p", fmt.Sprintf("read_verilog %s; hierarchy -check -top %s; proc; check -assert", files, top)))
		})
	}
}

// output is what a program prints.
func output(t *testing.T, dir string, command ...string) string {
	t.Helper()
	run := exec.Command(command[0], command[1:]...)
	run.Dir = dir
	text, err := run.CombinedOutput()
	assert.NoError(t, err)
	return string(text)
}
