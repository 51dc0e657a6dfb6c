// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/schedule/check"
)

// There are as many disjoint paths as ports between every two nodes of every small machine.
func TestDisjointPaths(t *testing.T) {
	most := 40
	if testing.Short() {
		most = 16
	}
	Machines(most, hypercycle.MaxDegree, func(g *hypercycle.Graph) bool {
		for to := 1; to < g.Nodes(); to++ {
			from := to / 2
			paths, how := g.DisjointPaths(from, to)
			assert.NoError(t, check.Paths(Machine(g), from, to, paths), "%v %s: %d to %d", Machine(g), how, from, to)
			assert.Len(t, paths, g.Degree())
			assert.Len(t, slices.MinFunc(paths, func(a, b []int) int { return len(a) - len(b) }), g.Distance(from, to)+1)
		}
		return !t.Failed()
	})
}

// KN: the printed example, and the lengths of all paths of tori.
func TestLeePaths(t *testing.T) {
	g := kary(t, 5, 3, 1)
	rows := fixture(t, "paths")
	paths, how := g.DisjointPaths(int(word(t, "013", 5)), int(word(t, "034", 5)))
	assert.Equal(t, hypercycle.LeePaths, how)
	var want, got [][]int
	for _, row := range rows {
		var path []int
		for _, v := range strings.Fields(row["path"]) {
			path = append(path, int(word(t, v, 5)))
		}
		assert.Len(t, path, number(t, row["length"])+1)
		want = append(want, path)
	}
	got = append(got, paths...)
	assert.ElementsMatch(t, want, got)
	for _, mrho := range [][]int{{5, 1, 5, 1, 5, 1}, {4, 1, 4, 1, 4, 1}, {3, 1, 6, 1}, {7, 1, 4, 1, 3, 1}} {
		g := graph(t, mrho...)
		for to := 1; to < g.Nodes(); to++ {
			l := g.Distance(0, to)
			want := []int{}
			for i := 1; i <= g.Rank(); i++ {
				if w := g.Dimension(i).Distance(g.Digit(to, i)); w == 0 {
					want = append(want, l+2, l+2)
				} else {
					want = append(want, l, l+g.Dimension(i).M-2*w)
				}
			}
			paths, _ := g.DisjointPaths(0, to)
			assert.ElementsMatch(t, want, lengths(paths), "%v, node %d", mrho, to)
		}
	}
}

// GH: h paths of length h, h (k-2) of h + 1, (n-h)(k-1) of h + 2.
func TestHammingPaths(t *testing.T) {
	g := kary(t, 4, 3, 2)
	for to := 1; to < g.Nodes(); to++ {
		paths, how := g.DisjointPaths(0, to)
		assert.Equal(t, hypercycle.HammingPaths, how)
		h := g.Distance(0, to)
		want := slices.Concat(slices.Repeat([]int{h}, h), slices.Repeat([]int{h + 1}, 2*h), slices.Repeat([]int{h + 2}, 3*(3-h)))
		assert.ElementsMatch(t, want, lengths(paths))
	}
}

func lengths(paths [][]int) []int {
	var all []int
	for _, p := range paths {
		all = append(all, len(p)-1)
	}
	return all
}

func TestPathsThatAreNotDisjointAreFound(t *testing.T) {
	m := check.Machine{M: []int{6}, Rho: []int{1}}
	assert.NoError(t, check.Paths(m, 0, 3, [][]int{{0, 1, 2, 3}, {0, 5, 4, 3}}))
	assert.EqualError(t, check.Paths(m, 0, 3, [][]int{{0, 1, 2, 3}, {0, 1, 2, 3}}), "path 1: node 1 is on it twice, or on path 0")
	assert.EqualError(t, check.Paths(m, 0, 3, [][]int{{0, 1, 3}}), "path 0: no link leads from 1 to 3")
	assert.EqualError(t, check.Paths(m, 0, 3, [][]int{{0, 1, 2}}), "path 0 does not lead from 0 to 3")
	assert.EqualError(t, check.Paths(m, 0, 1, [][]int{{0, 1}, {0, 1}}), "paths 0 and 1 are the same link")
	assert.EqualError(t, check.Paths(m, 0, 3, [][]int{{0, 1, 0, 5, 4, 3}}), "path 0: node 0 is on it twice, or on path 0")
}
