// SPDX-License-Identifier: Apache-2.0

package exhaustive

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
)

// The whole range, by another way of counting: rings by degree, and products of
// such lists.
func TestRangeHasEveryMachineOnce(t *testing.T) {
	var byDegree [MaxDegree + 1]int
	for m := 2; m <= 15; m++ {
		for rho := 1; rho <= m/2; rho++ {
			degree := 2 * rho
			if 2*rho == m {
				degree--
			}
			byDegree[degree]++
		}
	}
	var want [MaxRank + 1]int // by rank
	ways := [MaxDegree + 1]int{1}
	for r := 1; r <= MaxRank; r++ {
		var more [MaxDegree + 1]int
		for d, n := range ways {
			for e, k := range byDegree {
				if d+e < len(more) {
					more[d+e] += n * k
				}
			}
		}
		ways = more
		for _, n := range ways {
			want[r] += n
		}
	}
	assert.Equal(t, [MaxRank + 1]int{0, 56, 2638, 81312, 1626732}, want, "the figures of the page")

	var got [MaxRank + 1]int
	sorted := 0
	var dims []hypercycle.Dimension
	last := tuple{}
	for m, ok := first(), true; ok; m, ok = m.next() {
		got[m.rank]++
		if dims = m.dimensions(dims[:0]); ascend(dims) {
			sorted++
		}
		if m.degree() > MaxDegree {
			t.Fatalf("%v has degree %d", m, m.degree())
		}
		if !less(last, m) {
			t.Fatalf("%v comes after %v", m, last)
		}
		last = m
	}
	assert.Equal(t, want, got)
	assert.Equal(t, Machines, got[1]+got[2]+got[3]+got[4])
	assert.Equal(t, Multisets, sorted)
}

// less is the order of the range, a strict one: no machine comes twice.
func less(a, b tuple) bool {
	for i := range min(a.rank, b.rank) {
		if a.ring[i] != b.ring[i] {
			return a.ring[i] < b.ring[i]
		}
	}
	return a.rank < b.rank
}

func TestSourcesAreNodesAndDiffer(t *testing.T) {
	var seen [4]bool // quarters of the nodes
	m := tuple{rank: 4}
	for range 100 {
		m, _ = m.next()
		s := m.source()
		require.GreaterOrEqual(t, s, 0)
		require.Less(t, s, m.nodes())
		require.Equal(t, s, m.source())
		seen[4*s/m.nodes()] = true
	}
	assert.Equal(t, [4]bool{true, true, true, true}, seen)
}
