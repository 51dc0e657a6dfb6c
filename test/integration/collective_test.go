// SPDX-License-Identifier: Apache-2.0

package integration

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// operations are collective networks of all kinds, in odd widths, with all operators, in chunks and in whole words, by name.
var operations = map[string]struct {
	block string
	words string // that the network delivers, and results
}{
	"gossip": {"operation = \"all-gather\"", "30 words"},
	"total":  {"operation = \"total-exchange\"\n payload_bits = 40", "30 words"},
	"deal":   {"operation = \"scatter\"\n root = [1, 2]\n payload_bits = 33", "5 words"},
	"fetch":  {"operation = \"gather\"\n root = [0, 1]", "5 words"},
	"news":   {"operation = \"broadcast\"\n root = [1, 0]\n payload_bits = 1", "5 words"},
	"sums":   {"operation = \"reduce-scatter\"\n payload_bits = 7\n chunk_bits = 2", "0 words and 6 results"},
	"most":   {"operation = \"all-reduce\"\n operator = \"max\"\n chunk_bits = 8", "30 words and 6 results"},
	"least":  {"operation = \"all-reduce\"\n words = \"one\"\n operator = \"min\"", "0 words and 6 results"},
	"both":   {"operation = \"all-reduce\"\n words = \"one\"\n operator = \"and\"", "0 words and 6 results"},
	"any":    {"operation = \"reduce-scatter\"\n operator = \"or\"\n payload_bits = 5", "0 words and 6 results"},
	"parity": {"operation = \"all-reduce\"\n operator = \"xor\"\n payload_bits = 64\n chunk_bits = 3", "30 words and 6 results"},
	"lowest": {"operation = \"reduce-scatter\"\n operator = \"signed_min\"\n payload_bits = 6", "0 words and 6 results"},
	"top":    {"operation = \"all-reduce\"\n operator = \"signed_max\"\n payload_bits = 5", "30 words and 6 results"},
	"mine":   {"operation = \"all-reduce\"\n operator_module = \"my_add\"\n operator_latency = 2", "30 words and 6 results, whose values only the operator knows"},
	"turns":  {"operation = \"all-reduce\"\n words = \"one\"\n operator_module = \"my_add\"\n operator_latency = 2\n pipelined = true", "0 words and 6 results, whose values only the operator knows"},
}

// choices are networks of several operations, and what their benches say of each.
var choices = map[string]struct {
	block string
	says  []string
}{
	"pair": {"operations = [\"all-gather\", \"reduce-scatter\"]\n payload_bits = 9\n chunk_bits = 4", []string{
		"all-gather: the network delivered 30 words", "reduce-scatter: the network delivered 0 words and 6 results",
	}},
	"root": {"operations = [\"broadcast\", \"scatter\", \"gather\"]\n root = [1, 1]", []string{
		"broadcast: the network delivered 5 words", "scatter: the network delivered 5 words", "gather: the network delivered 5 words",
	}},
	"word": {"operations = [\"all-reduce\", \"total-exchange\", \"reduce-scatter\"]\n operator = \"xor\"\n words = \"one\"", []string{
		"all-reduce: the network delivered 0 words and 6 results", "total-exchange: the network delivered 30 words",
		"reduce-scatter: the network delivered 0 words and 6 results",
	}},
	"ours": {"operations = [\"all-reduce\", \"all-gather\"]\n operator_module = \"my_add\"\n operator_latency = 2", []string{
		"all-reduce: the network delivered 30 words and 6 results, whose values only the operator knows", "all-gather: the network delivered 30 words",
	}},
}

// ownOperator is the module of the networks mine, turns and ours.
const ownOperator = `module my_add #(parameter integer W = 32) (input wire clk, input wire [W-1:0] a, input wire [W-1:0] b, output wire [W-1:0] y);
    reg [W-1:0] first, second;
    assign y = second;
    always @(posedge clk) begin
        first  <= a + b;
        second <= first;
    end
endmodule
`

