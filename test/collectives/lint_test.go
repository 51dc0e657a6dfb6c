// SPDX-License-Identifier: Apache-2.0

package collectives

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// module are the attributes of a reduction with an operator of the tests.
func module(latency int) string {
	return fmt.Sprintf("operator_module = \"test_operator\"\noperator_latency = %d\n", latency)
}

// inTurns are the attributes of a reduction whose operations take turns.
func inTurns(latency int) string { return module(latency) + "pipelined = true\n" }

// everyNetwork is a machine with a network of each operation, one reduction for each operator, networks of several operations, and, if
// operators have a latency, reductions that take turns.
func everyNetwork(r rings, payloadBits, latency int) string {
	text := network{rings: r, operation: "broadcast"}.description()
	dimensions, _, _ := strings.Cut(text, "  collective ")
	var b strings.Builder
	b.WriteString(dimensions)
	add := func(name, operation, attributes string) {
		b.WriteString(network{r, operation, fmt.Sprintf("payload_bits = %d\n%s", payloadBits, attributes)}.block(name))
	}
	for i, operation := range operations {
		attributes := ""
		if reduces(operation) {
			attributes = module(latency)
			if latency > 0 {
				add(fmt.Sprintf("turns%d", i), operation, inTurns(latency))
			}
		}
		add(fmt.Sprintf("net%d", i), operation, attributes)
	}
	for i, operator := range machine.Operators {
		add("net_"+operator, operations[len(operations)-1-i%3], fmt.Sprintf("operator = %q\n", operator))
	}
	add("net_two", "all-gather, reduce-scatter", "operator = \"add\"\n")
	add("net_three", "all-reduce, broadcast, total-exchange", module(latency))
	add("net_all", everyOne, "operator = \"signed_min\"\n")
	add("net_every", every, module(latency))
	add("net_copies", copies, "")
	return b.String() + "}\n"
}

// inChunks gives the reductions of a description that have an operator of hcgen the bits that are combined in one cycle.
func inChunks(description string, bits int) string {
	return strings.ReplaceAll(description, "operator = ", fmt.Sprintf("chunk_bits = %d\noperator = ", bits))
}

// Verilator, Yosys and Icarus Verilog accept every network without a warning.
func TestNetworksAreClean(t *testing.T) {
	for i, r := range machines {
		t.Run(strings.Join(r, "; "), func(t *testing.T) {
			if i != 3 {
				needs.Time(t)
			}
			needs.Tools(t, "verilator", "yosys", "iverilog")
			latency := []int{0, 3}[i%2]
			payloadBits := []int{1, 33, 32}[i%3]
			chunkBits := []int{(payloadBits + 3) / 4, payloadBits, 1}[i/3%3]
			_, out := harness.Generate(t, harness.Text(t, inChunks(everyNetwork(r, payloadBits, latency), chunkBits)), nil)
			require.NoError(t, os.WriteFile(filepath.Join(out, "rtl/test_operator.v"), []byte(operatorModule(latency)), 0o644))
			text := harness.Make(t.Context(), t, out, "lint")
			for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
				require.Regexp(t, `^(verilator --lint-only -Wall( --language 1364-2005)?|yosys check -assert|iverilog -g2005 -Wall): m__(net|turns)`, line, "no warning of Icarus Verilog")
			}
		})
	}
}

// A network in chunks is clean for every width of words and chunks with which a design instantiates it. A short run has several operations
// and the operator whose skew goes down.
func TestNetworksInChunksAreCleanInOtherWidths(t *testing.T) {
	for i, operator := range []string{"add", "xor", "signed_max"} {
		t.Run(operator, func(t *testing.T) {
			if operator != "signed_max" {
				needs.Time(t)
			}
			needs.Tools(t, "verilator")
			c, out := network{rings: rings{"4, 1", "3, 1, 1"}, operation: []string{"all-reduce", "all-gather, all-reduce", everyOne}[i],
				attributes: fmt.Sprintf("payload_bits = 8\nchunk_bits = 3\noperator = %q\n", operator)}.generate(t)
			for _, widths := range [][2]int{{1, 1}, {1, 5}, {2, 1}, {3, 3}, {13, 5}, {64, 8}} {
				lint := exec.Command("verilator", "--lint-only", "-Wall", "--top-module", c.NetworkModule,
					fmt.Sprintf("-GWIDTH=%d", widths[0]), fmt.Sprintf("-GCHUNK=%d", widths[1]), "-f", "filelist.f")
				lint.Dir = out
				text, err := lint.CombinedOutput()
				require.NoError(t, err, "words of %d bits, chunks of %d: %s", widths[0], widths[1], text)
			}
		})
	}
}
