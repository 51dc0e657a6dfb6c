// SPDX-License-Identifier: Apache-2.0

package assemble

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/arbitrary"
	"github.com/hcgen/hcgen/internal/arbitrary/machines"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// contents makes all files of a machine in memory.
func contents(t *testing.T, m *machine.Machine) map[string]string {
	t.Helper()
	files, err := Files(plan.New(m), Options{})
	require.NoError(t, err)
	made := map[string]string{}
	for _, f := range files {
		var b bytes.Buffer
		require.NoError(t, f.Content(&b), f.Path)
		_, twice := made[f.Path]
		require.False(t, twice, "%s is made twice", f.Path)
		made[f.Path] = b.String()
	}
	return made
}

func loaded(t *testing.T, source string) *machine.Machine {
	t.Helper()
	m, _, diags := machine.LoadBytes("test.hcl", []byte(source), nil)
	require.False(t, diags.HasErrors(), diags.Error())
	return m
}

const ring5 = `
machine "ring5" {
  dimension "x" {
    m   = 5
    rho = 1
  }
}
traffic "few" {
  cycles = 40
  broadcast {
    sources = [[0], [3]]
  }
}
`

func TestFilesOfAMachine(t *testing.T) {
	made := contents(t, loaded(t, ring5))
	var paths []string
	for path := range made {
		if !strings.HasPrefix(path, "tb/") {
			paths = append(paths, path)
		}
	}
	assert.ElementsMatch(t, []string{
		".gitattributes", "Bender.yml", "Makefile", "filelist.f", "fusesoc/Vrouter.h", "ring5.core", "waves/network.gtkw", "waves/router.gtkw",
		"formal/ring5_hc_prove_group.v", "formal/ring5_hc_prove_input.v", "formal/ring5_hc_prove_local.v", "formal/ring5_hc_prove_marks.v",
		"formal/ring5_hc_prove_output.v", "formal/ring5_hc_prove_pace.v", "formal/ring5_hc_prove_ring.v", "formal/ring5_hc_prove_silent.v", "formal/prove.sh", "formal/cut.awk", "formal/netlist.awk", "formal/wiring.awk",
		"formal/ring5_network.sby", "formal/ring5_router.sby", "formal/ring5_proof.v", "formal/ring5_structure.v",
		"formal/ring5_rings.v", "formal/ring5_rings0.sby", "formal/ring5_rings1.sby",
		"integration/ecp5.ys", "integration/gowin.ys", "integration/xc7.ys", "integration/vivado.tcl", "integration/ring5.2014.xml", "integration/ring5.2022.xml",
		"integration/ring5_components.vhd", "integration/ring5_streams.v", "integration/ring5_cocotb.py", "integration/ring5.vh", "integration/ring5_instance.vh", "integration/ring5_bench.v", "integration/ring5_nodes.sv", "integration/ring5_nodes_pkg.sv",
		"golden/alone.trace", "golden/few.trace", "golden/router.trace",
		"rtl/ring5_hc_arbiter.v", "rtl/ring5_hc_delivery.v", "rtl/ring5_hc_group.v", "rtl/ring5_hc_link_input.v", "rtl/ring5_hc_local_input.v",
		"rtl/ring5_hc_output.v", "rtl/ring5_hc_pace.v", "rtl/ring5_hc_ring_mark.v", "rtl/ring5_hc_ring_port.v", "rtl/ring5_hc_select.v", "rtl/ring5_hc_tree_arbiter.v",
		"rtl/ring5_network.v", "rtl/ring5_router.v",
		"report/html.awk", "report/machine.sh", "report/page.awk", "report/page.html", "report/report.sh", "report/results.awk",
		"report/timeline.awk",
		"synth/ring5_network_pins.v", "synth/ring5_router_pins.v", "synth/synth.sh", "synth/ice40/settings.sh", "synth/ice40/clock_buffer.vh",
	}, paths)
	assert.Contains(t, made, "tb/bench_config.h")
	for _, f := range strings.Fields(made["filelist.f"]) {
		assert.Contains(t, made, f)
	}
	assert.Contains(t, made["golden/few.trace"], "# hcgen-trace v1 machine=ring5 config=")
}

