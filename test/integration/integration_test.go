// SPDX-License-Identifier: Apache-2.0

// Package integration hands the files in the folder integration of the output to the tools that read them.
package integration

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// design is a module with the header and the instance. Its inputs are 0, and it has functions as constants, too.
func (f folder) design() string {
	var b strings.Builder
	_, wires := f.top()
	name := f.p.Name
	clocks := "" // their range
	if f.p.Machine.Clocks() {
		clocks = fmt.Sprintf(" [%d:0]", f.p.Regions()-1)
	}
	fmt.Fprintf(&b, "`default_nettype none\nmodule user (\n    input  wire%[2]s clk,\n    input  wire%[2]s rst,\n    output wire result\n);\n    `include \"%[1]s.vh\"\n    `include \"%[1]s_instance.vh\"\n", name, clocks)
	result := []string{fmt.Sprintf("%s_node(%s_digits(1)) == 1", name, name)}
	if f.p.Destination != nil {
		fmt.Fprintf(&b, "    localparam [%d:0] BROADCAST = %s_tdest(%s_digits(0), {%d{1'b1}});\n", f.p.Destination.TDestBits-1, name, name, len(f.p.Dims))
		result = append(result, "^BROADCAST")
	}
	for _, w := range wires[2:] {
		if w.Output {
			result = append(result, w.Name)
		} else {
			fmt.Fprintf(&b, "    assign %s = %d'd0;\n", w.Name, w.Width())
		}
		if w.Output && w.Field == plan.FieldSource {
			result = append(result, fmt.Sprintf("%s_source(%s, 0) == 1", name, w.Name))
		}
	}
	fmt.Fprintf(&b, "    assign result = ^{%s};\nendmodule\n`default_nettype wire\n", strings.Join(result, ", "))
	return b.String()
}

func TestHeaderAndInstanceAreCleanVerilog(t *testing.T) {
	each(t, false, func(t *testing.T, f folder) {
		f.write(t, "user.v", f.design())
		rtl := f.rtl(t)
		f.clean(t, append([]string{"verilator", "--lint-only", "-Wall", "-Iintegration", "--top-module", "user", "user.v"}, rtl...)...)
		f.clean(t, append([]string{"verilator", "--lint-only", "-Wall", "--language", "1364-2005", "-Iintegration", "--top-module", "user", "user.v"}, rtl...)...)
		f.clean(t, append([]string{"iverilog", "-g2005", "-Wall", "-Iintegration", "-t", "null", "-s", "user", "user.v"}, rtl...)...)
		f.clean(t, "yosys", "-q", "-p", "read_verilog -Iintegration user.v "+strings.Join(rtl, " ")+"; hierarchy -check -top user; proc; check -assert")
	})
}

var localparam = regexp.MustCompile(`(?m)^localparam integer (\w+) = `)

// constants prints the constants of the header with Icarus, by name without that of the machine.
func (f folder) constants(t *testing.T) map[string]int {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "module constants;\n    `include \"%s.vh\"\n    initial begin\n", f.p.Name)
	for _, m := range localparam.FindAllStringSubmatch(f.read(t, f.file(".vh")), -1) {
		fmt.Fprintf(&b, "        $display(\"%s %%0d\", %s);\n", m[1], m[1])
	}
	f.write(t, "constants.v", b.String()+"    end\nendmodule\n")
	values := map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(f.icarus(t, "constants", "constants.v")), "\n") {
		var name string
		var value int
		_, err := fmt.Sscan(line, &name, &value)
		require.NoError(t, err, line)
		values[strings.TrimPrefix(name, f.p.Name+"_")] = value
	}
	return values
}

// digitBits is the width of a digit as docs/addressed-messages.md and docs/programmable.md say.
func digitBits(p *plan.Plan, m int) (bits int) {
	if p.Programmable != nil {
		m = p.Programmable.MaxNodes
	}
	for 1<<bits < m {
		bits++
	}
	return bits
}

