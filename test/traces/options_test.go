// SPDX-License-Identifier: Apache-2.0

package traces

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// Routers with every option equal the model: without bypass of the slots of their link inputs, with one
// slot and with more, with a local output for each port; with one port, with a ring of three nodes, with a
// link for both directions, with transfers, with groups of three dimensions, with the largest possible
// number of deliveries in a cycle. A short run has the first, with two stages and a local output for each port.
func TestOptionsEqualTheModel(t *testing.T) {
	for i, c := range []struct {
		options    harness.Options
		dimensions []string
	}{
		{harness.With(2, machine.PerPort, 2, true, true, 5), []string{"2, 1"}},
		{harness.With(2, machine.Merged, 3, false, false, 8), []string{"3, 1"}},
		{harness.With(1, machine.PerPort, 3, true, false, 1), []string{"4, 2"}},
		{harness.With(2, machine.PerPort, 2, false, false, 33), []string{"6, 2"}},
		{harness.With(1, machine.Merged, 8, true, true, 16), []string{"2, 1", "6, 2"}},
		{harness.With(1, machine.PerPort, 16, false, false, 16), []string{"5, 1", "3, 1"}},
		{harness.With(2, machine.Merged, 16, true, false, 2), []string{"2, 1", "4, 1", "2, 1", "3, 1"}},
		{harness.With(1, machine.PerPort, 2, false, false, 1), []string{"17, 8"}},
	} {
		t.Run(fmt.Sprintf("%d stages, fifo_depth %d, %s, %s", c.options.Stages, c.options.FifoDepth, c.options.Delivery, strings.Join(c.dimensions, "; ")), func(t *testing.T) {
			t.Parallel()
			if i > 0 {
				needs.Time(t)
			}
			m, out := harness.Generate(t, c.options.Machine(t, c.dimensions...), nil)
			require.Equal(t, c.options.Stages, m.Stages)
			require.Equal(t, c.options.Delivery, m.Delivery)
			text := harness.Make(t.Context(), t, out, "lint", "sim", "JOBS=1")
			assert.Contains(t, text, "PASS: options_router.router: ")
			assert.Contains(t, text, ".storm: ")
			if m.Network {
				found := latency.FindStringSubmatch(text)
				require.NotNil(t, found, text)
				assert.Equal(t, strconv.Itoa(c.options.Stages*m.Graph.Diameter()+1), found[1], "cycles of one broadcast alone")
			}
			if testing.Short() || m.Delivery == machine.Merged {
				return // the waves of examples have these signals
			}
			top, run := "router", "sim-storm"
			if m.Network {
				top, run = "network", "sim-alone"
			}
			harness.Make(t.Context(), t, out, run, "JOBS=1", "PLUSARGS=+trace=build/waves.vcd")
			assertWaves(t, filepath.Join(out, "waves", top+".gtkw"), filepath.Join(out, "build", "waves.vcd"))
		})
	}
}

// Generalized hypercubes have routers with many ports: the vectors of links, ready and paces are wider than a word.
func TestRoutersOfManyPortsEqualTheModel(t *testing.T) {
	needs.Time(t)
	for _, c := range []struct {
		options    harness.Options
		dimensions []string
		degree     int
	}{
		{harness.With(1, machine.Merged, 2, true, false, 8), []string{"16, 8", "16, 8"}, 30},
		{harness.With(1, machine.PerPort, 2, true, false, 3), []string{"8, 4", "8, 4", "8, 4"}, 21},
		{harness.With(2, machine.Merged, 3, false, false, 2), []string{"61, 15"}, 30},
		{harness.With(1, machine.Merged, 2, false, false, 1), []string{"31, 15"}, 30},
		{harness.With(1, machine.Merged, 2, true, true, 4), []string{"18, 9"}, 17},
	} {
		t.Run(fmt.Sprintf("%s, degree %d", strings.Join(c.dimensions, " x "), c.degree), func(t *testing.T) {
			t.Parallel()
			m, out := harness.Generate(t, c.options.Machine(t, c.dimensions...), nil)
			require.Equal(t, c.degree, m.Graph.Degree())
			text := harness.Make(t.Context(), t, out, "lint", "sim", "JOBS=1")
			assert.Contains(t, text, "PASS: options_router.router: ")
			if m.Network {
				text := harness.Make(t.Context(), t, out, "sim-array", "GOLDEN=golden/storm.trace", "JOBS=1")
				assert.Contains(t, text, "PASS: options_array.storm: ")
			}
		})
	}
}

// The bench of many routers wires all local outputs.
func TestArrayOfRoutersWithStagesAndDeliveries(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	m, out := harness.Generate(t, harness.With(2, machine.PerPort, 2, true, true, 9).Machine(t, "4, 1"), nil)
	text := harness.Make(t.Context(), t, out, "sim-array", "JOBS=1", "PLUSARGS=+threads=2", "GOLDEN=golden/storm.trace")
	assert.Contains(t, text, "PASS: "+m.Name+"_array.storm: ")
	assert.Contains(t, text, "exactly once: ")
}

// The netlists of slots and local outputs equal the model.
func TestNetlistWithStagesAndDeliveriesEqualsTheModel(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	m, out := harness.Generate(t, harness.With(2, machine.PerPort, 4, true, true, 2).Machine(t, "4, 1"), nil)
	assertNetlists(t, m, out, harness.Make(t.Context(), t, out, "netlist", "JOBS=1", "NEXTPNR=none"))
}

// The errors of each node are those of its router, for both kinds of routers, and the bench detects a wrong wire.
func TestErrorsOfNodes(t *testing.T) {
	needs.Time(t)
	const text = `machine "errors" {
  node_errors = true
  dimension "x" {
    m   = 3
    rho = 1
  }
  message {
    payload_bits = 8
    destination  = true
  }
  router {
    %s
  }
}
`
	for _, router := range []string{"kind = \"specialized\"", "kind = \"programmable\"\nmax_nodes = 5\nmax_dimensions = 1\nmax_degree = 2"} {
		t.Run(router, func(t *testing.T) {
			t.Parallel()
			_, out := harness.Generate(t, harness.Text(t, fmt.Sprintf(text, router)), nil)
			assert.Contains(t, harness.Make(t.Context(), t, out, "lint", "sim-alone", "JOBS=1"), "PASS: errors_network.alone: ")
			network := filepath.Join(out, "rtl", "errors_network.v")
			good, err := os.ReadFile(network)
			require.NoError(t, err)
			for of, wrong := range map[[2]string]string{
				{"node_header_error[1] = |link_error[3:2]", "node_header_error[1] = |link_error[5:4]"}:             `node_header_error\[1\] of the network: expected `,
				{"node_destination_error = destination_errors", "node_destination_error = {3{destination_error}}"}: `node_destination_error\[\d\] of the network: expected 0, got 1`,
			} {
				require.Equal(t, 1, strings.Count(string(good), of[0]), of[0])
				require.NoError(t, os.WriteFile(network, []byte(strings.Replace(string(good), of[0], of[1], 1)), 0o644))
				// A router of a network drops malformed headers only right after power-up, when registers hold random values.
				printed, err := []byte{}, error(nil)
				for seed := 1; err == nil && seed <= 40; seed++ {
					printed, err = exec.CommandContext(t.Context(), "make", "-C", out, "sim-alone", "JOBS=1", fmt.Sprintf("PLUSARGS=+seed=%d", seed)).CombinedOutput()
				}
				require.Error(t, err, string(printed))
				assert.Regexp(t, wrong, string(printed))
			}
		})
	}
}
