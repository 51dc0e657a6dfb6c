// SPDX-License-Identifier: Apache-2.0

// Package design builds designs of several machines, whose output folders stand side by side.
package design

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// messages is the number of messages that the bench sends through a design.
const messages = 20

// description is a ring of 4 nodes, with the blocks given.
func description(name, blocks string) string {
	return fmt.Sprintf(`
machine %q {
  dimension "x" {
    m   = 4
    rho = 1
  }
  %s
}
`, name, blocks)
}

// programmable is the block of the smallest programmable router that can be such a ring.
func programmable(bus string) string {
	return fmt.Sprintf("router {\n kind = \"programmable\"\n config_bus = %q\n max_dimensions = 1\n max_nodes = 4\n max_degree = 2\n }", bus)
}

var (
	plain         = description("plain", "message {\n payload_bits = 8\n }")
	alike         = description("alike", "message {\n payload_bits = 8\n }")
	addressed     = description("addressed", "message {\n payload_bits = 8\n destination = true\n last = true\n source_id = true\n }\n router {\n barrier = true\n }")
	lanes         = description("lanes", "message {\n payload_bits = 8\n }\n router {\n stages = 2\n fifo_depth = 3\n delivery = \"per_port\"\n }")
	programmed    = description("programmed", programmable("wishbone"))
	programmedToo = description("programmed_too", "message {\n destination = true\n }\n"+programmable("axi4lite"))

	// Names of machines and collective networks that put together in another way are others.
	net        = description("net", "message {\n payload_bits = 8\n }\n"+collective("sum", operator)+collective("sum_c", "")+collective("sum_nodes", ""))
	netSum     = description("net_sum", "message {\n payload_bits = 8\n }\n"+collective("c", operator))
	netNetwork = description("net_network", collective("c_node", ""))
)

// operator names the module of the user in operatorFile.
const operator = "operator_module = \"larger\"\n operator_latency = 1"

const operatorFile = `
module larger #(parameter integer W = 32) (
    input wire clk, input wire [W-1:0] a, input wire [W-1:0] b, output reg [W-1:0] y);
    always @(posedge clk) y <= a > b ? a : b;
endmodule
`

// collective is the block of a collective network.
func collective(name, attributes string) string {
	return fmt.Sprintf("collective %q {\n operation = \"all-reduce\"\n payload_bits = 8\n %s\n }\n", name, attributes)
}

// folder is the output of a machine.
type folder struct {
	p           *plan.Plan
	collectives []*plan.Collective
	path        string
}

func generate(t *testing.T, descriptions ...string) (list []folder) {
	t.Helper()
	for _, text := range descriptions {
		m, out := harness.Generate(t, harness.Text(t, text), nil)
		collectives, err := plan.Collectives(m, schedule.ForNetwork)
		require.NoError(t, err)
		if strings.Contains(text, operator) {
			require.NoError(t, os.WriteFile(filepath.Join(out, "rtl/larger.v"), []byte(operatorFile), 0o644))
		}
		list = append(list, folder{plan.New(m), collectives, out})
	}
	return list
}

// recipe is the command of the page that lists the files of two folders.
var recipe = regexp.MustCompile(`(?m)^    verilator .* \$\((for m in )ring4 torus4x4(; .*)\) soc\.v$`)

// files are the Verilog files of the folders, as the command of the page lists them.
func files(t *testing.T, folders []folder) []string {
	t.Helper()
	page, err := os.ReadFile("../../docs/integration.md")
	require.NoError(t, err)
	command := recipe.FindSubmatch(page)
	require.NotNil(t, command)
	line := string(command[1])
	for _, f := range folders {
		line += f.path + " "
	}
	text, err := runTool(t, ".", "sh", "-c", line+string(command[2]))
	require.NoError(t, err, text)
	return strings.Fields(text)
}

// network is an instance of a network.
type network struct {
	module, name string
	wires        []plan.Wire
}

// networks are those of routers, in the order of the folders, and behind them the collective networks.
func networks(chain, others []folder) (list []network) {
	all := slices.Concat(chain, others)
	for _, f := range all {
		list = append(list, network{f.p.NetworkModule, f.p.Name, f.p.NetworkWires()})
	}
	for _, f := range all {
		for _, c := range f.collectives {
			list = append(list, network{c.NetworkModule, c.NetworkModule + "_instance", c.Wires()})
		}
	}
	return list
}

