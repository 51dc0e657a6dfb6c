// SPDX-License-Identifier: Apache-2.0

package design

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/internal/arbitrary"
	"github.com/hcgen/hcgen/internal/arbitrary/machines"
	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// cornerEndpoints are machines at the ends of what endpoints can be.
var cornerEndpoints = map[string]string{
	"two nodes":       ring("x", 2, 1, "") + "endpoint {\n address_bits = 8\n }\n",
	"no power of two": ring("x", 3, 1, "") + "endpoint {\n bus = \"axi4lite\"\n }\n",
	"four dimensions": ring("w", 2, 1, "") + ring("x", 2, 1, "") + ring("y", 2, 1, "") + ring("z", 2, 1, "") + "endpoint {\n adds = false\n }\n",
	"degree 16":       ring("x", 17, 8, "") + "endpoint {\n bus = \"axi4lite\"\n address_bits = 9\n adds = false\n }\n",
	"only puts":       ring("x", 3, 1, "") + ring("y", 2, 1, "") + "endpoint {\n gets = false\n adds = false\n }\n",
	"only puts, AXI4": ring("x", 5, 2, "") + "endpoint {\n bus = \"axi4lite\"\n gets = false\n adds = false\n }\n",
	"no gets":         ring("x", 4, 2, "") + "endpoint {\n gets = false\n }\n",
	"32 address bits": ring("x", 3, 1, "") + ring("y", 3, 1, "") + "endpoint {\n address_bits = 24\n }\n",
	"all options of routers": "node_errors = true\n" + ring("x", 3, 1, "link {\n kind = \"wires\"\n registers = 1\n }\n") + ring("y", 2, 1, "") +
		"router {\n barrier = true\n stages = 2\n preference = \"balanced\"\n fifo_depth = 4\n }\nendpoint {}\n",
	"chips of two nodes": ring("x", 2, 1, "") + ring("y", 3, 1, between("silence = 256\n flight = 0")) + "endpoint {\n bus = \"axi4lite\"\n timeout = 512\n }\n",
	"chips of one node":  ring("x", 2, 1, between("")) + ring("y", 4, 2, between("word_bits = 8\n flight = 0")) + "endpoint {\n gets = false\n adds = false\n }\n",
	"chips, lowest":      ring("x", 3, 1, between("silence = 16777216")) + ring("y", 2, 1, "link {\n kind = \"wires\"\n registers = 1\n }\n") + "endpoint {\n adds = false\n }\n",
	"collective networks": ring("x", 2, 1, "") + ring("y", 2, 1, "") + "endpoint {}\n" +
		"collective \"sum\" {\n operation = \"all-reduce\"\n words = \"one\"\n }\ncollective \"wb\" {\n operation = \"gather\"\n }\n",
}

// lintSystem runs the linters on the system in an output folder.
func lintSystem(t *testing.T, out string, targets ...string) {
	t.Helper()
	text := lint(t, out, append(targets, "TOPS=m_system")...)
	assert.Contains(t, text, ": m_system\n")
}

func TestLintersAcceptEndpoints(t *testing.T) {
	needs.Time(t)
	for name, blocks := range cornerEndpoints {
		t.Run(name, func(t *testing.T) {
			m, out := harness.Generate(t, harness.Text(t, "machine \"m\" {\n"+blocks+"}\n"), nil)
			if name == "32 address bits" {
				assert.Equal(t, machine.BusAddressBits, m.BusBits())
			}
			lintSystem(t, out, "lint")
		})
	}
}

func TestVerilatorAcceptsRandomEndpoints(t *testing.T) {
	needs.Time(t)
	generator := rapid.Custom(func(t *rapid.T) *machine.Machine {
		m := machines.Draw(t, arbitrary.Limits{Nodes: 20, Degree: 8})
		machines.Registers(t, m)
		m = machines.Endpoints(t, m)
		m.Name = "m"
		return m
	})
	for seed := range 8 {
		text := string(generator.Example(seed + 1).HCL())
		t.Run(fmt.Sprint("seed ", seed+1), func(t *testing.T) {
			_, out := harness.Generate(t, harness.Text(t, text), nil)
			t.Log(text)
			lintSystem(t, out, "lint-verilator")
		})
	}
}

// The lint of the folder covers the system.
func TestLintOfTheFolderCoversTheSystem(t *testing.T) {
	needs.Time(t)
	_, out := harness.Generate(t, harness.Text(t, "machine \"m\" {\n"+cornerEndpoints["two nodes"]+"}\n"), nil)
	text := lint(t, out, "lint")
	for _, tool := range []string{"verilator --lint-only -Wall", "yosys check -assert", "iverilog -g2005 -Wall"} {
		assert.Contains(t, text, tool+": m_system\n")
	}
}