// Sizes and positions are those of the contract: fields lie side by side, dimension 1 and the payload lowest.
func TestConstantsOfTheHeader(t *testing.T) {
	each(t, false, func(t *testing.T, f folder) {
		got := f.constants(t)
		assert.Equal(t, f.p.Machine.Graph.Nodes(), got["NODES"])
		assert.Equal(t, len(f.p.Machine.Dimensions), got["DIMENSIONS"])
		assert.Equal(t, f.p.Machine.Graph.Degree(), got["DEGREE"])
		for _, c := range f.networks {
			assert.Equal(t, c.PayloadBits, got["_"+c.Name+"_WORD_BITS"])
			for i, s := range c.Schedules {
				if !c.Several() {
					break
				}
				name := "_" + c.Name + "__" + strings.ToUpper(strings.ReplaceAll(s.Name, "-", "_"))
				assert.Equal(t, []int{i, s.Period + 1 + c.Skew, s.Period}, []int{got[name], got[name+"_CYCLES"], got[name+"_PERIOD"]}, name)
			}
			if c.Several() {
				continue
			}
			if c.Vector > 0 {
				assert.Equal(t, c.Vector, got["_"+c.Name+"_VECTOR"])
				assert.Equal(t, c.Skew+2, got["_"+c.Name+"_CYCLES"])
			} else {
				assert.Equal(t, c.Period+1, got["_"+c.Name+"_CYCLES"])
			}
			assert.Equal(t, c.Period, got["_"+c.Name+"_PERIOD"])
		}
		if f.p.Machine.NoRouters {
			assert.NotContains(t, got, "PAYLOAD_BITS")
			return
		}
		assert.Equal(t, f.p.Machine.PayloadBits, got["PAYLOAD_BITS"])
		digits, tdest := 0, 0
		for i, d := range f.p.Machine.Dimensions {
			bits := digitBits(f.p, d.M)
			assert.Equal(t, d.M, got[fmt.Sprintf("M_%d", i+1)])
			assert.Equal(t, digits, got[fmt.Sprintf("DIGIT_%d_LSB", i+1)])
			assert.Equal(t, bits, got[fmt.Sprintf("DIGIT_%d_BITS", i+1)])
			if f.p.Machine.Destination {
				assert.Equal(t, tdest, got[fmt.Sprintf("TDEST_DIGIT_%d_LSB", i+1)])
				assert.Equal(t, tdest+bits, got[fmt.Sprintf("TDEST_ALL_%d", i+1)])
			}
			digits, tdest = digits+bits, tdest+bits+1
		}
		assert.Equal(t, digits, got["DIGITS_BITS"])
		low, fields := 0, 0
		for _, field := range []string{"PAYLOAD", "SOURCE", "LAST", "ROUTE", "SPREAD", "WC", "WD"} {
			if bits, ok := got["LINK_"+field+"_BITS"]; ok {
				assert.Equal(t, low, got["LINK_"+field+"_LSB"], field)
				low, fields = low+bits, fields+1
			}
		}
		assert.Equal(t, low, got["LINK_BITS"])
		assert.GreaterOrEqual(t, fields, 3)
		for _, w := range f.p.NetworkWires() {
			for name, width := range map[string]string{"s_axis_tdata": "PAYLOAD_BITS", "s_axis_tdest": "TDEST_BITS"} {
				if w.Name == name {
					assert.Equal(t, w.Width(), got["NODES"]*got[width], name)
				}
			}
			if w.Name == "m_axis_tid" {
				assert.Equal(t, w.Width(), got["NODES"]*got["DELIVERIES"]*got["TID_BITS"])
			}
		}
	})
}