// top writes the module top with all machines. The machines of the chain are connected: deliveries at node 1 of a
// machine are injected at node 0 of the next. send_ is node 0 of the first, receive_ are all nodes of the last.
func top(chain, others []folder) string {
	var ports, wires, instances strings.Builder
	var outputs []string
	for i, network := range networks(chain, others) {
		name := network.name
		connected := i < len(chain)
		fmt.Fprintf(&instances, "\n    %s %s (", network.module, name)
		for n, w := range network.wires {
			net := name + "_" + w.Name
			value := fmt.Sprintf("{%d{1'b0}}", w.Width())
			switch {
			case w.Name == "clk" || w.Name == "rst":
				net = w.Name
			case w.Output:
				outputs = append(outputs, net)
				value = ""
			case connected && w.Name == "s_axis_tvalid" && i == 0:
				value = fmt.Sprintf("{%d'd0, send_valid}", w.Width()-1)
			case connected && w.Name == "s_axis_tdata" && i == 0:
				value = fmt.Sprintf("{%d'd0, send_data}", w.Width()-8)
			case connected && w.Name == "s_axis_tvalid":
				value = fmt.Sprintf("{%d'd0, %s_m_axis_tvalid[1]}", w.Width()-1, chain[i-1].p.Name)
			case connected && w.Name == "s_axis_tdata":
				value = fmt.Sprintf("{%d'd0, %s_m_axis_tdata[15:8]}", w.Width()-8, chain[i-1].p.Name)
			case w.Name == "s_axis_tdest" || w.Name == "s_axis_tlast": // to all, a packet
				value = fmt.Sprintf("{%d{1'b1}}", w.Width())
			case connected && w.Name == "m_axis_tready" && i == len(chain)-1:
				value = fmt.Sprintf("{%d{1'b1}}", w.Width())
			case connected && w.Name == "m_axis_tready":
				value = fmt.Sprintf("{%d'd%d, %s_s_axis_tready[0], 1'b1}", w.Width()-2, 1<<(w.Width()-2)-1, chain[i+1].p.Name)
			}
			if net != w.Name {
				fmt.Fprintf(&wires, "    wire [%d:0] %s", w.Width()-1, net)
				if value != "" {
					fmt.Fprintf(&wires, " = %s", value)
				}
				fmt.Fprint(&wires, ";\n")
			}
			if n > 0 {
				fmt.Fprint(&instances, ",")
			}
			fmt.Fprintf(&instances, "\n        .%s(%s)", w.Name, net)
		}
		fmt.Fprint(&instances, "\n    );\n")
	}
	last := chain[len(chain)-1].p
	received := last.Nodes * last.Deliveries
	fmt.Fprintf(&ports, "    input  wire clk,\n    input  wire rst,\n    input  wire send_valid,\n    output wire send_ready,\n    input  wire [7:0] send_data,\n"+
		"    output wire [%d:0] receive_valid,\n    output wire [%d:0] receive_data\n", received-1, 8*received-1)
	return fmt.Sprintf("`default_nettype none\n\nmodule top (\n%s);\n\n%s\n    assign send_ready    = %s_s_axis_tready[0];\n"+
		"    assign receive_valid = %s_m_axis_tvalid;\n    assign receive_data  = %s_m_axis_tdata;\n"+
		"    wire unused = &{1'b0, %s};\n%s\nendmodule\n\n`default_nettype wire\n",
		&ports, &wires, chain[0].p.Name, last.Name, last.Name, strings.Join(outputs, ", "), &instances)
}

