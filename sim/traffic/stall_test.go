// SPDX-License-Identifier: Apache-2.0

package traffic

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/sim/internal/cases"
)

// A receiver is ready unless a block or chance stalls it, on all of its streams; the order of the blocks does not matter.
func TestScheduledStallsAddUpWithRandomOnes(t *testing.T) {
	for _, v := range variants {
		for _, stall := range []float64{0, 0.4} {
			p := newPlan(t, rings{{4, 1}, {4, 1}}, v.Options...)
			chance := New(p, random(0.5, stall, 1), nil)
			traffic := random(0.5, stall, 1)
			traffic.Stalls = slices.Clone(cases.Stalls)
			slices.Reverse(traffic.Stalls)
			both := New(p, traffic, nil)
			traffic.Random = nil
			scheduled := New(p, traffic, nil)
			for cycle := range 200 {
				for _, n := range []*Nodes{chance, both, scheduled} {
					n.Begin(cycle)
				}
				for node := range p.Nodes {
					for stream := range p.Deliveries {
						ready := !cases.Stalled(node, cycle)
						require.Equal(t, ready, scheduled.Ready(node, stream), "node %d, cycle %d", node, cycle)
						ready = ready && chance.Ready(node, stream)
						require.Equal(t, ready, both.Ready(node, stream), "node %d, cycle %d", node, cycle)
					}
				}
			}
		}
	}
}

// Only the sources of a traffic block offer messages.
func TestRandomTrafficComesFromItsSources(t *testing.T) {
	p := newPlan(t, rings{{4, 1}, {4, 1}}, destination())
	traffic := random(1, 0, 1)
	all := offersOf(p, traffic, 5)
	traffic.Random.Sources = []int{2, 11}
	var want []offered
	for _, m := range all {
		if m.from == 2 || m.from == 11 {
			want = append(want, m)
		}
	}
	require.Equal(t, want, offersOf(p, traffic, 5))
	require.Len(t, want, 10)
}