// hc_packets comes with machines whose messages have a source id and tlast, and one stream per node. All
// lists of Verilog files have it, and make lint reads it.
func TestPacketsComeWithLastAndSourceID(t *testing.T) {
	for _, c := range []struct {
		blocks string
		comes  bool
	}{
		{"message {\n  last = true\n  source_id = true\n}", true},
		{"message {\n  last = true\n  source_id = true\n  destination = true\n}", true},
		{"network = false\nmessage {\n  last = true\n  source_id = true\n}", true},
		{"message {\n  last = true\n}", false},
		{"message {\n  source_id = true\n}", false},
		{"message {\n  last = true\n  source_id = true\n}\nrouter {\n  delivery = \"per_port\"\n}", false},
		{"message {\n  source_id = true\n}\nrouter {\n  kind = \"programmable\"\n}", false},
	} {
		made := contents(t, loaded(t, strings.Replace(ring5, `machine "ring5" {`, "machine \"ring5\" {\n"+c.blocks, 1)))
		tops := regexp.MustCompile(`(?m)^TOPS .*$`).FindString(made["Makefile"])
		require.NotEmpty(t, tops)
		assert.Equal(t, c.comes, strings.HasSuffix(tops, " ring5_hc_packets"), c.blocks)
		for _, file := range []string{"rtl/ring5_hc_packets.v", "tb/packets_main.cpp"} {
			_, there := made[file]
			assert.Equal(t, c.comes, there, "%s of %s", file, c.blocks)
		}
		assert.Equal(t, c.comes, regexp.MustCompile(`(?m)^sim:.* sim-packets `).MatchString(made["Makefile"]), c.blocks)
		for _, list := range []string{"filelist.f", "Bender.yml", "ring5.core"} {
			assert.Equal(t, c.comes, strings.Contains(made[list], "rtl/ring5_hc_packets.v\n"), "%s of %s", list, c.blocks)
		}
	}
}

func TestRouterOnlyMachineHasNoNetworkFiles(t *testing.T) {
	made := contents(t, loaded(t, strings.Replace(ring5, `machine "ring5" {`, "machine \"ring5\" {\n  network = false", 1)))
	for path, content := range made {
		assert.NotContains(t, path, "network")
		assert.NotContains(t, path, "alone")
		if path == "Makefile" {
			assert.NotContains(t, content, "Vnetwork")
		}
	}
	assert.Contains(t, made["golden/few.trace"], " s_link", "the trace of node 0 has its inputs too")
}

// A short run has every fourth of the example machines.
func TestSameMachineGivesSameBytes(t *testing.T) {
	configs, err := filepath.Glob("../../configs/*.hcl")
	require.NoError(t, err)
	for i, config := range configs {
		t.Run(filepath.Base(config), func(t *testing.T) {
			if i%4 != 0 {
				needs.Time(t)
			}
			first, _, diags := machine.Load(config, nil)
			require.False(t, diags.HasErrors(), diags.Error())
			second, _, _ := machine.Load(config, nil)
			a, b := contents(t, first), contents(t, second)
			require.Equal(t, len(a), len(b))
			for path := range a {
				assert.True(t, a[path] == b[path], "%s differs between two runs", path)
			}
		})
	}
}

var tooLong = regexp.MustCompile(`(?m)^.{121,}$`)

func TestGeneratedTextIsTidy(t *testing.T) {
	home, err := os.Getwd()
	require.NoError(t, err)
	for path, content := range contents(t, loaded(t, ring5)) {
		assert.NotContains(t, content, home, "%s holds a path of the machine it was made on", path)
		if strings.HasPrefix(path, "golden/") {
			continue
		}
		assert.NotRegexp(t, `[ \t]\n`, content, "%s has trailing blanks", path)
		assert.True(t, strings.HasSuffix(content, "\n"), path)
		if strings.HasSuffix(path, ".v") {
			assert.NotRegexp(t, tooLong, content, path)
			assert.Contains(t, content, "SPDX-License-Identifier", path)
			assert.NotContains(t, content, "lint_off", path)
		}
	}
}

// machineOf builds a machine without going through HCL.
func machineOf(t *testing.T, name string, payload int, sourceID bool, pref hypercycle.Preference, rings ...hypercycle.Dimension) *machine.Machine {
	t.Helper()
	m, err := machine.Bare(rings...)
	require.NoError(t, err)
	m.PayloadBits, m.SourceID, m.Preference = payload, sourceID, pref
	return completed(name, m)
}