// bench sends messages 1, 2, .. through the chain, with gaps. All nodes of the last machine except the sender must
// receive each message once and in order.
func bench(last *plan.Plan) string {
	return strings.NewReplacer("NODES", fmt.Sprint(last.Nodes), "LANES", fmt.Sprint(last.Deliveries), "MESSAGES", fmt.Sprint(messages)).Replace(`
module bench;
    reg clk = 1'b0;
    reg rst = 1'b1;
    reg send_valid = 1'b0;
    reg [7:0] send_data = 8'd1;
    wire send_ready;
    wire [NODES*LANES-1:0] receive_valid;
    wire [8*NODES*LANES-1:0] receive_data;
    reg [7:0] received [0:NODES-1];
    integer cycle = 0, node, lane, complete;

    top top (
        .clk(clk),
        .rst(rst),
        .send_valid(send_valid),
        .send_ready(send_ready),
        .send_data(send_data),
        .receive_valid(receive_valid),
        .receive_data(receive_data)
    );

    initial for (node = 0; node < NODES; node = node + 1) received[node] = 8'd0;
    always #1 clk = !clk;

    always @(posedge clk) begin
        cycle <= cycle + 1;
        rst <= cycle < 2;
        if (send_valid && send_ready) begin
            send_valid <= cycle % 3 != 0 && send_data < MESSAGES;
            send_data <= send_data + 8'd1;
        end else if (!rst && !send_valid) send_valid <= send_data <= MESSAGES;
        if (!rst) for (node = 0; node < NODES; node = node + 1) for (lane = node * LANES; lane < (node + 1) * LANES; lane = lane + 1)
            if (receive_valid[lane]) begin
                received[node] = received[node] + 8'd1;
                if (receive_data[8*lane+:8] !== received[node]) begin
                    $display("FAIL: node %0d received %0d as its message %0d", node, receive_data[8*lane+:8], received[node]);
                    $finish;
                end
            end
        complete = received[0] == 8'd0;
        for (node = 1; node < NODES; node = node + 1) complete = complete + (received[node] == MESSAGES);
        if (cycle == 2000) begin
            if (complete == NODES) $display("PASS");
            else $display("FAIL: %0d of %0d nodes are complete", complete, NODES);
            $finish;
        end
    end
endmodule
`)
}

// runTool runs a tool in a folder.
func runTool(t *testing.T, dir string, words ...string) (string, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), words[0], words[1:]...)
	command.Dir = dir
	text, err := command.CombinedOutput()
	return string(text), err
}

// clean runs a tool that must succeed and print nothing.
func clean(t *testing.T, dir string, words ...string) {
	t.Helper()
	text, err := runTool(t, dir, words...)
	assert.NoError(t, err, "%s: %s", words[0], text)
	assert.Empty(t, text, words[0])
}

// tools are the three tools that read a design of top.v and of the files.
func tools(files []string) map[string][]string {
	return map[string][]string{
		"verilator":         append([]string{"verilator", "--lint-only", "-Wall", "--top-module", "top", "top.v"}, files...),
		"verilator of 2005": append([]string{"verilator", "--lint-only", "-Wall", "--language", "1364-2005", "--top-module", "top", "top.v"}, files...),
		"icarus":            append([]string{"iverilog", "-g2005", "-Wall", "-t", "null", "-s", "top", "top.v"}, files...),
		"yosys":             {"yosys", "-q", "-p", "read_verilog top.v " + strings.Join(files, " ") + "; hierarchy -check -top top; proc; check -assert"},
	}
}

// Folders with any options are read together, and the networks in the design deliver all messages.
func TestSeveralMachinesInOneDesign(t *testing.T) {
	for name, c := range map[string]struct{ chain, others []string }{
		"two of the same options":                      {[]string{plain, alike}, nil},
		"with and without destinations":                {[]string{plain, addressed}, nil},
		"three of different options":                   {[]string{addressed, plain, lanes}, nil},
		"with programmable routers of different buses": {[]string{plain, lanes}, []string{programmed, programmedToo}},
		"of names that begin alike, with one operator": {[]string{net, netSum}, []string{netNetwork}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			chain, others := generate(t, c.chain...), generate(t, c.others...)
			all := files(t, slices.Concat(chain, others))
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "top.v"), []byte(top(chain, others)), 0o644))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "bench.v"), []byte(bench(chain[len(chain)-1].p)), 0o644))
			for _, words := range tools(all) {
				clean(t, dir, words...)
			}
			clean(t, dir, append([]string{"iverilog", "-g2005", "-Wall", "-o", "bench.vvp", "-s", "bench", "bench.v", "top.v"}, all...)...)
			text, err := runTool(t, dir, "vvp", "-n", "bench.vvp")
			require.NoError(t, err, text)
			assert.Equal(t, "PASS\n", text)
		})
	}
}

// The bench detects a message that is lost between two machines, and a machine with a faulty library module, which the
// other machine has without the fault.
func TestBenchOfSeveralMachinesSeesFaults(t *testing.T) {
	needs.Time(t)
	for name, c := range map[string]struct{ file, from, to, seen string }{
		"a message is lost between the machines": {"top.v", "{3'd0, plain_m_axis_tvalid[1]}", "{3'd0, plain_m_axis_tvalid[1] & send_valid}", "FAIL: "},
		"a fault in a library module":            {"alike", "if (ready) data_q", "if (ready & !data[0]) data_q", "FAIL: node "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			chain := generate(t, plain, alike)
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "top.v"), []byte(top(chain, nil)), 0o644))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "bench.v"), []byte(bench(chain[1].p)), 0o644))
			file := filepath.Join(dir, c.file)
			if c.file == "alike" {
				file = harness.File(t, chain[1].path, "rtl/hc_output.v")
			}
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Contains(t, string(text), c.from)
			require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(text), c.from, c.to, 1)), 0o644))
			clean(t, dir, append([]string{"iverilog", "-g2005", "-o", "bench.vvp", "-s", "bench", "bench.v", "top.v"}, files(t, chain)...)...)
			said, err := runTool(t, dir, "vvp", "-n", "bench.vvp")
			require.NoError(t, err, said)
			assert.Contains(t, said, c.seen)
		})
	}
}