// withBarrier are the blocks of routers with a barrier.
const withBarrier = "message {\n payload_bits = 8\n }\nrouter {\n barrier = true\n }\n"

// collectives is a machine with these networks, with routers and a barrier or without routers.
func collectives(t *testing.T, name string, routers bool, changed func(string) string) folder {
	t.Helper()
	blocks := ""
	if routers {
		blocks = withBarrier
	}
	return beside(t, name, blocks, changed)
}

// beside is a machine with these networks beside the routers of other blocks, or without routers if there are no blocks.
func beside(t *testing.T, name, others string, changed func(string) string) folder {
	t.Helper()
	var blocks strings.Builder
	blocks.WriteString(others)
	before := ""
	if others == "" {
		before = "routers = false"
	}
	for operation, o := range operations {
		fmt.Fprintf(&blocks, "collective %q {\n %s\n }\n", operation, o.block)
	}
	for name, c := range choices {
		fmt.Fprintf(&blocks, "collective %q {\n %s\n }\n", name, c.block)
	}
	f := generated(t, changed(description(name, before, blocks.String())))
	f.write(t, "rtl/my_add.v", ownOperator)
	return f
}

// same is a description as it is, and distant one whose dimension x has links with registers.
func same(text string) string { return text }
func distant(text string) string {
	return strings.Replace(text, "rho = 1\n", "rho = 1\n    link {\n      kind      = \"wires\"\n      registers = 3\n    }\n", 1)
}

// vectored is a description whose networks have vectors, of 1 to 5 words by the length of the name. Then no operations take turns.
func vectored(text string) string {
	text = strings.ReplaceAll(text, "\n pipelined = true", "")
	for name := range operations {
		begin := fmt.Sprintf("collective %q {\n", name)
		text = strings.Replace(text, begin, fmt.Sprintf("%s vector = %d\n", begin, 1+len(name)%5), 1)
	}
	return text
}

// readBy is what the bench of a network says whose words are vectors.
func readBy(name, words string) string {
	count := 0
	for _, field := range strings.Fields(words) {
		if n, err := strconv.Atoi(field); err == nil {
			count += n
		}
	}
	_, values, own := strings.Cut(words, ",")
	if own {
		values = "," + values
	}
	return fmt.Sprintf("the nodes read %d words%s", count*min(4, 1+len(name)%5), values)
}

// The bench of a network with vectors passes, and fails if the network gets other words than the nodes write.
func TestBenchOfANetworkWithVectorsRuns(t *testing.T) {
	f := beside(t, "lone", "", vectored)
	for name, o := range operations {
		t.Run(name, func(t *testing.T) {
			if name != "total" && name != "most" {
				needs.Time(t)
			}
			bench, example, top := f.file("__"+name+"_bench.v"), f.file("__"+name+"_example.v"), "lone__"+name+"_bench"
			f.clean(t, append([]string{"verilator", "--lint-only", "--timing", "--language", "1364-2005", "--top-module", top, bench, example}, f.rtl(t)...)...)
			assert.Equal(t, "PASS: "+readBy(name, o.words)+"\n", f.icarus(t, top, bench, example))

			text := harness.Unaligned(f.read(t, bench), ".start(start)")
			f.write(t, name+"_idle.v", strings.Replace(text, ".start(start)", ".start(1'b0)", 1))
			assert.Equal(t, "FAIL: finished 0, failed 0\n", f.icarus(t, top, name+"_idle.v", example))
			if name == "mine" || name == "turns" {
				return
			}
			wrong := "~w_data"
			if name == "parity" { // the inverses of an even number of words have the same parity
				wrong = "w_data >> 1"
			}
			text = harness.Unaligned(text, ".w_data(w_data)")
			f.write(t, name+"_wrong.v", strings.Replace(text, ".w_data(w_data)", ".w_data("+wrong+")", 1))
			assert.Equal(t, "FAIL: finished 1, failed 1\n", f.icarus(t, top, name+"_wrong.v", example))
		})
	}
}

