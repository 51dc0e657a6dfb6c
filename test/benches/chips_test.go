// SPDX-License-Identifier: Apache-2.0

package benches

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// betweenChips is a link block with these lines; short silences make short runs.
func betweenChips(lines string) string {
	return "link {\n kind = \"chips\"\n silence = 512\n " + lines + "}\n"
}

// chipped are machines with several chips.
var chipped = map[string]string{
	"torus": "machine \"chipped\" {\n dimension \"x\" {\n m = 4\n rho = 1\n }\n dimension \"y\" {\n m = 4\n rho = 1\n " + betweenChips("") + "}\n message {\n destination = true\n }\n }\n",
	// Two chips with one cable. An idle end of a barrier.
	"pair": "machine \"chipped\" {\n dimension \"x\" {\n m = 3\n rho = 1\n " + twoRegisters + "}\n dimension \"y\" {\n m = 2\n rho = 1\n " + betweenChips("word_bits = 16\n ") + "}\n message {\n destination = true\n payload_bits = 24\n }\n router {\n barrier = true\n }\n }\n",
	// Chips of one node, with cables of several kinds, and a port that leads to the same port of the neighbour: 2 rho = m.
	"nodes": "machine \"chipped\" {\n dimension \"x\" {\n m = 2\n rho = 1\n " + betweenChips("word_bits = 8\n ") + "}\n dimension \"y\" {\n m = 4\n rho = 2\n " + betweenChips("word_bits = 64\n flight = 0\n ") + "}\n message {\n source_id = true\n payload_bits = 16\n last = true\n }\n router {\n barrier = true\n delivery = \"per_port\"\n }\n }\n",
	// The lowest dimension is between chips.
	"columns": "machine \"chipped\" {\n dimension \"x\" {\n m = 3\n rho = 1\n " + betweenChips("flight = 40\n ") + "}\n dimension \"y\" {\n m = 3\n rho = 1\n }\n message {\n payload_bits = 8\n }\n router {\n stages = 2\n }\n }\n",
}

// simChips runs the bench of the chips in an output folder.
func simChips(t *testing.T, out string) (string, error) {
	t.Helper()
	needs.Tools(t, "make", "verilator", "g++")
	command := exec.CommandContext(t.Context(), "make", "-C", out, "--no-print-directory", "sim-chips")
	text, err := command.CombinedOutput()
	return string(text), err
}

// Chips lose, repeat and reorder nothing over bad cables, and say what resets and wrong cables do.
func TestMachinesOfSeveralChips(t *testing.T) {
	needs.Time(t)
	for name, text := range chipped {
		t.Run(name, func(t *testing.T) {
			_, out := harness.Generate(t, harness.Text(t, text), nil)
			result, err := simChips(t, out)
			require.NoError(t, err, result)
			assert.Contains(t, result, "PASS: chipped_chip.chips: ")
			assert.Equal(t, strings.Contains(text, "barrier"), !strings.Contains(result, " 0 releases;"), result)
			assert.Equal(t, name != "pair", !strings.Contains(result, " 0 swaps "), result)
		})
	}
}

// The bench finds each of these faults.
func TestBenchOfChipsFindsFaults(t *testing.T) {
	needs.Time(t)
	for _, c := range []struct {
		name, file string
		changes    []string // a text and its replacement, in pairs
		says       string
	}{} {
		t.Run(c.name, func(t *testing.T) {
			_, out := harness.Generate(t, harness.Text(t, chipped["pair"]), nil)
			file := harness.File(t, out, c.file)
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			changed := string(text)
			for i := 0; i < len(c.changes); i += 2 {
				part := harness.Unaligned(changed, c.changes[i])
				require.Contains(t, part, c.changes[i])
				changed = strings.ReplaceAll(part, c.changes[i], c.changes[i+1])
			}
			require.NoError(t, os.WriteFile(file, []byte(changed), 0o644))
			result, err := simChips(t, out)
			require.Error(t, err, result)
			assert.Contains(t, result, "FAIL: chipped_chip.chips: ")
			assert.Contains(t, result, c.says)
		})
	}
}
