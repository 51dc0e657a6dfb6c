// SPDX-License-Identifier: Apache-2.0

package collectives

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/test/internal/harness"
)

// everyNetwork is a machine with a network of each operation, and one reduction for each operator.
func everyNetwork(r rings, payloadBits, latency int) string {
	text := network{rings: r, operation: "broadcast"}.description()
	dimensions, _, _ := strings.Cut(text, "  collective ")
	var b strings.Builder
	b.WriteString(dimensions)
	add := func(name, operation, attributes string) {
		words := ""
		if operation == oneWord {
			operation, words = "all-reduce", "words = \"one\"\n"
		}
		fmt.Fprintf(&b, "  collective %q {\n    operation = %q\n    payload_bits = %d\n    %s%s\n  }\n", name, operation, payloadBits, words, attributes)
	}
	for i, operation := range operations {
		attributes := ""
		if reduces(operation) {
			attributes = fmt.Sprintf("operator_module = \"test_operator\"\noperator_latency = %d\n", latency)
		}
		add(fmt.Sprintf("net%d", i), operation, attributes)
	}
	for i, operator := range machine.Operators {
		add("net_"+operator, operations[len(operations)-1-i%3], fmt.Sprintf("operator = %q\n", operator))
	}
	return b.String() + "}\n"
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
			_, out := harness.Generate(t, harness.Text(t, everyNetwork(r, []int{1, 33, 32}[i%3], latency)), nil)
			require.NoError(t, os.WriteFile(filepath.Join(out, "rtl/test_operator.v"), []byte(operatorModule(latency)), 0o644))
			text := harness.Make(t.Context(), t, out, "lint")
			for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
				require.Regexp(t, `^(verilator --lint-only -Wall( --language 1364-2005)?|yosys check -assert|iverilog -g2005 -Wall): m__net`, line, "no warning of Icarus Verilog")
			}
		})
	}
}
