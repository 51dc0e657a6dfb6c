// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/schedule/check"
)

// The split item has a window for each pair of equal jumps; of even ones only if there is an
// odd one.
func TestWindowsOfTheSplitItem(t *testing.T) {
	for _, c := range []struct {
		counts, loads []int
		jumps         []int
	}{
		{[]int{0, 4}, []int{0, 2}, []int{1, 1, 1, 1}},
		{[]int{0, 3}, []int{0, 2}, []int{1, 1, 1}},
		{[]int{0, 1, 2, 0}, []int{0, 1, 1, 0}, []int{2, 1, 2}},
		{[]int{0, 0, 2}, []int{0, 0, 2}, []int{2, 2}},
		{[]int{0, 2, 2, 3}, []int{0, 1, 1, 2}, []int{2, 3, 2, 3, 3, 1, 1}},
	} {
		s := newSplitItem(c.counts)
		assert.Equal(t, c.jumps, s.jumps)
		assert.Equal(t, c.loads, s.loads(len(c.counts)-1), "%v", c.counts)
	}
}

func TestFewJumpsComeFirst(t *testing.T) {
	var got [][]int
	for _, counts := range fewJumps(4, 3) {
		got = append(got, slices.Clone(counts[1:]))
	}
	assert.Equal(t, [][]int{{1, 0, 1}, {0, 2, 0}, {2, 1, 0}, {4, 0, 0}}, got)
}

// Alternating schedules meet the bound on rings of every reach; the plain lists say so, too.
func TestAlternatingExchangesOfRings(t *testing.T) {
	for _, rings := range [][]int{{8, 1}, {24, 3}, {26, 3}, {32, 4}, {44, 7}, {58, 4}, {10, 2, 3, 1}, {9, 3, 12, 2}} {
		g := graph(t, rings...)
		s := makeChecked(t, g, Request{Operation: collective.TotalExchange})
		assert.Equal(t, "alternating", s.Algorithm, "%v", rings)
		assert.Equal(t, s.Bound, s.Steps, "%v", rings)
		assert.NoError(t, check.Check(Machine(g), s.Plain().Claim()), "%v", rings)
		assert.Greater(t, ringBound(g.Dimension(oddDimension(g)+1), g.Nodes()/g.Dimension(oddDimension(g)+1).M, nil), s.Bound, "translated")
	}
	_, err := Make(graph(t, 18, 6), Request{Operation: collective.TotalExchange, Algorithm: "alternating"})
	assert.EqualError(t, err, "algorithm alternating does not make total-exchange with all ports: it finds none with fewer steps than the translated one on this machine")
}
