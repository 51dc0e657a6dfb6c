// SPDX-License-Identifier: Apache-2.0

package endpoint

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/internal/arbitrary"
	"github.com/hcgen/hcgen/internal/arbitrary/machines"
	"github.com/hcgen/hcgen/plan"
)

func TestRandomAccessesDoWhatThePageSays(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines string
		rings [][2]int
	}{
		{"box", "", [][2]int{{2, 1}, {2, 1}}},
		{"box of AXI4-Lite", "bus = \"axi4lite\"", [][2]int{{2, 1}, {2, 1}}},
		{"two nodes", "", [][2]int{{2, 1}}},
		{"torus", "", [][2]int{{4, 1}, {4, 1}}},
		{"odd", "address_bits = 8", [][2]int{{3, 1}, {5, 2}}},
		{"no gets", "gets = false", [][2]int{{3, 1}, {2, 1}}},
		{"no adds", "adds = false\nbus = \"axi4lite\"", [][2]int{{3, 1}, {2, 1}}},
		{"neither", "gets = false\nadds = false", [][2]int{{5, 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			j, fault := judgeScript(endpoints(t, c.lines, c.rings...), 1, 200, 1_000_000)
			require.Empty(t, fault)
			t.Logf("%d cycles: %+v", j.Cycle(), j.stats)
		})
	}
}

// Random machines, with random accesses: every access ends long before the run does.
func TestRandomMachines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := machines.Draw(t, arbitrary.Limits{Nodes: 16, Degree: 8})
		if rapid.Bool().Draw(t, "registers on links") {
			machines.Registers(t, m)
		}
		p := plan.New(machines.Endpoints(t, m))
		j, fault := judgeScript(p, rapid.Int64().Draw(t, "seed"), 40, 1_000_000)
		require.Empty(t, fault)
		assert.Greater(t, j.stats.accesses, 40*p.Nodes)
		way := m.Graph.Diameter() * (1 + m.Stages + p.Latency())
		for kind, cycles := range j.stats.longest {
			assert.LessOrEqual(t, cycles, 20*p.Nodes+10*way, "%s, of a run of %d cycles", kind, j.Cycle())
		}
	})
}
