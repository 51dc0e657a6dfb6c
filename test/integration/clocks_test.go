// SPDX-License-Identifier: Apache-2.0

package integration

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/gen/rtl"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// Machines with several clocks: in one of two dimensions, with registers in the other, and in both.
var severalClocks = map[string]string{
	"rows": "machine \"rows\" {\n node_errors = true\n dimension \"x\" {\n m = 3\n rho = 1\n link {\n kind = \"wires\"\n registers = 2\n }\n }\n" +
		"dimension \"y\" {\n m = 3\n rho = 1\n link {\n kind = \"clocks\"\n }\n }\n" + allOfMessages + "router {\n barrier = true\n delivery = \"per_port\"\n }\n }\n",
	// chips, on which cables of words of 8 and 64 bits end
	"boards": "machine \"boards\" {\n dimension \"x\" {\n m = 2\n rho = 1\n }\n dimension \"y\" {\n m = 3\n rho = 1\n link {\n kind = \"chips\"\n word_bits = 8\n }\n }\n" +
		"dimension \"z\" {\n m = 2\n rho = 1\n link {\n kind = \"chips\"\n word_bits = 64\n }\n }\n" + allOfMessages + "router {\n barrier = true\n }\n }\n",
	// a chip inside the board, with endpoints
	"boxes": "machine \"boxes\" {\n dimension \"x\" {\n m = 2\n rho = 1\n }\n dimension \"y\" {\n m = 2\n rho = 1\n link {\n kind = \"chips\"\n }\n }\n endpoint {\n bus = \"axi4lite\"\n }\n }\n",
	"both": "machine \"both\" {\n dimension \"x\" {\n m = 3\n rho = 1\n link {\n kind = \"clocks\"\n }\n }\n" +
		"dimension \"y\" {\n m = 2\n rho = 1\n link {\n kind = \"clocks\"\n }\n }\n }\n",
}

// netlist is a network after Yosys has flattened it.
type netlist struct {
	Ports map[string]struct {
		Bits []any `json:"bits"`
	} `json:"ports"`
	Cells map[string]struct {
		Type        string            `json:"type"`
		Directions  map[string]string `json:"port_directions"`
		Connections map[string][]any  `json:"connections"`
	} `json:"cells"`
	Names map[string]struct {
		Bits []any `json:"bits"`
	} `json:"netnames"`
}

func readNetlist(t *testing.T, out, top string) *netlist {
	t.Helper()
	needs.Tools(t, "yosys")
	command := exec.CommandContext(t.Context(), "yosys", "-q", "-p",
		"read_verilog rtl/*.v; hierarchy -check -top "+top+"; proc; flatten; memory_collect; opt_clean; write_json netlist.json")
	command.Dir = out
	text, err := command.CombinedOutput()
	require.NoError(t, err, "%s", text)
	data, err := os.ReadFile(filepath.Join(out, "netlist.json"))
	require.NoError(t, err)
	var design struct {
		Modules map[string]*netlist `json:"modules"`
	}
	require.NoError(t, json.Unmarshal(data, &design))
	require.Contains(t, design.Modules, top)
	return design.Modules[top]
}

// module is the one with crossings, and the clock of a lane of a port that is no clock; none for an input that stands still.
func module(p *plan.Plan) (name string, wires []plan.Wire, clock func(w plan.Wire, lane int) (index int, has bool)) {
	if p.Chips == nil {
		return p.NetworkModule, p.NetworkWires(), func(w plan.Wire, lane int) (int, bool) {
			if w.Network == plan.PerNode {
				lane = p.Region(lane * p.Nodes / w.Width())
			}
			return lane, true
		}
	}
	name, wires = p.Chips.Module, p.ChipWires()
	if p.Endpoint != nil {
		name, wires = p.Endpoint.BoardModule, p.BoardWires()
	}
	return name, wires, func(w plan.Wire, _ int) (int, bool) {
		for i, q := range p.Chips.Cables {
			if strings.HasPrefix(w.Name, q.Wire("rx_")) {
				return 1 + i, true
			}
		}
		return 0, w.Name != "chip"
	}
}

