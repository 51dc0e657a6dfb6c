// SPDX-License-Identifier: Apache-2.0

package arbitrary

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/hypercycle"
)

// Networks keep to the limits and reach them.
func TestRingsKeepToTheLimits(t *testing.T) {
	for _, l := range []Limits{{Nodes: 2}, {Nodes: 24}, {Nodes: 64, Ring: 15}, {Nodes: 4096, Degree: 1 << 20}, {Nodes: 1 << 30, Rank: 8, Ring: 100}} {
		ranks, degree := map[int]bool{}, 0
		rapid.Check(t, func(t *rapid.T) {
			dims := Rings(t, l)
			g, err := hypercycle.New(dims...)
			require.NoError(t, err)
			require.LessOrEqual(t, g.Nodes(), l.Nodes)
			ranks[len(dims)], degree = true, max(degree, g.Degree())
			most, ring := hypercycle.MaxDegree, 40
			if l.Degree > 0 {
				most = l.Degree
			}
			if l.Ring > 0 {
				ring = l.Ring
			}
			require.LessOrEqual(t, g.Degree(), most)
			for _, d := range dims {
				require.LessOrEqual(t, d.M, ring)
			}
		})
		if l.Nodes > 4096 {
			assert.True(t, ranks[l.Rank], ranks)
			assert.Equal(t, hypercycle.MaxDegree, degree)
		}
	}
}
