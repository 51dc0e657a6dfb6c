// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/schedule/check"
)

// The known offsets have to grow along the long ring of these machines early. On the last one
// the second port has to choose first.
func TestAllGatherMeetsTheBoundOnLongRings(t *testing.T) {
	for _, rings := range [][]int{{9, 3, 25, 1}, {13, 4, 111, 1}, {2, 1, 9, 4, 184, 2}, {2, 1, 8, 2}} {
		s := makeChecked(t, graph(t, rings...), Request{Operation: check.AllGather})
		assert.Equal(t, s.Bound, s.Steps, "%v", rings)
	}
}

// If one message is left over, reduction and gather of an all-reduce share a step.
func TestAllReduceSharesAStep(t *testing.T) {
	for _, rings := range [][]int{{4, 1}, {10, 1, 5, 1}, {2, 1, 11, 2}} {
		g := graph(t, rings...)
		require.Equal(t, 1, (g.Nodes()-1)%g.Degree())
		s := makeChecked(t, g, Request{Operation: check.AllReduce})
		assert.Equal(t, s.Bound, s.Steps, "%v", rings)
		assert.Equal(t, 1, s.Steps%2)
	}
	s := makeChecked(t, graph(t, 3, 1, 4, 2), Request{Operation: check.AllReduce})
	assert.Equal(t, s.Bound+1, s.Steps)
}