// crossings finds faults of the clock crossings of a network or of a chip: registers, memories and ports that depend on another
// clock than their own, except for the first stages that both files of constraints name, and names of other registers.
func crossings(t *testing.T, p *plan.Plan, out string) (faults []string) {
	t.Helper()
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	top, wires, clockOf := module(p)
	n := readNetlist(t, out, top)
	regionOf := map[any]int{}   // of a clock, by its bit
	indexOf := map[string]int{} // of a clock, by its name in variables
	for c, clock := range rtl.Clocks(p) {
		port, lane, _ := strings.Cut(strings.TrimSuffix(clock.Port, "]"), "[")
		bit, _ := strconv.Atoi(lane)
		require.Greater(t, len(n.Ports[port].Bits), bit)
		regionOf[n.Ports[port].Bits[bit]] = c
		indexOf[clock.Name] = c
	}

	// What drives a bit: a register of a region, or gates.
	own := map[any]int{}
	gates := map[any][]any{}
	for _, w := range wires {
		for i, bit := range n.Ports[w.Name].Bits {
			if _, clock := regionOf[bit]; w.Output || clock {
				continue
			}
			if region, ok := clockOf(w, i); ok {
				own[bit] = region
			}
		}
	}
	registers := map[any]any{} // D of each Q
	type end struct {
		what   string
		bit, q any // what is taken, and of a register what it drives
		region int
	}
	var ends []end
	for name, cell := range n.Cells {
		switch cell.Type {
		case "$dff":
			region, ok := regionOf[cell.Connections["CLK"][0]]
			if !ok {
				fault("%s has no clock of %s", name, top)
			}
			for i, q := range cell.Connections["Q"] {
				own[q] = region
				registers[q] = cell.Connections["D"][i]
				ends = append(ends, end{name, registers[q], q, region})
			}
		case "$mem_v2":
			for _, data := range cell.Connections["RD_DATA"] {
				gates[data] = cell.Connections["RD_ADDR"]
			}
			region := regionOf[cell.Connections["WR_CLK"][0]]
			for _, port := range []string{"WR_ADDR", "WR_DATA", "WR_EN"} {
				for _, bit := range cell.Connections[port] {
					ends = append(ends, end{name + " " + port, bit, nil, region})
				}
			}
		default:
			require.NotContains(t, cell.Type, "dff", "a register of a kind that the test does not know")
			var inputs []any
			for port, bits := range cell.Connections {
				if cell.Directions[port] == "input" {
					inputs = append(inputs, bits...)
				}
			}
			for port, bits := range cell.Connections {
				if cell.Directions[port] == "output" {
					for _, bit := range bits {
						gates[bit] = inputs
					}
				}
			}
		}
	}
	known := map[any]map[int]bool{}
	var domains func(bit any) map[int]bool
	domains = func(bit any) map[int]bool {
		if found, ok := known[bit]; ok {
			return found
		}
		set := map[int]bool{}
		known[bit] = set
		if region, ok := own[bit]; ok {
			set[region] = true
			return set
		}
		for _, b := range gates[bit] {
			maps.Copy(set, domains(b))
		}
		return set
	}

	// The crossings that the constraints name, with the period of each; a bit alone has none.
	const single = -1
	named := map[string]int{}
	for _, file := range []string{p.Name + ".xdc", p.Name + ".sdc"} {
		list := map[string]int{}
		text, err := os.ReadFile(filepath.Join(out, "integration", file))
		require.NoError(t, err)
		at := strings.ReplaceAll(regexp.MustCompile(`(?m)^set \w+_at "(.*)"$`).FindStringSubmatch(string(text))[1], "/", ".")
		for line := range strings.Lines(string(text)) {
			if m := bitConstraint.FindStringSubmatch(line); m != nil {
				list[at+strings.ReplaceAll(m[1], "/", ".")] = single
			}
			m := constraint.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			period := regexp.MustCompile(`_period_(\w+)`).FindStringSubmatch(line)
			require.NotNil(t, period, line)
			c, known := indexOf[period[1]]
			require.True(t, known, line)
			if same, err := path.Match(m[1], m[2]); m[1] != "" && !same {
				require.NoError(t, err)
				fault("%s: from %s to %s", file, m[1], m[2])
			}
			list[at+strings.ReplaceAll(m[2], "/", ".")] = c
		}
		if len(named) > 0 && !maps.Equal(named, list) {
			fault("%s has other crossings than the file before", file)
		}
		named = list
	}
	require.NotEmpty(t, named)

	first := map[any]bool{}
	for name, net := range n.Names {
		at, ok := strings.CutSuffix(name, ".first_q")
		if !ok {
			continue
		}
		from, ok := named[at]
		if !ok {
			fault("no constraint names %s", name)
			continue
		}
		delete(named, at)
		if from == single {
			require.Len(t, net.Bits, 1)
			first[net.Bits[0]] = true
			if _, ok := registers[registers[net.Bits[0]]]; !ok {
				fault("%s does not come from a register", name)
			}
			continue
		}
		launched := n.Names[at+".launched_q"].Bits
		for i, q := range net.Bits {
			first[q] = true
			if i >= len(launched) || registers[q] != launched[i] || own[launched[i]] != from {
				fault("bit %d of %s does not come from launched_q in clock %d", i, name, from)
			}
		}
	}
	for _, at := range slices.Sorted(maps.Keys(named)) {
		fault("%s is not in the netlist", at)
	}

	for _, e := range ends {
		if first[e.q] {
			continue
		}
		for region := range domains(e.bit) {
			if region != e.region {
				fault("%s in clock %d depends on clock %d", e.what, e.region, region)
			}
		}
	}
	for _, w := range wires {
		if !w.Output {
			continue
		}
		for i, bit := range n.Ports[w.Name].Bits {
			region, _ := clockOf(w, i)
			for found := range domains(bit) {
				if found != region {
					fault("bit %d of %s depends on clock %d", i, w.Name, found)
				}
			}
		}
	}
	return faults
}

