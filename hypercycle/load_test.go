// SPDX-License-Identifier: Apache-2.0

package hypercycle_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/hypercycle"
)

// The closed form equals the messages on the links when every node broadcasts, and is the same at
// all nodes.
func TestPortLoadsAreThoseOfAllBroadcasts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, err := hypercycle.New(anyMachine(t, 200)...)
		require.NoError(t, err)
		p := anyPreference(t)
		carried := make([][]int, g.Nodes())
		for v := range carried {
			carried[v] = make([]int, g.Degree())
		}
		all := make([]int, g.Nodes())
		for source := range g.Nodes() {
			all[source] = source
			g.Sends(source, p, func(s hypercycle.Send) { carried[s.From][s.Port]++ })
		}
		loads, sum := g.PortLoads(p), 0
		for v := range carried {
			require.Equal(t, carried[v], loads, "node %d", v)
		}
		for _, n := range loads {
			sum += n
		}
		require.Equal(t, g.Nodes()-1, sum)
		busiest := slices.Max(loads)
		require.Equal(t, busiest, g.BusiestLink(all, p))
		require.Equal(t, float64(g.Nodes()-1)/float64(busiest), g.DeliveryBound(p))
		require.Equal(t, 1, g.BusiestLink(all[:1], p), "one broadcast is a tree")
	})
}

func TestDeliveryBounds(t *testing.T) {
	for _, c := range []struct {
		dims  []hypercycle.Dimension
		p     hypercycle.Preference
		bound float64
	}{
		{[]hypercycle.Dimension{{M: 2, Rho: 1}}, hypercycle.Clockwise, 1},
		{[]hypercycle.Dimension{{M: 8, Rho: 1}}, hypercycle.Clockwise, 7. / 4},
		{[]hypercycle.Dimension{{M: 8, Rho: 1}}, hypercycle.Counterclockwise, 7. / 4},
		{[]hypercycle.Dimension{{M: 5, Rho: 1}}, hypercycle.Clockwise, 2},
		// every message of a dimension enters the lower ones, so the lowest carries most
		{[]hypercycle.Dimension{{M: 4, Rho: 1}, {M: 4, Rho: 1}}, hypercycle.Clockwise, 15. / 8},
		{[]hypercycle.Dimension{{M: 2, Rho: 1}, {M: 2, Rho: 1}, {M: 2, Rho: 1}, {M: 2, Rho: 1}}, hypercycle.Clockwise, 15. / 8},
		{[]hypercycle.Dimension{{M: 6, Rho: 3}}, hypercycle.Clockwise, 5},
	} {
		g := mustNew(t, c.dims...)
		require.InDelta(t, c.bound, g.DeliveryBound(c.p), 1e-12, "%v", c.dims)
	}
}