// The system contains networks with their memories, beside routers with and without a barrier and without routers. Vectors in links with
// registers pass, too.
func TestBenchOfASystemWithVectorsRuns(t *testing.T) {
	for name, c := range map[string]struct {
		others string
		change func(string) string
	}{
		"alone": {"", vectored}, "free": {"message {\n payload_bits = 8\n }\n", vectored}, "crowd": {withBarrier, vectored},
		"far": {withBarrier, func(text string) string { return vectored(distant(text)) }},
	} {
		t.Run(name, func(t *testing.T) {
			if name != "crowd" {
				needs.Time(t)
			}
			f := beside(t, name, c.others, c.change)
			files := []string{f.file("_bench.v")}
			for _, network := range f.networks {
				files = append(files, f.file("__"+network.Name+"_example.v"))
			}
			printed := f.icarus(t, name+"_bench", files...)
			for operation, o := range operations {
				assert.Contains(t, printed, fmt.Sprintf("PASS: %s: %s\n", operation, readBy(operation, o.words)))
			}
			for name, c := range choices {
				assert.Contains(t, printed, fmt.Sprintf("PASS: %s: %s\n", name, c.says[0]), "the first operation")
			}
			assert.NotContains(t, printed, "FAIL")
		})
	}
}

// Each operator has a network above.
func TestOperationsHaveEveryOperator(t *testing.T) {
	var used []string
	for _, c := range collectives(t, "every", false, same).networks {
		if c.HasResult() {
			used = append(used, c.Operator)
		}
	}
	assert.Subset(t, used, machine.Operators)
}

// The bench of a collective network passes, and fails if the network gets other words than the nodes give.
func TestBenchOfACollectiveNetworkRuns(t *testing.T) {
	f := collectives(t, "lone", false, same)
	for name, o := range operations {
		t.Run(name, func(t *testing.T) {
			bench, example, top := f.file("__"+name+"_bench.v"), f.file("__"+name+"_example.v"), "lone__"+name+"_bench"
			f.clean(t, append([]string{"verilator", "--lint-only", "--timing", "--language", "1364-2005", "--top-module", top, bench, example}, f.rtl(t)...)...)
			assert.Equal(t, "PASS: the network delivered "+o.words+"\n", f.icarus(t, top, bench, example))

			text := harness.Unaligned(f.read(t, bench), ".start(start)")
			f.write(t, name+"_idle.v", strings.Replace(text, ".start(start)", ".start(1'b0)", 1))
			assert.Equal(t, "FAIL: finished 0, failed 0\n", f.icarus(t, top, name+"_idle.v", example))
			if name == "mine" || name == "turns" {
				return
			}
			port := "s_data"
			if !strings.Contains(text, " s_data;") {
				port = "s_own_data"
			}
			text = harness.Unaligned(text, "."+port+"("+port+")")
			f.write(t, name+"_wrong.v", strings.Replace(text, "."+port+"("+port+")", "."+port+"(~"+port+")", 1))
			assert.Equal(t, "FAIL: finished 1, failed 1\n", f.icarus(t, top, name+"_wrong.v", example))
		})
	}
}

// The bench of a network with several operations runs each of them. It fails if the nodes give other words, and for each operation that
// the network carries out in place of another.
func TestBenchOfANetworkWithSeveralOperationsRuns(t *testing.T) {
	f := collectives(t, "lone", false, same)
	for name, c := range choices {
		t.Run(name, func(t *testing.T) {
			bench, example, top := f.file("__"+name+"_bench.v"), f.file("__"+name+"_example.v"), "lone__"+name+"_bench"
			f.clean(t, append([]string{"verilator", "--lint-only", "--timing", "--language", "1364-2005", "--top-module", top, bench, example}, f.rtl(t)...)...)
			assert.Equal(t, "PASS: "+strings.Join(c.says, "; ")+"\n", f.icarus(t, top, bench, example))

			network, _, _ := strings.Cut(f.read(t, bench), "    lone__"+name+"_example")
			text := harness.Unaligned(f.read(t, bench), ".operation(operation)")
			wrong := strings.Replace(text, ".operation(operation)", ".operation(operation ^ 1'b1)", 1)
			require.Contains(t, network, "_network network (", "the first connection is that of the network")
			f.write(t, name+"_wrong.v", wrong)
			said := f.icarus(t, top, name+"_wrong.v", example)
			assert.Contains(t, said, "FAIL: operation 0: finished 1, failed 1\n")
			assert.Contains(t, said, "FAIL: operation 1: finished 1, failed 1\n")
			assert.NotContains(t, said, "PASS")
		})
	}
}