// constraint is a line that limits the delay of a crossing.
var constraint = regexp.MustCompile(`set_max_delay .*?(?:-from .*_at\}(\S+)/launched_q\*.*)?-to .*_at\}(\S+)/first_q\*`)

// bitConstraint is a line that takes a single bit out of the timing.
var bitConstraint = regexp.MustCompile(`set_false_path -to .*_at\}(\S+)/first_q\*`)

// Nothing but the crossings that the constraints name leads from one clock to another.
func TestConstraintsNameAllCrossingsOfClocks(t *testing.T) {
	for name, text := range severalClocks {
		t.Run(name, func(t *testing.T) {
			m, out := harness.Generate(t, harness.Text(t, text), nil)
			assert.Empty(t, crossings(t, plan.New(m), out))
		})
	}
}

// Each of these faults is found.
func TestFaultsOfCrossingsAreFound(t *testing.T) {
	needs.Time(t)
	machines := map[string]*plan.Plan{}
	folders := map[string]string{}
	for _, name := range []string{"rows", "boards"} {
		m, out := harness.Generate(t, harness.Text(t, severalClocks[name]), nil)
		machines[name], folders[name] = plan.New(m), out
	}
	for _, c := range []struct{ file, old, new string }{
		{"rtl/boards_hc_chip_inbound.v", "always @(posedge rx_clk) bad_q", "always @(posedge clk) bad_q"},
		{"rtl/boards_hc_chip_inbound.v", ".from_flag(pattern_q)", ".from_flag(pattern_q & rst)"},
		{"rtl/boards_hc_chip_inbound.v", ".pattern   (rx_pattern)", ".pattern   (pattern_q)"},
		{"rtl/boards_chip.v", ".rx_clk           (cable2_rx_clk)", ".rx_clk           (cable3_rx_clk)"},
		{"integration/boards.xdc", "cable2/inbound/handshake/request_flag/first_q", "cable2/inbound/handshake/request_fag/first_q"},
		{"integration/boards.sdc", "$boards_chip_period_cable2", "$boards_chip_period_clk"},
		{"rtl/rows_network.v", ".to_clk    (clk[1])", ".to_clk    (clk[2])"},
		{"rtl/rows_network.v", ".m_clk        (clk[1])", ".m_clk        (clk[0])"},
		{"rtl/rows_network.v", "assign header_error[0] = |{link_error[", "assign header_error[0] = link_error[35] | |{link_error["},
		{"rtl/rows_hc_clock_crossing.v", "first_q <= launched_q", "first_q <= from_count"},
		{"rtl/rows_hc_link_clocks.v", "ready_q <= writes - reads_seen != FULL", "ready_q <= writes - read_q != FULL"},
		{"integration/rows.xdc", "n0_p2_late_pace/first_q", "n0_p2_late_space/first_q"},
		{"integration/rows.xdc", "n0_p*_late_pace/launched_q", "n1_p*_late_pace/launched_q"},
		{"integration/rows.sdc", "$rows_network_period_0", "$rows_network_period_1"},
	} {
		t.Run(c.file+" "+c.old, func(t *testing.T) {
			of := regexp.MustCompile(`/([a-z]+)`).FindStringSubmatch(c.file)[1]
			p, out := machines[of], folders[of]
			name := filepath.Join(out, c.file)
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			require.Contains(t, string(text), c.old)
			require.NoError(t, os.WriteFile(name, []byte(strings.Replace(string(text), c.old, c.new, 1)), 0o644))
			defer func() { require.NoError(t, os.WriteFile(name, text, 0o644)) }()
			assert.NotEmpty(t, crossings(t, p, out))
		})
	}
}

