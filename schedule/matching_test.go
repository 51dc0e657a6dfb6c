// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
)

// The known offsets have to grow along the long ring of these machines early. On the last one
// the second port has to choose first.
func TestAllGatherMeetsTheBoundOnLongRings(t *testing.T) {
	for _, rings := range [][]int{{9, 3, 25, 1}, {13, 4, 111, 1}, {2, 1, 9, 4, 184, 2}, {2, 1, 8, 2}} {
		s := makeChecked(t, graph(t, rings...), Request{Operation: collective.AllGather})
		assert.Equal(t, s.Bound, s.Steps, "%v", rings)
	}
}

// Reduction and gather of an all-reduce share a step where r + 1 nodes can exchange their sums,
// r = (N - 1) mod d.
func TestAllReduceSharesAStep(t *testing.T) {
	for _, c := range []struct {
		r     int
		rings []int
	}{{1, []int{4, 1}}, {1, []int{10, 1, 5, 1}}, {1, []int{2, 1, 11, 2}}, {2, []int{21, 3}}, {2, []int{15, 3, 5, 1}}, {3, []int{88, 6}}} {
		g := graph(t, c.rings...)
		require.Equal(t, c.r, (g.Nodes()-1)%g.Degree(), "%v", c.rings)
		s := makeChecked(t, g, Request{Operation: collective.AllReduce})
		assert.Equal(t, s.Bound, s.Steps, "%v", c.rings)
		assert.Equal(t, 1, s.Steps%2)
	}
	for _, rings := range [][]int{{3, 1, 4, 2}, {15, 2, 7, 1}} { // no node has a third neighbour, or none whose ports differ
		s := makeChecked(t, graph(t, rings...), Request{Operation: collective.AllReduce})
		assert.Equal(t, s.Bound+1, s.Steps, "%v", rings)
	}
}