// The bench of a network whose links have registers passes, too.
func TestBenchOfACollectiveNetworkWithRegistersRuns(t *testing.T) {
	f := collectives(t, "distant", false, distant)
	for name, o := range operations {
		bench, example, top := f.file("__"+name+"_bench.v"), f.file("__"+name+"_example.v"), "distant__"+name+"_bench"
		assert.Equal(t, "PASS: the network delivered "+o.words+"\n", f.icarus(t, top, bench, example), name)
	}
	for name, c := range choices {
		bench, example, top := f.file("__"+name+"_bench.v"), f.file("__"+name+"_example.v"), "distant__"+name+"_bench"
		assert.Equal(t, "PASS: "+strings.Join(c.says, "; ")+"\n", f.icarus(t, top, bench, example), name)
	}
}

// Verilator runs the bench, too.
func TestBenchOfACollectiveNetworkRunsInVerilator(t *testing.T) {
	needs.Time(t)
	f := collectives(t, "lone", false, same)
	f.verilator(t, "lone__most_bench", append([]string{"--prefix", "Vmost", "--language", "1364-2005", f.file("__most_bench.v"), f.file("__most_example.v")}, f.rtl(t)...)...)
	text, err := f.run(t, "obj_dir/Vmost")
	require.NoError(t, err, text)
	assert.Contains(t, text, "PASS: the network delivered 30 words and 6 results\n")
}

// The instances are clean, beside that of the routers whose barrier starts them.
func TestInstancesOfCollectiveNetworksAreCleanVerilog(t *testing.T) {
	f := collectives(t, "crowd", true, same)
	for _, network := range f.networks {
		name := network.Name
		t.Run(name, func(t *testing.T) {
			if name != "most" && name != "pair" {
				needs.Time(t)
			}
			include := fmt.Sprintf("    `include \"crowd__%s_instance.vh\"\n", name)
			assert.Contains(t, harness.Unaligned(f.read(t, f.file("__"+name+"_instance.vh")), ".start(barrier_release[0])"), ".start(barrier_release[0])")
			var inputs strings.Builder
			var outputs []string
			for _, w := range f.networkWires(t, name)[2:] { // behind clk and rst
				switch {
				case w.Output:
					outputs = append(outputs, w.Name)
				case w.Name != "start":
					fmt.Fprintf(&inputs, "    assign %s = %d'd0;\n", w.Name, w.Width())
				}
			}
			top := name + "_user"
			file := top + ".v"
			f.write(t, file, fmt.Sprintf("module %s (\n    input wire clk,\n    input wire rst,\n    input wire [0:0] barrier_release,\n    output wire result\n);\n%s%s    assign result = ^{%s};\nendmodule\n",
				top, include, &inputs, strings.Join(outputs, ", ")))
			f.clean(t, append([]string{"verilator", "--lint-only", "-Wall", "-Iintegration", "--top-module", top, file}, f.rtl(t)...)...)
			f.clean(t, append([]string{"iverilog", "-g2005", "-Wall", "-Iintegration", "-t", "null", "-s", top, file}, f.rtl(t)...)...)
			f.clean(t, "yosys", "-q", "-p", "read_verilog -Iintegration "+file+" "+strings.Join(f.rtl(t), " ")+"; hierarchy -check -top "+top+"; proc; check -assert")
		})
	}
}