// The files of constraints and the script for Vivado are Tcl, and give their commands each crossing and each clock.
func TestScriptsOfSeveralClocksAreTcl(t *testing.T) {
	for name, c := range map[string]struct {
		counts, bits int // crossings
		period       string
		clocks       string
	}{
		"rows": {4 * 18, 0, "period_1 ", "create_clock -name clk_0 -period 10.000 [get_ports {clk[0]}]\ncreate_clock -name clk_1 -period 8.5 [get_ports {clk[1]}]\n" +
			"create_clock -name clk_2 -period 10.000 [get_ports {clk[2]}]\n"},
		"boards": {3 * 3, 3 * 3, "period_cable2 ", "create_clock -name clk -period 10.000 [get_ports {clk}]\ncreate_clock -name cable1_rx_clk -period 10.000 [get_ports {cable1_rx_clk}]\n" +
			"create_clock -name cable2_rx_clk -period 8.5 [get_ports {cable2_rx_clk}]\ncreate_clock -name cable3_rx_clk -period 10.000 [get_ports {cable3_rx_clk}]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			needs.Tools(t, "yosys")
			_, out := harness.Generate(t, harness.Text(t, severalClocks[name]), nil)
			stubs := "proc get_cells args {return [lindex $args end]}\n"
			for _, command := range []string{"set_max_delay", "set_bus_skew", "set_false_path", "read_verilog", "read_xdc", "synth_design", "report_utilization", "report_timing_summary"} {
				stubs += "proc " + command + " args {puts \"" + command + " $args\"}\n"
			}
			execute := func(script string) string {
				command := exec.CommandContext(t.Context(), "yosys", "-Q", "-q", "-c", "stubs.tcl")
				command.Dir = out
				require.NoError(t, os.WriteFile(filepath.Join(out, "stubs.tcl"), []byte(stubs+"set argv {}\nsource "+script+"\n"), 0o644))
				text, err := command.CombinedOutput()
				require.NoError(t, err, "%s", text)
				return string(text)
			}
			for file, second := range map[string]string{".xdc": "set_bus_skew ", ".sdc": "set_false_path -hold "} {
				text := execute("integration/" + name + file)
				assert.Equal(t, c.counts, strings.Count(text, "set_max_delay "), file)
				assert.Equal(t, c.counts, strings.Count(text, second), file)
				assert.Equal(t, c.bits, strings.Count(text, "set_false_path -to "), file)
				assert.NotContains(t, text, "$")
			}
			constraints := harness.File(t, out, "integration/"+name+".xdc")
			text, err := os.ReadFile(constraints)
			require.NoError(t, err)
			require.Contains(t, string(text), c.period+"10.000")
			require.NoError(t, os.WriteFile(constraints, []byte(strings.Replace(string(text), c.period+"10.000", c.period+"8.5", 1)), 0o644))
			assert.Contains(t, execute("integration/vivado.tcl"), "read_xdc integration/"+name+".xdc\n")
			clocks, err := os.ReadFile(filepath.Join(out, "build", "vivado.xdc"))
			require.NoError(t, err)
			assert.Equal(t, c.clocks, string(clocks))
		})
	}
}

