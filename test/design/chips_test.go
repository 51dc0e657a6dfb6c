// SPDX-License-Identifier: Apache-2.0

package design

import (
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/internal/arbitrary"
	"github.com/hcgen/hcgen/internal/arbitrary/machines"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// ring is a dimension block.
func ring(name string, m, rho int, link string) string {
	return fmt.Sprintf("dimension %q {\n m = %d\n rho = %d\n %s}\n", name, m, rho, link)
}

// between is the block of links between chips.
func between(attributes string) string { return "link {\n kind = \"chips\"\n " + attributes + "\n }\n" }

// cornerChips are machines at the ends of what chips can be.
var cornerChips = map[string]string{
	"one node per chip": ring("x", 4, 1, between("")),
	"two chips":         ring("x", 3, 1, "") + ring("y", 2, 1, between("flight = 0")),
	"one bit":           ring("x", 2, 1, between("word_bits = 64\n flight = 0")) + "message {\n payload_bits = 1\n }\n",
	"opposite port":     ring("x", 2, 1, "") + ring("y", 6, 3, between("word_bits = 16")) + "message {\n source_id = true\n }\n",
	"two dimensions": ring("x", 3, 1, between("word_bits = 8\n flight = 1")) + ring("y", 2, 1, "") + ring("z", 3, 1, between("word_bits = 64\n flight = 1000")) +
		"message {\n source_id = true\n destination = true\n payload_bits = 8\n }\n",
	"registers": ring("x", 3, 1, "link {\n kind = \"wires\"\n registers = 3\n }\n") + ring("y", 3, 1, between("")) + ring("z", 2, 1, "link {\n kind = \"wires\"\n registers = 1\n }\n") +
		"router {\n barrier = true\n stages = 2\n }\n",
	"all options": "node_errors = true\n" + ring("x", 3, 1, "") + ring("y", 5, 2, between("word_bits = 16\n silence = 1000")) +
		"message {\n payload_bits = 40\n source_id = true\n destination = true\n deliver_destination = true\n last = true\n }\n" +
		"router {\n barrier = true\n delivery = \"per_port\"\n preference = \"balanced\"\n fifo_depth = 4\n }\n",
	"packets": ring("x", 3, 1, between("word_bits = 8")) + ring("y", 2, 1, "") + "message {\n payload_bits = 8\n source_id = true\n last = true\n }\n",
	"widest":  ring("x", 2, 1, between("word_bits = 8\n silence = 1000")) + "message {\n payload_bits = 1024\n }\n",
}

// lint runs the linters on all modules at the top in an output folder, and returns what they print.
func lint(t *testing.T, out string, targets ...string) string {
	t.Helper()
	needs.Tools(t, "make", "verilator", "yosys", "iverilog")
	text, err := exec.CommandContext(t.Context(), "make", append([]string{"-C", out, "--no-print-directory"}, targets...)...).CombinedOutput()
	require.NoError(t, err, "%s", text)
	return string(text)
}

// lintChip runs the linters on all modules at the top in the output folder of a machine of chips.
func lintChip(t *testing.T, out string, targets ...string) {
	t.Helper()
	assert.Contains(t, lint(t, out, targets...), "_chip\n", "the module of a chip is linted")
}

func TestLintersAcceptChips(t *testing.T) {
	needs.Time(t)
	for name, blocks := range cornerChips {
		t.Run(name, func(t *testing.T) {
			_, out := harness.Generate(t, harness.Text(t, "machine \"m\" {\n"+blocks+"}\n"), nil)
			lintChip(t, out, "lint")
		})
	}
}

func TestVerilatorAcceptsRandomChips(t *testing.T) {
	needs.Time(t)
	generator := rapid.Custom(func(t *rapid.T) *machine.Machine {
		m := machines.Draw(t, arbitrary.Limits{Nodes: 12, Degree: 6})
		m.Name, m.Network = "m", true
		m.Destination = rapid.Bool().Draw(t, "destination")
		m.Last = rapid.Bool().Draw(t, "last")
		m.NodeErrors = rapid.Bool().Draw(t, "node_errors")
		machines.Registers(t, m)
		machines.Chips(t, m)
		return m
	})
	for seed := range 6 {
		m := generator.Example(seed + 1)
		text := string(m.HCL())
		t.Run(fmt.Sprint("seed ", seed+1), func(t *testing.T) {
			require.True(t, strings.Contains(text, "chips"), text)
			loaded, out := harness.Generate(t, harness.Text(t, text), nil)
			assert.True(t, loaded.Chips())
			t.Log(text)
			lintChip(t, out, "lint-verilator")
		})
	}
}

// make synth PLACE=network places the chip: here a router and the end of a cable.
func TestChipsArePlaced(t *testing.T) {
	needs.Time(t)
	needs.Tools(t, "make", "yosys", "nextpnr-ice40")
	_, out := harness.Generate(t, harness.Text(t, "machine \"m\" {\n"+ring("x", 2, 1, between("word_bits = 16"))+"message {\n payload_bits = 8\n }\n}\n"), nil)
	text, err := exec.CommandContext(t.Context(), "make", "-C", out, "--no-print-directory", "synth", "PLACE=network", "SEEDS=1").CombinedOutput()
	require.NoError(t, err, "%s", text)
	assert.Contains(t, string(text), "yosys: synthesizing m_chip, ")
	found := regexp.MustCompile(`network +(\d+) LUT4, .* [1-9] BRAM\n +clock +min [\d.]+, median`).FindStringSubmatch(string(text))
	require.NotNil(t, found, "%s", text)
	luts, err := strconv.Atoi(found[1])
	require.NoError(t, err)
	assert.Greater(t, luts, 500, "the end of a cable is not optimized away")
}
