// SPDX-License-Identifier: Apache-2.0

// Package traces takes every example machine through lint, simulation against its golden traces and synthesis.
package traces

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// latency finds the cycles of a broadcast alone in the network.
var latency = regexp.MustCompile(`(?m)^PASS: \S+\.alone: .*\nlatency: (\d+) cycles`)

// The widest payload does not need a synthesis target that is large enough.
func TestWidestPayloadEqualsTheModel(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	m, out := harness.Example(t, "wide", map[string]string{"payload_bits": "1024"})
	require.Equal(t, machine.MaxPayloadBits, m.PayloadBits)
	harness.Make(t.Context(), t, out, "lint", "sim", "JOBS=1")
}

// Verilator takes $error outside of a procedure for SystemVerilog, in which it reads files by default.
func TestLintRefusesWhatIsNotVerilog2005(t *testing.T) {
	t.Parallel()
	m, out := harness.Example(t, "ring8", nil)
	harness.Make(t.Context(), t, out, "lint-verilator")
	name := filepath.Join(out, "rtl", m.Name+"_router.v")
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	text = bytes.Replace(text, []byte("\nendmodule\n"), []byte("\n    if (1 == 0) begin : never\n        $error(\"never\");\n    end\nendmodule\n"), 1)
	require.NoError(t, os.WriteFile(name, text, 0o644))
	command := exec.CommandContext(t.Context(), "make", "-C", out, "lint-verilator")
	answer, err := command.CombinedOutput()
	assert.Error(t, err)
	assert.Contains(t, string(answer), "verilator --lint-only -Wall --language 1364-2005: ring8_router\n%Error: rtl/ring8_router.v:")
}

// kinds are examples of each kind: two nodes, a ring, a torus, rings with links of distance 2, destinations with packets and
// a barrier, a programmable router, and a router alone.
var kinds = []string{"bit", "ring8", "torus4x4", "gh2_4", "addressed4x4", "programmable", "prototype15"}

// Every example is linted by three tools, equals the reference model in every
// cycle of every trace, and is synthesized, placed and routed. A short run has one example of each kind, and synthesizes the ring.
func TestExampleMachinesWithRealTools(t *testing.T) {
	require.Subset(t, harness.Examples(t), kinds)
	for _, config := range harness.Examples(t) {
		t.Run(config, func(t *testing.T) {
			t.Parallel()
			if !slices.Contains(kinds, config) {
				needs.Time(t)
			}
			m, out := harness.Example(t, config, nil)
			harness.Make(t.Context(), t, out, "lint", "JOBS=1")

			text := harness.Make(t.Context(), t, out, "sim", "JOBS=1")
			assert.Contains(t, text, "PASS: "+m.Name+"_router.router")
			for _, traffic := range m.Traffic {
				assert.Contains(t, text, "."+traffic.Name+":")
				assert.FileExists(t, filepath.Join(out, "build", "sim", traffic.Name+".xml"))
			}
			switch {
			case m.Clocks():
				assert.Contains(t, text, "PASS: "+m.Name+"_network.clocks: ")
				assert.FileExists(t, filepath.Join(out, "build", "sim", "clocks.xml"))
			case m.Network:
				assert.Contains(t, harness.Make(t.Context(), t, out, "free-run", "CYCLES=5000"), "PASS: "+m.Name+"_network.free_run: ")
				found := latency.FindStringSubmatch(text)
				require.NotNil(t, found, text)
				alone := 1
				for i, d := range m.Dimensions {
					alone += m.Graph.Dimension(i+1).D() * (1 + d.Link.Registers)
				}
				assert.Equal(t, strconv.Itoa(alone), found[1],
					"one broadcast alone takes a cycle for each hop and each register on the way, and one more, from injection to last delivery")
				if !testing.Short() || config == "ring8" {
					harness.Make(t.Context(), t, out, "sim-alone", "JOBS=1", "PLUSARGS=+trace=build/waves.vcd")
					view, vcd := filepath.Join(out, "waves", "network.gtkw"), filepath.Join(out, "build", "waves.vcd")
					assertWaves(t, view, vcd)
					if m.Delivery == machine.Merged && m.Graph.Nodes() <= 64 {
						injection := assertCycles(t, vcd, filepath.Join(out, "golden", "alone.trace"))
						assertInSight(t, view, injection+alone, injection)
					}
				}
			case len(m.Traffic) > 0:
				harness.Make(t.Context(), t, out, "sim-"+m.Traffic[0].Name, "JOBS=1", "PLUSARGS=+trace=build/waves.vcd")
				assertWaves(t, filepath.Join(out, "waves", "router.gtkw"), filepath.Join(out, "build", "waves.vcd"))
			}

			if testing.Short() && config != "ring8" {
				return // make test-all synthesizes the others
			}
			harness.Make(t.Context(), t, out, "synth", "JOBS=1", "SEEDS=1")
			for _, target := range m.Synthesis {
				data, err := os.ReadFile(filepath.Join(out, "build", "synth", target.Name, "summary.json"))
				require.NoError(t, err)
				var summary struct {
					Machine string
					Router  struct{ LUT4, FF, BRAM int }
					Network struct{ LUT4 *int }
					Clock   struct {
						Median float64 `json:"median_mhz"`
					}
					Seeds []struct {
						Seed int
						MHz  float64
					}
				}
				require.NoError(t, json.Unmarshal(data, &summary), string(data))
				assert.Equal(t, m.Name, summary.Machine)
				assert.Positive(t, summary.Router.LUT4)
				assert.Positive(t, summary.Router.FF)
				assert.Zero(t, summary.Router.BRAM)
				assert.Positive(t, summary.Clock.Median)
				assert.Len(t, summary.Seeds, 1)
				assert.Equal(t, m.Network, summary.Network.LUT4 != nil)

				harness.Make(t.Context(), t, out, "report")
				report, err := os.ReadFile(filepath.Join(out, "build", "report.html"))
				require.NoError(t, err)
				page := string(report)
				assert.NotContains(t, page, "outdated</span>")
				// Of a network also sim-alone and free-run, with several clocks sim-clocks, and with tlast and source ids sim-packets.
				ofNetwork := map[bool]int{true: 2}[m.Network]
				if m.Clocks() {
					ofNetwork = 1
				}
				if m.Endpoint != nil {
					ofNetwork += 3 // sim-system, sim-system-random and synth-system
				}
				assert.Equal(t, 4+len(m.Traffic)+len(m.Synthesis)+ofNetwork+map[bool]int{true: 1}[m.Last && m.SourceID],
					strings.Count(page, `<span class="mark passed">`)+strings.Count(page, `<span class="mark missed">`), "lint, sim, free-run and synth")
				assert.Contains(t, page, fmt.Sprintf("<th scope=\"row\">router</th><td>%d</td><td>%d</td>", summary.Router.LUT4, summary.Router.FF))
				assert.Regexp(t, fmt.Sprintf(`<th scope="row">median</th><td>%.2f</td>`, summary.Clock.Median), page)
			}
		})
	}
}