// Block RAM with two clocks holds the words of the links, and no register has an unknown clock.
func TestLinksBetweenClocksHaveBlockRAM(t *testing.T) {
	needs.Tools(t, "yosys")
	for _, c := range []struct{ script, memory string }{{"synth_ice40 -noflatten", "SB_RAM40_4K"}, {"synth_ecp5 -noflatten", "DP16KD"}} {
		t.Run(c.script, func(t *testing.T) {
			_, out := harness.Generate(t, harness.Text(t, severalClocks["both"]), nil)
			command := exec.CommandContext(t.Context(), "yosys", "-p", "read_verilog rtl/*.v; hierarchy -check -top both_network; "+c.script+" -top both_network; check -assert; stat")
			command.Dir = out
			text, err := command.CombinedOutput()
			require.NoError(t, err, "%s", text)
			assert.Contains(t, string(text), c.memory)
		})
	}
}

// register is a flip-flop in a netlist of Yosys, which does not name it by its register.
var register = regexp.MustCompile(`DFF \S+ \(([^;]*?)\.Q\((\w+)(\[\d+\])?\)`)

// concatenation is an assignment to several wires, which OpenSTA does not read. None lies between the registers of a crossing.
var concatenation = regexp.MustCompile(`(?m)^ *assign \{.*;$`)

// OpenSTA finds the registers that the constraints name, also in a module inside another design. Each crossing of a count has a cycle
// of its clock, and nothing to hold. One of a bit has no time.
func TestConstraintsInOpenSTA(t *testing.T) {
	for _, name := range []string{"both", "boards"} {
		t.Run(name, func(t *testing.T) {
			if name == "boards" {
				needs.Time(t)
			}
			constraintsInOpenSTA(t, name)
		})
	}
}

