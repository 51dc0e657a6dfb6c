// SPDX-License-Identifier: Apache-2.0

package arbitrary

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/hypercycle"
)

func TestRingsKeepToTheLimits(t *testing.T) {
	for _, l := range []Limits{{Nodes: 2}, {Nodes: 24}, {Nodes: 64, Ring: 15}, {Nodes: 4096, Degree: 1 << 20}, {Nodes: 1 << 30, Rank: 8, Ring: 100}} {
		rapid.Check(t, func(t *rapid.T) {
			dims := Rings(t, l)
			g, err := hypercycle.New(dims...)
			require.NoError(t, err)
			require.LessOrEqual(t, g.Nodes(), l.Nodes)
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
	}
}

// The seeds are fixed: with random ones, a short run can miss a limit.
func TestRingsReachTheLimits(t *testing.T) {
	networks := rapid.Custom(func(t *rapid.T) []hypercycle.Dimension {
		return Rings(t, Limits{Nodes: 1 << 30, Rank: 8, Ring: 100})
	})
	rank, degree := 0, 0
	for seed := range 1000 {
		dims := networks.Example(seed)
		g, err := hypercycle.New(dims...)
		require.NoError(t, err)
		rank, degree = max(rank, len(dims)), max(degree, g.Degree())
	}
	assert.Equal(t, 8, rank)
	assert.Equal(t, hypercycle.MaxDegree, degree)
}
