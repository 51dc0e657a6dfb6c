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

var machines = []rings{{"4, 1", "4, 1"}, {"2, 1"}, {"3, 1"}, {"4, 2"}, {"5, 1", "3, 1"}, {"2, 1", "2, 1", "2, 1", "2, 1"},
	{"4, 1, 1", "4, 1, 3"}, {"8, 1, 2"}, {"2, 1, 2"}, {"3, 1, 1"}, {"4, 1, 3", "2, 1"}, {"2, 1, 1", "2, 1", "2, 1, 4", "2, 1"}}

// Every network requests, delivers and combines what the operation is defined to, in the cycles of the contract.
// Payloads, operators and latencies change from network to network. A short run has rings of three nodes.
func TestNetworksDoWhatTheirOperationIsDefinedToDo(t *testing.T) {
	count := 0
	for _, r := range machines {
		for _, operation := range operations {
			n := network{rings: r, operation: operation, attributes: fmt.Sprintf("payload_bits = %d\n", []int{8, 1, 33}[count%3])}
			variants := []string{""}
			switch {
			case reduces(operation):
				operator := machine.Operators[count%len(machine.Operators)]
				variants = []string{
					fmt.Sprintf("operator = %q\n", operator),
					fmt.Sprintf("operator_module = \"test_operator\"\noperator_latency = %d\n", []int{0, 3}[count/2%2]),
				}
			case operation == "broadcast" || operation == "scatter" || operation == "gather":
				variants = []string{fmt.Sprintf("root = [%s]\n", strings.Join(strings.Split(strings.Repeat("1", len(r)), ""), ", "))}
			}
			for _, v := range variants {
				one := n
				one.attributes += v
				count++
				t.Run(fmt.Sprintf("%s on %s, %s", operation, strings.Join(r, "; "), strings.ReplaceAll(one.attributes, "\n", ", ")), func(t *testing.T) {
					if len(r) > 1 || !strings.HasPrefix(r[0], "3") {
						needs.Time(t)
					}
					c, out := one.generate(t)
					text, err := simulate(t, one, c, out, c.NetworkModule, "definition.cpp")
					require.NoError(t, err, text)
					t.Log(text)
				})
			}
		}
	}
}
