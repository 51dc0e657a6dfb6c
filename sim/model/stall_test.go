// SPDX-License-Identifier: Apache-2.0

package model

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/sim"
	"github.com/hcgen/hcgen/sim/internal/cases"
)

// No message is delivered in a stall, and none is lost by it.
func TestStalledReceiversGetTheirMessagesLater(t *testing.T) {
	for _, v := range variants {
		p := newPlan(t, rings{{4, 1}, {4, 1}}, v.Options...)
		load := random(0.5, 0, 1)
		load.Stalls = cases.Stalls
		n := newRun(p, load)
		w := newWatch(t, n)
		check := n.handed
		n.handed = func(node, stream int, m *sim.Message) {
			require.False(t, n.cycle < 200 && cases.Stalled(node, n.cycle), "node %d, cycle %d", node, n.cycle)
			check(node, stream, m)
		}
		for n.Cycle() < 200 {
			n.Step()
		}
		w.drain()
	}
}
