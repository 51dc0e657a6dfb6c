// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/fit"
)

// bruteForce tries every half of the nodes.
func bruteForce(t testing.TB, rings []hypercycle.Dimension) int {
	t.Helper()
	g, err := hypercycle.New(rings...)
	require.NoError(t, err)
	n := g.Nodes()
	near := make([]uint64, n)
	for v := range n {
		for port := range g.Degree() {
			near[v] |= 1 << g.Neighbor(v, port)
		}
	}
	// node 0 is in the half, as the graph looks the same from every node
	fewest := n * n
	for half := uint64(1)<<(n/2) - 1; half < 1<<n; {
		if half&1 == 1 {
			links := 0
			for rest := half; rest != 0; rest &= rest - 1 {
				links += bits.OnesCount64(near[bits.TrailingZeros64(rest)] &^ half)
			}
			fewest = min(fewest, links)
		}
		low := half & -half // the next number with as many bits
		next := half + low
		half = (half^next)>>2/low | next
	}
	return fewest
}

// All machines of up to 16 nodes, and some larger ones of every kind: odd tori, products
// of complete graphs, and such of which only bounds are known.
func TestBisectionWidthAgainstBruteForce(t *testing.T) {
	machines := list(t, Range{2, 16}, AllDegrees, AllDims)
	known := 0
	for _, text := range [][2]string{
		{"3 6", "1 2"}, {"3 7", "1 2"}, {"3 7", "1 1"}, {"2 9", "1 1"}, {"2 9", "1 2"}, {"4 5", "1 1"}, {"4 5", "2 1"}, {"4 5", "2 2"}, {"4 5", "1 2"}, {"18", "4"}, {"19", "3"}, {"20", "6"}, {"21", "5"}, {"22", "9"},
		{"2 2 5", "1 1 1"}, {"2 2 5", "1 1 2"}, {"2 3 3", "1 1 1"}, {"2 11", "1 3"}, {"2 11", "1 1"}, {"4 6", "1 2"}, {"2 3 4", "1 1 2"}, {"5 5", "1 1"}, {"5 5", "1 2"}, {"5 5", "2 2"}, {"3 9", "1 1"}, {"4 7", "1 1"},
	} {
		rings := fit.Rings(t, text[0], text[1])
		machines = append(machines, newMachine(rings, Query{}))
	}
	for i := range machines {
		m := &machines[i]
		width := bruteForce(t, m.Rings)
		if m.Bisection.Exact() {
			known++
			assert.Equal(t, width, m.Bisection.Low, "%s", m)
		}
		assert.LessOrEqual(t, m.Bisection.Low, width, "%s", m)
		assert.GreaterOrEqual(t, m.Bisection.High, width, "%s", m)
		assert.LessOrEqual(t, leastCut(m.Rings), width, "%s: the bound itself", m)
	}
	assert.Greater(t, known, 100)
	t.Logf("the widths of %d of %d machines are known", known, len(machines))
}

// An arc is the best half of a ring, for every ring that can be tried.
func TestRingCutAgainstBruteForce(t *testing.T) {
	for m := 2; m <= 20; m++ {
		for rho := 1; rho <= m/2; rho++ {
			d := hypercycle.Dimension{M: m, Rho: rho}
			assert.Equal(t, bruteForce(t, []hypercycle.Dimension{d}), ringCut(d), d)
			assert.Equal(t, Bisection{ringCut(d), ringCut(d)}, BisectionWidth([]hypercycle.Dimension{d}), d)
		}
	}
}

// The formula of the literature for tori: with m falling, 2 sum_{i <= alpha} prod_{j > i}
// m_j, where alpha is the first even m, or the last.
func TestCutOfToriIsTheFormula(t *testing.T) {
	tori := 0
	for _, m := range list(t, Range{3, 400}, Range{2, 8}, AllDims) {
		radix := []int{}
		for _, d := range m.Rings {
			radix = append(radix, d.M)
		}
		if !torus(m.Rings) || slices.Contains(radix, 2) {
			continue
		}
		tori++
		slices.Sort(radix)
		slices.Reverse(radix)
		sum, rest := 0, m.Nodes
		for _, k := range radix {
			rest /= k
			sum += rest
			if k%2 == 0 {
				break
			}
		}
		assert.Equal(t, 2*sum, m.Bisection.High, "%s", &m)
		assert.LessOrEqual(t, leastCut(m.Rings), 2*sum, "%s", &m)
	}
	assert.Greater(t, tori, 400)
}

// Lindsey's best sets of products of complete graphs fill the largest one first, so the
// cut goes through the smallest first.
func TestCutOfCompleteProductsIsLindseys(t *testing.T) {
	products := 0
	for _, m := range list(t, Range{2, 200}, AllDegrees, AllDims) {
		if !allComplete(m.Rings) {
			continue
		}
		products++
		g, err := hypercycle.New(m.Rings...) // dimension 1 is the largest: numbers fill it first
		require.NoError(t, err)
		links := 0
		for v := range m.Nodes / 2 {
			for port := range g.Degree() {
				if g.Neighbor(v, port) >= m.Nodes/2 {
					links++
				}
			}
		}
		assert.Equal(t, Bisection{links, links}, m.Bisection, "%s", &m)
	}
	assert.Greater(t, products, 100)
}

// What the bound from below takes of a ring: no arc has fewer than c s (m - s) links to
// the rest, and an arc is the best set of s nodes.
func TestArcsOfRings(t *testing.T) {
	for m := 2; m <= 40; m++ {
		for rho := 1; rho <= m/2; rho++ {
			g, err := hypercycle.New(hypercycle.Dimension{M: m, Rho: rho})
			require.NoError(t, err)
			for s := 1; s < m; s++ {
				links := 0
				for v := range s {
					for port := range g.Degree() {
						if g.Neighbor(v, port) >= s {
							links++
						}
					}
				}
				assert.GreaterOrEqual(t, links*(m*m/4), ringCut(g.Dimension(1))*s*(m-s), "m = %d, rho = %d, %d nodes", m, rho, s)
				if m > 14 {
					continue
				}
				fewest := m * m
				for set := uint64(0); set < 1<<m; set++ {
					if bits.OnesCount64(set) != s {
						continue
					}
					leave := 0
					for rest := set; rest != 0; rest &= rest - 1 {
						for port := range g.Degree() {
							leave += int(^set >> g.Neighbor(bits.TrailingZeros64(rest), port) & 1)
						}
					}
					fewest = min(fewest, leave)
				}
				assert.Equal(t, fewest, links, "m = %d, rho = %d, %d nodes", m, rho, s)
			}
		}
	}
}