// Digits of every node, and their way back, tdest of every node and set of flags, and the source of every lane.
func TestFunctionsOfTheHeader(t *testing.T) {
	each(t, false, func(t *testing.T, f folder) {
		p, name := f.p, f.p.Name
		lanes := p.Deliveries
		if p.Machine.Network {
			lanes *= p.Nodes
		}
		var b, want strings.Builder
		fmt.Fprintf(&b, "module functions;\n    `include \"%s.vh\"\n    integer n, all, other;\n    initial begin\n        for (n = 0; n < %d; n = n + 1) begin\n", name, p.Nodes)
		fmt.Fprintf(&b, "            $display(\"%%0d %%0d\", %s_digits(n), %s_node(%s_digits(n)));\n", name, name, name)
		if p.Destination != nil {
			fmt.Fprintf(&b, "            for (all = 0; all < %d; all = all + 1) $display(\"%%0d\", %s_tdest(%s_digits(n), all[%d:0]));\n", 1<<len(p.Dims), name, name, len(p.Dims)-1)
		}
		index := ""
		if len(f.networks) > 0 { // the node at each index
			index = fmt.Sprintf("%s_at(n, %s_digits(other))", name, name)
			fmt.Fprintf(&b, "            for (other = 0; other < %d; other = other + 1) $display(\"%%0d\", %s);\n", p.Nodes, index)
		}
		fmt.Fprint(&b, "        end\n")
		for n := range p.Nodes {
			digits, at := 0, 0
			for i, d := range p.Machine.Dimensions {
				digits |= p.Machine.Graph.Digit(n, i+1) << at
				at += digitBits(p, d.M)
			}
			fmt.Fprintf(&want, "%d %d\n", digits, n)
			for all := range 1 << len(p.Dims) {
				if p.Destination == nil {
					break
				}
				tdest, at := 0, 0
				for i, d := range p.Machine.Dimensions {
					bits := digitBits(p, d.M)
					tdest |= (p.Machine.Graph.Digit(n, i+1) | all>>i&1<<bits) << at
					at += bits + 1
				}
				fmt.Fprintf(&want, "%d\n", tdest)
			}
			for other := range p.Nodes {
				if index == "" {
					break
				}
				var sum []int
				for i, d := range p.Machine.Dimensions {
					sum = append(sum, (p.Machine.Graph.Digit(n, i+1)+p.Machine.Graph.Digit(other, i+1))%d.M)
				}
				fmt.Fprintf(&want, "%d\n", sum[0]+p.Machine.Dimensions[0].M*sum[1])
			}
		}
		if p.SourceBits > 0 {
			for lane := range lanes {
				fmt.Fprintf(&b, "        $display(\"%%0d\", %s_source(%d'd%d << %d, %d));\n", name, lanes*p.SourceBits, p.Nodes-1, lane*p.SourceBits, lane)
				fmt.Fprintf(&want, "%d\n", p.Nodes-1)
			}
		}
		f.write(t, "functions.v", b.String()+"    end\nendmodule\n")
		assert.Equal(t, want.String(), f.icarus(t, "functions", "functions.v"))
	})
}

// A message whose tdest is from the header reaches the nodes that its arguments name, and tid names its sender.
func TestHeaderSendsMessagesToTheNodesNamed(t *testing.T) {
	for _, name := range []string{"every", "lanes", "single"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := generate(t, name)
			p := f.p
			var ties strings.Builder
			for _, w := range p.NetworkWires() {
				if w.Name == "s_axis_tdata" || w.Name == "s_axis_tlast" || w.Name == "barrier_arrive" {
					fmt.Fprintf(&ties, "    assign %s = %d'd0;\n", w.Name, w.Width())
				}
			}
			f.write(t, "sends.v", strings.NewReplacer("MACHINE", p.Name, "NODES", fmt.Sprint(p.Nodes), "TIES", ties.String(), "DIMENSIONS", fmt.Sprint(len(p.Dims)),
				"LANES", fmt.Sprint(p.Nodes*p.Deliveries), "DELIVERIES", fmt.Sprint(p.Deliveries), "TDEST", fmt.Sprint(p.Destination.TDestBits)).Replace(`
module sends;
    reg clk = 1'b0;
    reg rst = 1'b1;
    always #1 clk = !clk;

    `+"`include \"MACHINE.vh\"\n    `include \"MACHINE_instance.vh\""+`
    reg [NODES-1:0] valid = 0;
    reg [TDEST-1:0] dest = 0;
    assign s_axis_tvalid = valid;
    assign s_axis_tdest = {NODES{dest}};
    assign m_axis_tready = {LANES{1'b1}};
TIES
    integer from, to, all, lane;
    reg [NODES-1:0] received;
    always @(posedge clk)
        for (lane = 0; lane < LANES; lane = lane + 1)
            if (m_axis_tvalid[lane]) begin
                received[lane/DELIVERIES] = 1'b1;
                if (MACHINE_source(m_axis_tid, lane) != from) $display("wrong source");
            end

    initial begin
        repeat (2) @(negedge clk);
        rst = 1'b0;
        for (from = 0; from < NODES; from = from + 1)
            for (to = 0; to < NODES; to = to + 1)
                for (all = 0; all < 1 << DIMENSIONS; all = all + 1) begin
                    @(negedge clk);
                    received = 0;
                    dest = MACHINE_tdest(MACHINE_digits(to), all[DIMENSIONS-1:0]);
                    valid[from] = 1'b1;
                    @(posedge clk);
                    while (!s_axis_tready[from]) @(posedge clk);
                    @(negedge clk) valid[from] = 1'b0;
                    repeat (16) @(negedge clk);
                    $display("%0d %0d %0d %0d", from, to, all, received);
                end
        $finish;
    end
endmodule
`))
			var want strings.Builder
			for from := range p.Nodes {
				for to := range p.Nodes {
					for all := range 1 << len(p.Dims) {
						received := 0
						for n := range p.Nodes {
							agrees := n != from
							for i := range p.Dims {
								agrees = agrees && (all>>i&1 == 1 || p.Machine.Graph.Digit(n, i+1) == p.Machine.Graph.Digit(to, i+1))
							}
							if agrees {
								received |= 1 << n
							}
						}
						fmt.Fprintf(&want, "%d %d %d %d\n", from, to, all, received)
					}
				}
			}
			assert.Equal(t, want.String(), f.icarus(t, "sends", "sends.v"))
		})
	}
}

