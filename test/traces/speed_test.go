// SPDX-License-Identifier: Apache-2.0

package traces

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/measure"
	"github.com/hcgen/hcgen/sim/model"
	"github.com/hcgen/hcgen/sim/traffic"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// withPayload generates the machine of the netlist test with another payload.
func withPayload(t *testing.T, bits int) (*machine.Machine, string) {
	t.Helper()
	config := filepath.Join(t.TempDir(), "cells.hcl")
	text := strings.Replace(harness.Groups, "payload_bits = 3", fmt.Sprintf("payload_bits = %d", bits), 1)
	require.NoError(t, os.WriteFile(config, []byte(text), 0o644))
	return harness.Generate(t, config, nil)
}

// The load of the speed measurement keeps every node and every receiver busy, like the same load in the
// reference model, and another seed gives another load.
func TestSpeedIsMeasuredUnderLoad(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	m, out := withPayload(t, 40)
	deliveries := func(arguments ...string) float64 {
		text := harness.Make(t.Context(), t, out, append([]string{"speed", "JOBS=1", "CYCLES=20000"}, arguments...)...)
		at := strings.Index(text, "free run: 20000 cycles of 8 routers in ")
		require.GreaterOrEqual(t, at, 0, text)
		var found float64
		at = strings.Index(text, "second, ")
		require.GreaterOrEqual(t, at, 0, text)
		_, err := fmt.Sscanf(text[at:], "second, %f deliveries per node and cycle, nothing compared", &found)
		require.NoError(t, err, text)
		return found
	}
	first := deliveries()
	model := measure.Saturate(plan.New(m), traffic.Load{Rate: 1, Stall: 0.1, Seed: 1}, model.Options{}, 20000)
	assert.InDelta(t, model.DeliveriesPerNode, first, 0.01, "every node offers, receivers are ready in nine of ten cycles")
	assert.Equal(t, first, deliveries())
	assert.NotEqual(t, first, deliveries("PLUSARGS=+seed=2"))

	command := exec.CommandContext(t.Context(), filepath.Join(out, "build", "speed", "Vload"), "+free-run=10", "+threads=2")
	text, err := command.CombinedOutput()
	require.Error(t, err)
	assert.Equal(t, 2, command.ProcessState.ExitCode())
	assert.Equal(t, "error: a run for speed has +free-run=CYCLES and +seed=N only\n", string(text))
}

// The load is generated for every width of payload, and passes lint like the design.
func TestLoadOfEveryPayloadIsClean(t *testing.T) {
	needs.Time(t)
	t.Parallel()
	for _, bits := range []int{1, 3, 31, 32, 33, 64, 100} {
		_, out := withPayload(t, bits)
		for _, lint := range []string{
			"verilator --lint-only -Wall --top-module cells_load -f filelist.f tb/cells_load.v",
			"iverilog -g2005 -Wall -t null -s cells_load -f filelist.f tb/cells_load.v",
		} {
			words := strings.Fields(lint)
			command := exec.CommandContext(t.Context(), words[0], words[1:]...)
			command.Dir = out
			text, err := command.CombinedOutput()
			require.NoError(t, err, "%d bits: %s\n%s", bits, lint, text)
			assert.Empty(t, string(text), "%d bits: %s", bits, lint)
		}
	}
}
