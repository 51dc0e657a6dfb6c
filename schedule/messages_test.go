// SPDX-License-Identifier: Apache-2.0

package schedule_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/schedule"
)

// The messages of an operation bring each item from its source to all that it is for, once, as the definition of the
// operation says.
func TestMessagesAreTheItemsOfTheOperation(t *testing.T) {
	for _, dims := range [][]hypercycle.Dimension{{{M: 2, Rho: 1}}, {{M: 8, Rho: 1}}, {{M: 4, Rho: 1}, {M: 4, Rho: 1}}, {{M: 5, Rho: 2}, {M: 3, Rho: 1}}, {{M: 6, Rho: 2}}} {
		g, err := hypercycle.New(dims...)
		require.NoError(t, err)
		n := g.Nodes()
		for _, operation := range collective.Carried() {
			root := n / 2
			s, err := schedule.Make(g, schedule.Request{Operation: operation, Root: root})
			require.NoError(t, err)
			got := map[[2]int]int{} // by source and receiver
			messages := s.Messages()
			require.Len(t, messages, collective.MessageCount(operation, n), operation)
			for _, m := range messages {
				for node := range n {
					if node == m.To || m.To == collective.ToAll && node != m.From {
						got[[2]int{m.From, node}]++
					}
				}
			}
			for from := range n {
				for node := range n {
					want := 0
					switch operation {
					case collective.Broadcast, collective.Scatter:
						want = b2i(from == root)
					case collective.Gather:
						want = b2i(node == root)
					default:
						want = 1
					}
					require.Equal(t, want*b2i(from != node), got[[2]int{from, node}], fmt.Sprint(dims, operation, from, node))
				}
			}
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