// The example bench passes with Icarus, and fails if the network does not deliver.
func TestExampleBenchRuns(t *testing.T) {
	each(t, true, func(t *testing.T, f folder) {
		files := []string{f.file("_bench.v")}
		for _, c := range f.networks {
			files = append(files, f.file("__"+c.Name+"_example.v"))
		}
		top := f.p.Name + "_bench"
		f.clean(t, append(append([]string{"verilator", "--lint-only", "--timing", "--language", "1364-2005", "--top-module", top}, files...), f.rtl(t)...)...)
		var want, bad strings.Builder
		if !f.p.Machine.NoRouters {
			for range f.p.Nodes - 1 {
				want.WriteString("node [1-9] receives the message of node 0\n")
			}
			fmt.Fprintf(&want, "PASS: %d nodes received it\n", f.p.Nodes-1)
			fmt.Fprintf(&bad, "FAIL: 0 of %d nodes received it\n", f.p.Nodes-1)
		}
		for _, c := range f.networks {
			fmt.Fprintf(&want, "PASS: %s: ([a-z-]+: )?the n(etwork delivered|odes read) .+\n", c.Name)
			fmt.Fprintf(&bad, "FAIL: %s: finished 0, failed 0\n", c.Name)
		}
		assert.Regexp(t, "^"+want.String()+"$", f.icarus(t, top, files...))

		const reset = ".rst(rst)"
		text := harness.Unaligned(f.read(t, files[0]), reset)
		require.Contains(t, text, reset)
		text = strings.Replace(text, "while (!configured)", "repeat (100)", 1) // which a router in reset never is
		text = strings.Replace(text, "while (!bus_ended)", "repeat (2)", 1)
		text = strings.Replace(text, "while (barrier_release[0] !== 1'b1)", "repeat (100)", 1)
		text = strings.Replace(text, "while (!(sums_ready && tx_ready))", "repeat (100)", 1)
		files[0] = "reset.v"
		f.write(t, files[0], strings.Replace(text, reset, ".rst(rst | ~rst)", 1))
		assert.Equal(t, bad.String(), f.icarus(t, top, files...))
	})
}

// Verilator runs the bench, too.
func TestExampleBenchRunsInVerilator(t *testing.T) {
	needs.Time(t)
	for _, name := range []string{"plain", "clocks"} {
		f := generate(t, name)
		top := f.p.Name + "_bench"
		f.verilator(t, top, append([]string{"--language", "1364-2005", f.file("_bench.v")}, f.rtl(t)...)...)
		text, err := f.run(t, "obj_dir/V"+top)
		require.NoError(t, err, text)
		assert.Contains(t, text, fmt.Sprintf("PASS: %d nodes received it\n", f.p.Nodes-1))
	}
}

// verilator builds a bench.
func (f folder) verilator(t *testing.T, top string, arguments ...string) {
	t.Helper()
	text, err := f.run(t, append([]string{"verilator", "--binary", "--timing", "-CFLAGS", "-O0", "--top-module", top}, arguments...)...)
	require.NoError(t, err, text)
}

func TestStructsOfNodesAreCleanSystemVerilog(t *testing.T) {
	each(t, true, func(t *testing.T, f folder) {
		f.clean(t, append([]string{"verilator", "--lint-only", "-Wall", "--top-module", f.p.Name + "_nodes", f.file("_nodes_pkg.sv"), f.file("_nodes.sv")}, f.rtl(t)...)...)
	})
}

