// SPDX-License-Identifier: Apache-2.0

package configs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// deepMachine has queues of its own depth. A dimension of it is "m, rho".
func deepMachine(depth, payload int, network bool, dimensions ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "machine \"deep\" {\n  network = %t\n", network)
	for i, d := range dimensions {
		m, rho, _ := strings.Cut(d, ", ")
		fmt.Fprintf(&b, "  dimension \"d%d\" {\n    m   = %s\n    rho = %s\n  }\n", i, m, rho)
	}
	fmt.Fprintf(&b, "  message {\n    payload_bits = %d\n    source_id    = true\n  }\n  router {\n    fifo_depth = %d\n  }\n}\n", payload, depth)
	fmt.Fprint(&b, "traffic \"storm\" {\n  cycles = 2000\n  random {\n    rate  = 0.8\n    stall = 0.6\n  }\n}\n")
	return b.String()
}

// Queues of every depth do what the model does: those of slots that move, and those in
// a memory, with powers of two of slots and without; on routers with entry ports alone,
// beside ring ports, under another dimension, and with delivery as the only queue.
func TestQueueDepthsEqualTheModel(t *testing.T) {
	for _, c := range []struct {
		name, text string
	}{
		{"3 slots beside ring ports", deepMachine(3, 8, true, "6, 2")},
		{"4 slots of delivery alone", deepMachine(4, 32, true, "4, 1")},
		{"7 slots of one dimension under another", deepMachine(7, 1, true, "2, 1", "3, 1")},
		{"11 slots in a memory", deepMachine(11, 32, true, "5, 2")},
		{"16 slots in a memory behind ring ports", deepMachine(16, 16, false, "3, 1", "6, 2")},
		{"16 slots of 4 bits that move", deepMachine(16, 1, false, "6, 3")},
		{"16 slots of 16 entry ports", deepMachine(16, 24, false, "17, 8")},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			config := filepath.Join(t.TempDir(), "deep.hcl")
			require.NoError(t, os.WriteFile(config, []byte(c.text), 0o644))
			m, out := generate(t, config, nil)
			text := runMake(t.Context(), t, out, "lint", "sim", "JOBS=1")
			assert.Contains(t, text, "PASS: deep_router.router: ")
			if m.Network {
				assert.Contains(t, text, "PASS: deep_network.storm: ")
			}
		})
	}
}

// What synthesis makes of a queue in a memory is block RAM with as many words as the
// queue has slots, and does what the model does.
func TestNetlistOfDeepQueuesEqualsTheModel(t *testing.T) {
	t.Parallel()
	config := filepath.Join(t.TempDir(), "deep.hcl")
	require.NoError(t, os.WriteFile(config, []byte(deepMachine(11, 16, true, "3, 1")), 0o644))
	m, out := generate(t, config, nil)
	text := runMake(t.Context(), t, out, "netlist", "JOBS=1")
	assertNetlists(t, m, out, text)
	netlist, err := os.ReadFile(filepath.Join(out, "build", "netlist", m.Synthesis[0].Name, "router.v"))
	require.NoError(t, err)
	assert.Contains(t, string(netlist), "  SB_RAM40_4K #")
}