// Verilator replaces names that are too long, so that no module has the name of its file.
func TestLongestNamesPassLint(t *testing.T) {
	long := strings.Repeat("long", machine.MaxNameLength/4)
	text := description(long, "routers = false\n"+strings.Replace(collective(long, ""), "all-reduce", "gather", 1))
	_, out := harness.Generate(t, harness.Text(t, text), nil)
	harness.Make(t.Context(), t, out, "lint")
}

// hcgen cannot detect that two folders have the same machine name, but every tool rejects them.
func TestTwoMachinesOfOneNameAreRefused(t *testing.T) {
	both := generate(t, plain, strings.Replace(plain, "payload_bits = 8", "payload_bits = 8\n last = true", 1))
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "top.v"), []byte(top(both[:1], nil)), 0o644))
	said := map[string]string{
		"verilator": "Duplicate declaration of module: 'plain_network'", "verilator of 2005": "Duplicate declaration of module: 'plain_network'",
		"icarus": "plain_network was already declared", "yosys": "Re-definition of module",
	}
	commands := tools(files(t, both))
	assert.ElementsMatch(t, slices.Collect(maps.Keys(said)), slices.Collect(maps.Keys(commands)))
	for tool, words := range commands {
		text, err := runTool(t, dir, words...)
		assert.Error(t, err, tool)
		assert.Contains(t, text, said[tool], tool)
	}
}

// The files that FuseSoC compiles for a core that depends on the cores of two machines: the rtl filesets of both.
func TestCoreCanDependOnTwoMachines(t *testing.T) {
	both := generate(t, plain, addressed)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "top.v"), []byte(top(both, nil)), 0o644))
	var all []string
	var names []string
	for _, f := range both {
		text, err := os.ReadFile(filepath.Join(f.path, f.p.Name+".core"))
		require.NoError(t, err)
		var core struct {
			Name     string
			Filesets map[string]struct{ Files []any }
			Targets  map[string]struct{ Filesets []string }
		}
		require.NoError(t, yaml.Unmarshal([]byte(strings.TrimPrefix(string(text), "CAPI=2:\n")), &core))
		names = append(names, core.Name)
		assert.Equal(t, []string{"rtl"}, core.Targets["default"].Filesets)
		for _, name := range core.Filesets["rtl"].Files {
			all = append(all, filepath.Join(f.path, name.(string)))
		}
	}
	assert.Equal(t, []string{"::plain:0", "::addressed:0"}, names)
	clean(t, dir, tools(all)["verilator"]...)
}

var declared = regexp.MustCompile("(?m)^ *(?:module|`define|`include) +(\\S+)")

// Every module that a folder declares begins with the name of its machine, and is in a file of its name. No file
// defines or includes a macro, which would hold for the files of other machines; pin wrappers, which are in no design,
// include the clock buffer of a family of devices.
func TestEveryModuleHasTheNameOfItsMachine(t *testing.T) {
	for _, f := range generate(t, plain, addressed, lanes, programmed, programmedToo) {
		found := 0
		require.NoError(t, filepath.WalkDir(f.path, func(path string, e os.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".v" {
				return err
			}
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
				if strings.HasSuffix(path, "_pins.v") && m[1] == `"clock_buffer.vh"` {
					continue
				}
				found++
				assert.Regexp(t, "^"+f.p.Name+"_", m[1], path)
				switch name := strings.TrimSuffix(m[1], ";"); {
				case strings.HasSuffix(path, "_standin.v"): // which replaces a library module
				case strings.HasSuffix(path, "_rings.v"): // which has a module for each ring port
					assert.Regexp(t, "^"+f.p.Name+`_rings\d+$`, name)
				default:
					assert.Equal(t, name+".v", filepath.Base(path))
				}
			}
			return nil
		}))
		assert.Greater(t, found, 15, f.p.Name)
	}
}