// A message that a node sends through its struct comes out of the structs of its receivers.
func TestStructsOfNodesCarryMessages(t *testing.T) {
	needs.Time(t)
	f := generate(t, "pair")
	f.write(t, "structs.sv", `
module structs;
    bit clk = 1'b0;
    bit rst = 1'b1;
    always #1 clk = !clk;
    pair_nodes_pkg::from_node_t [1:0] from_node;
    pair_nodes_pkg::to_node_t [1:0] to_node;
    pair_nodes nodes (.clk, .rst, .header_error(), .destination_error(), .from_node, .to_node);

    int cycle = 0;
    task automatic send(int node, pair_nodes_pkg::tdest_t dest, bit [7:0] data, bit last);
        from_node[node].s_axis_tdest <= dest;
        from_node[node].s_axis_tdata <= data;
        from_node[node].s_axis_tlast <= last;
        from_node[node].s_axis_tvalid <= 1'b1;
    endtask

    always @(posedge clk) begin
        cycle <= cycle + 1;
        rst <= cycle < 4;
        for (int n = 0; n < 2; n++) begin
            if (cycle == 0) from_node[n] <= '0;
            from_node[n].m_axis_tready <= 1'b1;
            if (to_node[n].s_axis_tready) from_node[n].s_axis_tvalid <= 1'b0;
            if (cycle == 70) from_node[n].barrier_arrive <= 1'b1;
            if (to_node[n].barrier_release) from_node[n].barrier_arrive <= 1'b0;
            if (!rst && to_node[n].m_axis_tvalid) $display("%0d from %0d: %h %b", n, to_node[n].m_axis_tid, to_node[n].m_axis_tdata, to_node[n].m_axis_tlast);
            if (!rst && to_node[n].node_destination_error) $display("%0d: error", n);
            if (!rst && to_node[n].barrier_release) $display("%0d: release", n);
        end
        case (cycle)
            10: send(0, '{all_1: 1'b0, digit_1: 1'd1}, 8'ha5, 1'b1);
            30: send(1, '{all_1: 1'b1, digit_1: 1'd1}, 8'h3c, 1'b0);
            50: send(0, '{all_1: 1'b0, digit_1: 1'd0}, 8'h01, 1'b0);
            100: $finish;
            default: ;
        endcase
    end
endmodule
`)
	f.verilator(t, "structs", append([]string{f.file("_nodes_pkg.sv"), "structs.sv", f.file("_nodes.sv")}, f.rtl(t)...)...)
	text, err := f.run(t, "obj_dir/Vstructs")
	require.NoError(t, err, text)
	lines := regexp.MustCompile(`(?m)^\d.*\n`).FindAllString(text, -1)
	assert.ElementsMatch(t, []string{
		"1 from 0: a5 1\n", "0 from 1: 3c 0\n", "0: error\n", "0: release\n", "1: release\n",
	}, lines)
}

// Yosys runs the script of each family to its end without a warning, and the netlist has flip-flops of the family. A
// short run has a router.
func TestYosysRunsTheScriptsOfFamilies(t *testing.T) {
	registers := map[string]string{"ecp5": `TRELLIS_FF`, "gowin": `DFF\w*`, "xc7": `FD[RSCP]E`}
	for _, name := range []string{"plain", "router"} {
		if name != "router" && testing.Short() {
			continue
		}
		f := generate(t, name)
		top, _ := f.top()
		scripts, err := filepath.Glob(filepath.Join(f.path, "integration/*.ys"))
		require.NoError(t, err)
		require.Len(t, scripts, len(registers))
		for _, script := range scripts {
			family := strings.TrimSuffix(filepath.Base(script), ".ys")
			text, err := f.run(t, "yosys", "-o", family+".json", "integration/"+family+".ys")
			require.NoError(t, err, text)
			assert.NotRegexp(t, `(?m)^Warning`, text, family)
			assert.Regexp(t, `(?s)=== `+top+` ===.*Number of cells:`, text)
			var netlist struct {
				Modules map[string]struct {
					Ports map[string]struct{ Bits []any }
					Cells map[string]struct{ Type string }
				}
			}
			require.NoError(t, json.Unmarshal([]byte(f.read(t, family+".json")), &netlist))
			module, found := netlist.Modules[top]
			require.True(t, found, family)
			_, wires := f.top()
			for _, w := range wires {
				assert.Len(t, module.Ports[w.Name].Bits, w.Width(), "%s of %s", w.Name, family)
			}
			count := 0
			for _, c := range module.Cells {
				if regexp.MustCompile("^" + registers[family] + "$").MatchString(c.Type) {
					count++
				}
				assert.NotRegexp(t, `BUF$|^\$`, c.Type, "%s: a pad, a clock buffer, or a cell that is not mapped", family)
			}
			assert.Greater(t, count, 50, family)
		}
	}
}
