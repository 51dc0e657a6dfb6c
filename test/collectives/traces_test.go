// SPDX-License-Identifier: Apache-2.0

package collectives

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// Every network equals the reference model in every cycle of its golden trace, those with an operator of hcgen in chunks.
func TestNetworksEqualTheModel(t *testing.T) {
	for i, r := range []rings{{"3, 1"}, {"5, 1", "3, 1"}, {"4, 2"}, {"3, 1, 1"}, {"4, 1, 1", "4, 1, 3"}, {"8, 1, 2"}} {
		t.Run(strings.Join(r, "; "), func(t *testing.T) {
			if i > 0 {
				needs.Time(t)
			}
			needs.Tools(t, "verilator", "g++")
			latency := []int{3, 0, 1, 0, 2, 0}[i]
			text := inChunks(everyNetwork(r, []int{9, 1, 65}[i%3], latency), []int{4, 1, 2, 1, 1, 33}[i])
			m, out := harness.Generate(t, harness.Text(t, text), nil)
			require.NoError(t, os.WriteFile(filepath.Join(out, "rtl/test_operator.v"), []byte(operatorModule(latency)), 0o644))
			targets := []string{"sim-net1", "sim-turns6", "sim-net_min", "sim-net_two"}
			if !testing.Short() {
				targets = []string{"sim"}
			}
			text = harness.Make(t.Context(), t, out, targets...)
			for _, c := range m.Collectives {
				if !testing.Short() {
					assert.Contains(t, text, "PASS: m__"+c.Name+"_network: ")
				}
			}
			assert.Contains(t, text, " 30 operations, ")
		})
	}
}

// What synthesis makes of a network equals the model, too, and a node is placed and routed. A module of the user is not
// in the netlist that is compared, because the traces have one that adds.
func TestNetlistsEqualTheModel(t *testing.T) {
	needs.Time(t)
	needs.Tools(t, "verilator", "g++", "yosys", "nextpnr-ice40")
	for _, n := range []network{
		{rings{"3, 1"}, "all-reduce", "payload_bits = 4\n"},
		{rings{"3, 1"}, "gather", "payload_bits = 4\nroot = [1]\n"},
		{rings{"3, 1, 2"}, "all-reduce", "payload_bits = 4\n"},
		{rings{"3, 1"}, oneWord, "payload_bits = 4\noperator_module = \"test_operator\"\noperator_latency = 1\n"},
		{rings{"3, 1, 1"}, "reduce-scatter", "payload_bits = 4\n" + inTurns(1)},
		{rings{"3, 1"}, "all-gather, all-reduce, broadcast", "payload_bits = 4\nroot = [1]\n"},
	} {
		t.Run(n.name(), func(t *testing.T) {
			_, out := n.generate(t)
			assert.Contains(t, harness.Make(t.Context(), t, out, "netlist"), "PASS: m__net_network: ")
			harness.Make(t.Context(), t, out, "synth", "SEEDS=1")
			data, err := os.ReadFile(filepath.Join(out, "build/synth-net/hx8k/summary.json"))
			require.NoError(t, err)
			var summary struct {
				Placed  string
				Node    struct{ LUT4, FF int }
				Network struct{ LUT4, FF int }
			}
			require.NoError(t, json.Unmarshal(data, &summary))
			assert.Equal(t, "node", summary.Placed)
			assert.Positive(t, summary.Node.LUT4)
			assert.Greater(t, summary.Network.LUT4, summary.Node.LUT4)
			harness.Make(t.Context(), t, out, "synth", "SEEDS=1", "PLACE=network")
			assert.FileExists(t, filepath.Join(out, "build/synth-net-network/hx8k/summary.json"))
		})
	}
}
