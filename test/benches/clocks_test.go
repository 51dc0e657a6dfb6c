// SPDX-License-Identifier: Apache-2.0

package benches

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/test/internal/harness"
)

const (
	betweenClocks = "link {\n kind = \"clocks\"\n }\n"
	twoRegisters  = "link {\n kind = \"wires\"\n registers = 2\n }\n"
)

// clocked are machines with several clocks.
var clocked = map[string]string{
	"ring":  "machine \"clocked\" {\n dimension \"x\" {\n m = 4\n rho = 1\n " + betweenClocks + "}\n }\n",
	"rows":  "machine \"clocked\" {\n dimension \"x\" {\n m = 4\n rho = 1\n }\n dimension \"y\" {\n m = 4\n rho = 1\n " + betweenClocks + "}\n }\n",
	"both":  "machine \"clocked\" {\n dimension \"x\" {\n m = 4\n rho = 1\n " + betweenClocks + "}\n dimension \"y\" {\n m = 4\n rho = 1\n " + betweenClocks + "}\n }\n",
	"mixed": "machine \"clocked\" {\n dimension \"x\" {\n m = 4\n rho = 1\n " + twoRegisters + "}\n dimension \"y\" {\n m = 4\n rho = 1\n " + betweenClocks + "}\n message {\n destination = true\n }\n router {\n barrier = true\n }\n }\n",
	"pairs": "machine \"clocked\" {\n dimension \"x\" {\n m = 3\n rho = 1\n }\n dimension \"y\" {\n m = 2\n rho = 1\n " + betweenClocks + "}\n message {\n source_id = true\n payload_bits = 8\n last = true\n }\n router {\n barrier = true\n delivery = \"per_port\"\n }\n }\n",
}

// simClocks runs the bench of the clocks in an output folder.
func simClocks(t *testing.T, out string) (string, error) {
	t.Helper()
	needs.Tools(t, "make", "verilator", "g++")
	command := exec.CommandContext(t.Context(), "make", "-C", out, "--no-print-directory", "sim-clocks", "CLOCK_CYCLES=12000")
	text, err := command.CombinedOutput()
	return string(text), err
}

// Networks with several clocks lose, repeat and reorder nothing, and stop nowhere, whatever the clocks, phases, traffic,
// stalls and ends of resets are.
func TestNetworksWithSeveralClocks(t *testing.T) {
	needs.Time(t)
	for name, text := range clocked {
		t.Run(name, func(t *testing.T) {
			_, out := harness.Generate(t, harness.Text(t, text), nil)
			result, err := simClocks(t, out)
			require.NoError(t, err, result)
			assert.Contains(t, result, "PASS: clocked_network.clocks: ")
			assert.Equal(t, strings.Contains(text, "barrier"), !strings.Contains(result, " 0 releases;"), result)
			assert.NoFileExists(t, filepath.Join(out, "golden", "alone.trace"))
			if name == "pairs" {
				assert.Regexp(t, `free run: 2000 cycles of 6 routers .* [1-9]\.\d+ deliveries per node and cycle`, harness.Make(t.Context(), t, out, "speed", "CYCLES=2000"))
			}
		})
	}
}

// The bench finds each of these faults.
func TestBenchOfClocksFindsFaults(t *testing.T) {
	needs.Time(t)
	for _, c := range []struct {
		name, machine, file string
		changes             []string // a text and its replacement, in pairs
		says                string
	}{
		{"bits of a count arrive more than a cycle apart", "ring", "Makefile", []string{"-DHC_METASTABILITY=3 ", "-DHC_METASTABILITY=40 "}, "message"},
		{"a queue is full a word too late", "ring", "rtl/hc_link_clocks.v", []string{"writes - reads_seen != FULL", "write_q - reads_seen != FULL"}, "message"},
		{"a queue gives a word before it is written", "ring", "rtl/hc_link_clocks.v", []string{"read_q != writes_seen & free", "(read_q != writes_seen | valid_q) & free"}, ""},
		{"paces of a node do not arrive", "ring", "rtl/clocked_network.v", []string{".from_count(n0_pace)", ".from_count(n0_pace & 4'd0)"}, "messages are missing"},
		{"the barrier ignores a neighbour that is behind", "pairs", "rtl/hc_barrier.v", []string{"== pace_q - 2'd1", "== pace_q - 2'd3"}, "leaves the barrier before all have arrived"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, out := harness.Generate(t, harness.Text(t, clocked[c.machine]), nil)
			change(t, out, c.file, c.changes)
			result, err := simClocks(t, out)
			require.Error(t, err, result)
			assert.Contains(t, result, "FAIL: clocked_network.clocks: ")
			assert.Contains(t, result, c.says)
		})
	}
}

// change replaces texts in a file of Verilog; the texts and their replacements are pairs.
func change(t *testing.T, out, name string, pairs []string) {
	t.Helper()
	file := harness.File(t, out, name)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	changed := string(text)
	for i := 0; i < len(pairs); i += 2 {
		part := harness.Unaligned(changed, pairs[i])
		require.Contains(t, part, pairs[i])
		changed = strings.ReplaceAll(part, pairs[i], pairs[i+1])
	}
	require.NoError(t, os.WriteFile(file, []byte(changed), 0o644))
}
