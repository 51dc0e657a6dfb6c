// SPDX-License-Identifier: Apache-2.0

package hypercycle_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
)

const largestRing = 64

// forEachRing runs check on every legal ring with m <= largestRing.
func forEachRing(check func(d hypercycle.Dimension)) {
	for m := 2; m <= largestRing; m++ {
		for rho := 1; rho <= m/2; rho++ {
			check(hypercycle.Dimension{M: m, Rho: rho})
		}
	}
}

func mustNew(t testing.TB, dims ...hypercycle.Dimension) *hypercycle.Graph {
	t.Helper()
	g, err := hypercycle.New(dims...)
	require.NoError(t, err)
	return g
}

func indicator(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestConstantsOfEveryRing(t *testing.T) {
	var o oracle
	rings := 0
	forEachRing(func(d hypercycle.Dimension) {
		rings++
		m, rho, D, a, k := d.M, d.Rho, d.D(), d.A(), d.K()
		name := fmt.Sprintf("C_%d<1..%d>", m, rho)
		require.NoError(t, d.Validate(), name)
		o.reset([]hypercycle.Dimension{d})
		diameter, sum := o.bfs(0)

		assert.Equal(t, diameter, D, "%s: D is the diameter", name)
		assert.Equal(t, sum, d.DistanceSum(), "%s: sum of the distances", name)
		assert.Equal(t, len(o.step[0][0]), d.Degree(), "%s: degree", name)
		assert.Equal(t, (m-1)/rho-D, a, "%s: a of equation 6", name)
		assert.Equal(t, m-a*rho-D*rho-1, k, "%s: k of equation 6", name)
		assert.Equal(t, (m-1)%rho, k, "%s: k is what the division by rho leaves", name)
		assert.GreaterOrEqual(t, a, 0, name)
		assert.LessOrEqual(t, a+indicator(k > 0), D, "%s: Theorem 2", name)
		assert.Equal(t, 2*rho == m || 2*rho+2 <= m && m <= 3*rho, a == 0, "%s: when a is 0", name)
		if D >= 3 {
			assert.GreaterOrEqual(t, a, 1, name)
		}
		if rho == 1 {
			assert.Equal(t, [3]int{m / 2, (m - 1) / 2, 0}, [3]int{D, a, k}, "%s: D, a, k of a plain ring", name)
		}
		if 2*rho == m {
			assert.Equal(t, [3]int{1, 0, rho - 1}, [3]int{D, a, k}, "%s: D, a, k of an even complete graph", name)
		}
		for x := -2 * m; x <= 2*m; x++ {
			assert.EqualValues(t, o.distance[(x+2*m)%m], d.Distance(x), "%s: distance of offset %d", name, x)
		}
	})
	assert.Equal(t, 1024, rings)
}

func TestSidesOfEveryRing(t *testing.T) {
	forEachRing(func(d hypercycle.Dimension) {
		name := fmt.Sprintf("C_%d<1..%d>", d.M, d.Rho)
		nodes := func(s hypercycle.Side) int { return s.Q*d.Rho + s.K }

		cw, ccw := d.Sides(hypercycle.Clockwise)
		assert.Equal(t, hypercycle.Side{Q: d.D()}, cw, "%s: clockwise is (D, 0)", name)
		assert.Equal(t, hypercycle.Side{Q: d.A(), K: d.K()}, ccw, "%s: counterclockwise is (a, k)", name)

		mirrorCW, mirrorCCW := d.Sides(hypercycle.Counterclockwise)
		assert.Equal(t, ccw, mirrorCW, "%s: mirror image", name)
		assert.Equal(t, cw, mirrorCCW, "%s: mirror image", name)

		cw, ccw = d.Sides(hypercycle.Balanced)
		assert.Equal(t, d.M-1, nodes(cw)+nodes(ccw), "%s: balanced serves all", name)
		assert.Equal(t, (d.M-1)%2, nodes(cw)-nodes(ccw), "%s: balanced halves", name)

		for _, p := range preferences {
			cw, ccw := d.Sides(p)
			for _, s := range []hypercycle.Side{cw, ccw} {
				assert.True(t, 0 <= s.K && s.K < d.Rho, "%s: K = %d", name, s.K)
				total := 0
				for x := 1; x <= d.Rho; x++ {
					total += s.Weight(x)
					assert.True(t, s.Weight(x) >= 0 && s.Weight(x) <= d.D(), "%s: weight %d", name, s.Weight(x))
				}
				assert.Equal(t, nodes(s), total, "%s: every unit of weight serves one node", name)
			}
		}
	})
}

// A clockwise broadcast leaves rho - k links idle if 2 rho + 2 <= m <= 3 rho and
// none otherwise; a balanced one uses all.
func TestIdleLinksOfEveryRing(t *testing.T) {
	idle := func(g *hypercycle.Graph, p hypercycle.Preference) (n int) {
		for _, weight := range g.Weights(p) {
			n += indicator(weight == 0)
		}
		return n
	}
	forEachRing(func(d hypercycle.Dimension) {
		g := mustNew(t, d)
		want := 0
		if 2*d.Rho+2 <= d.M && d.M <= 3*d.Rho {
			want = d.Rho - d.K()
		}
		name := fmt.Sprintf("C_%d<1..%d>", d.M, d.Rho)
		assert.Equal(t, want, idle(g, hypercycle.Clockwise), name)
		assert.Equal(t, want, idle(g, hypercycle.Counterclockwise), name)
		assert.Equal(t, 0, idle(g, hypercycle.Balanced), name)
	})
}

// For every ring, preference and source, the broadcast is checked message by
// message, and its steps against the formulas and breadth-first search.
func TestBroadcastOnEveryRing(t *testing.T) {
	var o oracle
	forEachRing(func(d hypercycle.Dimension) {
		o.reset([]hypercycle.Dimension{d})
		g := mustNew(t, d)
		for _, p := range preferences {
			for source := range d.M {
				name := fmt.Sprintf("C_%d<1..%d> %s from %d", d.M, d.Rho, p, source)
				o.bfs(source)
				require.NoError(t, o.broadcast(g, source, p), name)
				require.NoError(t, o.tree(g.Broadcast(source, p), source), name)
				for node, step := range o.arrived {
					if int(step) != d.Arrival(p, node-source) {
						t.Fatalf("%s: Arrival(%d) = %d, it arrives in step %d", name, node-source, d.Arrival(p, node-source), step)
					}
				}
				if p == hypercycle.Balanced {
					require.NoError(t, o.onTime(), name)
					continue
				}
				late := d.M <= (2*d.D()-1)*d.Rho
				if late != (o.late() > 0) {
					t.Fatalf("%s: %d late nodes", name, o.late())
				}
				if late && (d.Rho == 1 || d.D() == 1) {
					t.Fatalf("%s: late nodes with rho = 1 or D = 1", name)
				}
				checkMessagesPerStep(t, name, d, o.arrived)
			}
		}
	})
}

// checkMessagesPerStep compares the arrivals of a broadcast, by one of the
// paper's preferences, with rho [t<=D] + rho [t<=a] + k [t=a+1].
func checkMessagesPerStep(t *testing.T, name string, d hypercycle.Dimension, arrived []int32) {
	t.Helper()
	perStep := make([]int, d.D()+1)
	for _, step := range arrived {
		perStep[step]++
	}
	for step := 1; step <= d.D(); step++ {
		want := d.Rho + d.Rho*indicator(step <= d.A()) + d.K()*indicator(step == d.A()+1)
		if perStep[step] != want {
			t.Fatalf("%s: %d messages in step %d, want %d", name, perStep[step], step, want)
		}
	}
}
