// SPDX-License-Identifier: Apache-2.0

package collectives

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
	"github.com/hcgen/hcgen/machine"
)

// Operations on vectors bring the words that they are defined to, in the cycles of docs/vectors.md. Lengths of vectors, payloads
// and operators change from network to network. A short run has a total exchange and all-reduces on a ring of three nodes.
func TestVectorsAreWhatTheirOperationIsDefinedToBring(t *testing.T) {
	for i, r := range []rings{{"3, 1"}, {"4, 1", "4, 1"}, {"2, 1"}, {"4, 2"}, {"5, 1", "3, 1"}, {"2, 1", "2, 1", "2, 1", "2, 1"}, {"4, 1, 1", "4, 1, 3"}, {"3, 1, 1"}} {
		for j, operation := range operations {
			form := i + j // so that each operation meets all widths, lengths and operators
			n := network{rings: r, operation: operation, attributes: fmt.Sprintf("payload_bits = %d\nvector = %d\n",
				[]int{8, 1, 33, 100}[form%4], []int{3, 1, 4, 2, 7}[form%5])}
			switch {
			case reduces(operation) && form%3 == 1:
				n.attributes += "operator_module = \"test_operator\"\noperator_latency = 2\n"
			case reduces(operation):
				n.attributes += fmt.Sprintf("operator = %q\n", machine.Operators[form%len(machine.Operators)])
			case operation == "broadcast" || operation == "scatter" || operation == "gather":
				n.attributes += fmt.Sprintf("root = [%s]\n", strings.Join(strings.Split(strings.Repeat("1", len(r)), ""), ", "))
			}
			t.Run(n.name(), func(t *testing.T) {
				if len(r) > 1 || r[0] != "3, 1" || operation != "total-exchange" && operation != "all-reduce" {
					needs.Time(t)
				}
				n.simulateVectors(t)
			})
		}
	}
}

// simulateVectors simulates a network that has vectors.
func (n network) simulateVectors(t *testing.T) {
	t.Helper()
	c, out := n.generate(t)
	text, err := simulate(t, n, c, out, c.Module("vectors"), "vectors.cpp")
	require.NoError(t, err, text)
	t.Log(text)
}

// The same holds of schedules of one lane, in which the ports of a node share a bank to send and one to receive.
func TestVectorsOfOneLaneAreWhatTheirOperationIsDefinedToBring(t *testing.T) {
	short := network{rings{"3, 1"}, "total-exchange", oneLane + "payload_bits = 8\nvector = 3\n"}
	t.Run(short.name(), func(t *testing.T) { short.simulateVectors(t) })
	for i, operation := range []string{"total-exchange", "all-gather", "scatter", "gather", "reduce-scatter", "all-reduce"} {
		n := network{rings{"4, 1", "3, 1, 2"}, operation, oneLane + fmt.Sprintf("payload_bits = %d\nvector = %d\n", []int{33, 1, 8}[i%3], []int{2, 4, 3}[i%3])}
		switch {
		case reduces(operation):
			n.attributes += fmt.Sprintf("operator = %q\n", machine.Operators[i])
		case operation == "scatter" || operation == "gather":
			n.attributes += "root = [1, 2]\n"
		}
		t.Run(n.name(), func(t *testing.T) {
			needs.Time(t)
			n.simulateVectors(t)
		})
	}
}
