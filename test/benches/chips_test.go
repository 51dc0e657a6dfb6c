// SPDX-License-Identifier: Apache-2.0

package benches

import (
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
	// Two chips with one cable.
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
			assert.Equal(t, name != "pair", !strings.Contains(result, " 0 swaps,"), result)
		})
	}
}

// The bench finds each of these faults.
func TestBenchOfChipsFindsFaults(t *testing.T) {
	needs.Time(t)
	for _, c := range []struct {
		name, machine, file string
		changes             []string // a text and its replacement, in pairs
		says                string
	}{
		{"a word counts whatever its number is", "pair", "rtl/hc_chip_places.v", []string{"wanted & valid & !misses_q", "wanted & valid"}, "gets a message that is not for it, or again"},
		{"a return skips a word", "pair", "rtl/hc_chip_window.v", []string{"send_q   <= ack;", "send_q   <= ack + NUMBER_ONE;"}, "repetitions on a good cable, expected none"},
		{"only the first CRC counts", "pair", "rtl/hc_chip_receive.v", []string{"right_q  <= right;", "right_q  <= right | before_q;"}, "gets a message that is not for it, or again"},
		{"the boundary of words is never moved", "pair", "rtl/hc_chip_receive.v", []string{"move & full;", "1'b0;"}, "state 0, expected 2"},
		{"paces of a link do not arrive", "pair", "rtl/hc_chip_paces.v", []string{"if (heard & far_turn == LINK)", "if (heard & far_turn == LINK & LINK != 1)"}, "has waited for "},
		{"a neighbour that was reset alone is not noticed", "pair", "rtl/hc_chip_hello.v", []string{"up_q ? !their_heard | their_lost", "up_q ? 1'b0"}, "state 2, expected 3"},
		{"a new session begins with the loss of the old one", "torus", "rtl/hc_chip_hello.v", []string{"lost_q & !session_rst;", "lost_q;"}, "state 3, expected 2"},
		{"the reset of a session is short", "pair", "rtl/hc_chip_session.v", []string{"left_q  <= 4'd15;", "left_q  <= 4'd13;"}, "reset is 1 for 14 cycles, expected 16"},
		{"an end takes itself for its neighbour", "pair", "rtl/hc_chip_hello.v", []string{"place == {FAR_PORT[3:0], neighbor}", "place == {FAR_PORT[3:0], neighbor} | own_q"}, "(wrong cables), chip "},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, out := harness.Generate(t, harness.Text(t, chipped[c.machine]), nil)
			change(t, out, c.file, c.changes)
			result, err := simChips(t, out)
			require.Error(t, err, result)
			assert.Contains(t, result, "FAIL: chipped_chip.chips: ")
			assert.Contains(t, result, c.says)
		})
	}
}