func constraintsInOpenSTA(t *testing.T, name string) {
	needs.Tools(t, "yosys", "sta")
	text := strings.Replace(severalClocks[name], allOfMessages, "", 1)
	m, out := harness.Generate(t, harness.Text(t, strings.Replace(text, "{", "{\n message {\n payload_bits = 1\n }", 1)), nil)
	p := plan.New(m)
	module, _, _ := module(p)
	read := func(name string) string {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		return string(text)
	}
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(out, name), []byte(text), 0o644))
	}
	run := func(words ...string) string {
		command := exec.CommandContext(t.Context(), words[0], words[1:]...)
		command.Dir = out
		text, err := command.CombinedOutput()
		require.NoError(t, err, "%s", text)
		return string(text)
	}
	for _, name := range []string{"cells.lib", "gates.v"} {
		write(name, read(filepath.Join("testdata", name)))
	}
	run("yosys", "-q", "-p", "read_verilog rtl/*.v; hierarchy -check -top "+module+"; synth -top "+module+"; dfflibmap -liberty cells.lib; "+
		"abc -g NAND; techmap -map gates.v; clean; write_verilog -noattr -noexpr netlist.v")
	netlist := register.ReplaceAllString(read(filepath.Join(out, "netlist.v")), `DFF \${2}_reg$3 ($1.Q($2$3)`)
	netlist = concatenation.ReplaceAllString(netlist, "")
	// Two levels around the module, with its clocks.
	clocks := rtl.Clocks(p)
	widths := map[string]int{}
	for _, c := range clocks {
		port, _, _ := strings.Cut(c.Port, "[")
		widths[port]++
	}
	var inputs, connections []string
	for _, port := range slices.Sorted(maps.Keys(widths)) {
		inputs = append(inputs, fmt.Sprintf("input %s", strings.TrimPrefix(fmt.Sprintf("[%d:0] %s", widths[port]-1, port), "[0:0] ")))
		connections = append(connections, fmt.Sprintf(".%s(%s)", port, port))
	}
	write("netlist.v", netlist+fmt.Sprintf("module middle (%s);\n    %s part (%s);\nendmodule\nmodule outer (%[1]s);\n    middle inner (%[3]s);\nendmodule\n",
		strings.Join(inputs, ", "), module, strings.Join(connections, ", ")))

	original, changes := read(filepath.Join(out, "integration", name+".sdc")), 0
	for _, at := range []string{"", "inner/part/"} {
		top := module
		if at != "" {
			top = "outer"
		}
		var script strings.Builder
		fmt.Fprintf(&script, "read_liberty cells.lib\nread_verilog netlist.v\nlink_design %s\n", top)
		constraints := strings.Replace(original, "_at \"\"", "_at \""+at+"\"", 1)
		periods := map[rtl.Clock]int{}
		for i, c := range clocks {
			periods[c] = 10 + i
			fmt.Fprintf(&script, "create_clock -name clk_%s -period %d [get_ports %s]\n", c.Name, periods[c], strings.NewReplacer("[", "\\[", "]", "\\]").Replace(c.Port))
			with := strings.Replace(constraints, fmt.Sprintf("_period_%s 10.000", c.Name), fmt.Sprintf("_period_%s %d", c.Name, periods[c]), 1)
			if with != constraints {
				changes++
			}
			constraints = with
		}
		write("own.sdc", constraints)
		fmt.Fprintf(&script, "source own.sdc\n")
		list := rtl.Crossings(p)
		for _, c := range list {
			for _, delay := range []string{"max", "min"} {
				fmt.Fprintf(&script, "puts {crossing %s}\nreport_checks -to [get_cells {%s%s/first_q*}] -path_delay %s\n", c.Path, at, c.Path, delay)
			}
		}
		write("check.tcl", script.String())
		text := run("sta", "-no_splash", "-exit", "check.tcl")
		parts := strings.Split(text, "crossing ")
		require.Len(t, parts, 1+2*len(list))
		assert.Empty(t, strings.TrimSpace(parts[0]), "warnings and errors")
		for i, c := range list {
			none := c.Path + "\nNo paths found."
			if c.Flag {
				assert.Equal(t, none, strings.TrimSpace(parts[1+2*i]))
			} else {
				assert.Regexp(t, fmt.Sprintf(`(?s)^%s\n.*Endpoint: %s%s/first_q_reg.* %d\.00 +max_delay\n`, c.Path, at, c.Path, periods[c.From]), parts[1+2*i])
			}
			assert.Equal(t, none, strings.TrimSpace(parts[2+2*i]))
		}
	}
	assert.Equal(t, 2*len(clocks), changes)
}
