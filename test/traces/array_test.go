// SPDX-License-Identifier: Apache-2.0

package traces

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/traces"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// The array of routers, wired by the bench, equals the network top; with wrong wiring it
// does not.
func TestArrayOfRoutersIsTheNetwork(t *testing.T) {
	needs.Time(t)
	for config, wrong := range map[string][2]string{
		// ports that lead in the opposite direction
		"torus4x4": {"(digit + p.clockwise)", "(digit + p.m - p.clockwise)"},
		// nodes linked with themselves
		"cube4": {"digit * p.stride + (digit + p.clockwise)", "digit * p.stride + (digit + p.clockwise + node / 8)"},
		// a link of distance 2 that ends at distance 1
		"c6_2": {"ring.m, x, first", "ring.m, x > 1 ? 1 : x, first"},
		// the far ends of a ring exchanged
		"mixed": {"first + x - 1});", "first + ring.rho - x});"},
	} {
		t.Run(config, func(t *testing.T) {
			t.Parallel()
			m, out := harness.Example(t, config, nil)
			require.True(t, m.Network)
			build := []string{"sim-array", "JOBS=1", "PLUSARGS=+threads=2"}
			for _, traffic := range m.Traffic {
				trace := "GOLDEN=golden/" + traffic.Name + ".trace"
				text := harness.Make(t.Context(), t, out, append(build, trace)...)
				assert.Contains(t, text, "PASS: "+m.Name+"_array."+traffic.Name+": ")
				assert.Contains(t, text, "exactly once: ")
			}
			topology := filepath.Join(out, "tb", "checks.h")
			good, err := os.ReadFile(topology)
			require.NoError(t, err)
			bad := strings.Replace(string(good), wrong[0], wrong[1], 1)
			require.NotEqual(t, string(good), bad)
			require.NoError(t, os.WriteFile(topology, []byte(bad), 0o644))
			command := exec.CommandContext(t.Context(), "make", append([]string{"-C", out, "GOLDEN=golden/storm.trace"}, build...)...)
			text, err := command.CombinedOutput()
			require.Error(t, err)
			assert.Contains(t, string(text), "mismatch 1: ")
			assert.Contains(t, string(text), "Error 3", "the exit code for a design that differs")
		})
	}
}

// A machine without a network top gets the trace from hcgen.
func TestArrayOfRoutersWithoutNetworkTop(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	text, err := os.ReadFile("../../configs/bit.hcl")
	require.NoError(t, err)
	config := filepath.Join(t.TempDir(), "alone.hcl")
	text = bytes.Replace(text, []byte("machine \"onebit\" {"), []byte("machine \"onebit\" {\n  network = false"), 1)
	require.NoError(t, os.WriteFile(config, text, 0o644))
	m, out := harness.Generate(t, config, nil)
	require.False(t, m.Network)
	var trace bytes.Buffer
	_, err = traces.WriteNetwork(&trace, plan.New(m), m.Traffic[0], nil)
	require.NoError(t, err)
	command := exec.CommandContext(t.Context(), "make", "-C", out, "sim-array", "JOBS=1")
	command.Stdin = &trace
	text, err = command.CombinedOutput()
	require.NoError(t, err, string(text))
	assert.Contains(t, string(text), "PASS: "+m.Name+"_array."+m.Traffic[0].Name)
	assert.Contains(t, string(text), "exactly once: ")
	assert.Contains(t, string(text), "under way: longest ", "never two messages at the same time that are equal")
}