// completed gives a machine a name, a synthesis, and a network if it is small.
func completed(name string, m *machine.Machine) *machine.Machine {
	m.Name = name
	m.Network, m.Hash = m.Graph.Nodes() <= 40, strings.Repeat("0", 64)
	m.Synthesis = []machine.Synthesis{{Name: "hx8k", Family: "ice40", Device: "hx8k", Package: "ct256", ClockMHz: 100, Seeds: []int{1}}}
	return m
}

var anyMachine = rapid.Custom(func(t *rapid.T) *machine.Machine {
	return machines.Draw(t, arbitrary.Limits{Nodes: math.MaxInt32, Ring: 15})
})

// lintMachines are the corner machines and a seeded draw of others.
func lintMachines(t *testing.T) []*machine.Machine {
	ring := func(m, rho int) hypercycle.Dimension { return hypercycle.Dimension{M: m, Rho: rho} }
	cw, ccw, balanced := hypercycle.Clockwise, hypercycle.Counterclockwise, hypercycle.Balanced
	machines := []*machine.Machine{
		machineOf(t, "smallest", 1, false, cw, ring(2, 1)),
		machineOf(t, "smallest_id", 1, true, ccw, ring(2, 1)),
		machineOf(t, "three", 7, true, balanced, ring(3, 1)),
		machineOf(t, "antipode", 8, false, ccw, ring(8, 4)),
		machineOf(t, "odd_ring", 33, false, cw, ring(9, 1)),
		machineOf(t, "never_fed", 5, false, cw, ring(14, 6)),
		machineOf(t, "never_fed_cw", 5, false, ccw, ring(14, 6)),
		machineOf(t, "widest", 1024, true, cw, ring(5, 1)),
		machineOf(t, "degree16", 9, true, balanced, ring(2, 1), ring(2, 1), ring(2, 1), ring(14, 7)),
		machineOf(t, "four", 16, false, cw, ring(15, 2), ring(15, 2), ring(15, 2), ring(15, 2)),
		machineOf(t, "cube16", 4, true, cw, slices.Repeat([]hypercycle.Dimension{ring(2, 1)}, 16)...),
	}
	for i := range 12 {
		machines = append(machines, completed(fmt.Sprintf("random%d", i), anyMachine.Example(i)))
	}
	return machines
}

// Three tools accept the files of corner and random machines without a warning.
func TestGeneratedVerilogIsCleanForCornerAndRandomMachines(t *testing.T) {
	needs.Time(t)
	for _, m := range append(lintMachines(t), programmableMachines(t)...) {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			p := plan.New(m)
			dir := t.TempDir()
			files, err := Files(p, Options{})
			require.NoError(t, err)
			var names []string
			for _, f := range files {
				if f.Role != "rtl" {
					continue
				}
				var b bytes.Buffer
				require.NoError(t, f.Content(&b))
				name := filepath.Base(f.Path)
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o644))
				names = append(names, name)
			}
			tops := []string{p.RouterModule}
			if m.Network {
				tops = append(tops, p.NetworkModule)
			}
			for _, top := range tops {
				clean(t, dir, "verilator", append([]string{"--lint-only", "-Wall", "--top-module", top}, names...)...)
				clean(t, dir, "verilator", append([]string{"--lint-only", "-Wall", "--language", "1364-2005", "--top-module", top}, names...)...)
				clean(t, dir, "iverilog", append([]string{"-g2005", "-Wall", "-t", "null", "-s", top}, names...)...)
				clean(t, dir, "yosys", "-q", "-p",
					"read_verilog "+strings.Join(names, " ")+"; hierarchy -check -top "+top+"; proc; check -assert")
			}
		})
	}
}

// clean runs a tool that must succeed and print nothing.
func clean(t *testing.T, dir, tool string, arguments ...string) {
	t.Helper()
	needs.Tools(t, tool)
	command := exec.Command(tool, arguments...)
	command.Dir = dir
	text, err := command.CombinedOutput()
	assert.NoError(t, err, "%s: %s", tool, text)
	assert.Empty(t, string(text), tool)
}
