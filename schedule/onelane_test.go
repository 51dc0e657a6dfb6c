// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/needs"
)

// The steps of a total exchange of one lane, and their bound.
func TestTotalExchangeOfOneLane(t *testing.T) {
	for _, c := range []struct {
		dims         []int
		steps, bound int
	}{
		{[]int{7, 3}, 6, 6},
		{[]int{3, 1, 3, 1}, 9, 9},
		{[]int{4, 1, 4, 1}, 17, 17},
		{[]int{2, 1, 2, 1, 2, 1, 2, 1}, 17, 17},
		{[]int{5, 1, 5, 1}, 26, 26},
		{[]int{6, 1, 6, 1}, 38, 38},
		{[]int{16, 4}, 16, 16},
		{[]int{5, 1, 5, 1, 5, 1}, 127, 127},
	} {
		s, _ := streamed(t, graph(t, c.dims...), Request{Operation: collective.TotalExchange, OneLane: true})
		assert.Equal(t, []int{c.steps, c.bound}, []int{s.Steps, s.Bound}, "%v", c.dims)
	}
}

// A total exchange with all ports on the 8x8 and the 10x10 torus takes 64 and 125 steps, and the words of a node set out in different steps.
// The search comes close to that.
func TestTotalExchangeOfOneLaneOnLargeTori(t *testing.T) {
	needs.Time(t)
	for m, most := range map[int]int{8: 74, 10: 141} {
		s, streaming := streamed(t, graph(t, m, 1, m, 1), Request{Operation: collective.TotalExchange, OneLane: true})
		assert.LessOrEqual(t, s.Steps, most, "%dx%d", m, m)
		assert.Equal(t, 1, streaming.Lanes())
	}
}

// Whatever the machine, nothing waits, and a node gives and gets one word in a step at most. All operations but the total
// exchange and the all-reduce take as many steps as there are words.
func TestOneLaneOfAnyMachine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := anyGraph(t, 24)
		r := Request{Operation: rapid.SampledFrom(collective.Operations()).Draw(t, "operation"), Root: rapid.IntRange(0, g.Nodes()-1).Draw(t, "root"), OneLane: true}
		s, streaming := streamed(t, g, r)
		require.Zero(t, streaming.Waiting())
		require.Equal(t, 1, streaming.Lanes())
		require.Equal(t, 1, lanes(s))
		switch r.Operation {
		case collective.AllReduce:
			require.Equal(t, 2*(g.Nodes()-1), s.Steps)
		case collective.TotalExchange:
			require.GreaterOrEqual(t, s.Steps, s.Bound)
		default:
			require.Equal(t, s.Bound, s.Steps)
		}
	})
}

// The lanes of a program are those of its schedule.
func TestLanes(t *testing.T) {
	for operation, want := range map[string]int{
		collective.Broadcast: 1, collective.AllGather: 4, collective.Scatter: 4, collective.Gather: 4, collective.TotalExchange: 4, collective.ReduceScatter: 4, collective.AllReduce: 4,
	} {
		s, streaming := streamed(t, graph(t, 4, 1, 4, 1), Request{Operation: operation})
		assert.Equal(t, []int{want, want}, []int{streaming.Lanes(), lanes(s)}, operation)
	}
}

// lanes counts the words that a node gives in a step, and those that it gets, from the transfers of all nodes. It gives a part for each
// sum that it sends, and gets the results of others.
func lanes(s *Schedule) int {
	type use struct {
		step, node int32
		gets       bool
	}
	words := map[use]map[collective.Item]bool{}
	add := func(u use, i collective.Item) {
		if words[u] == nil {
			words[u] = map[collective.Item]bool{}
		}
		words[u][i] = true
	}
	for _, t := range s.Plain().Transfers {
		from, to := s.ends(t.Item)
		if collective.Reduces(s.Operation) {
			to = -1
			if from = -1; t.Add {
				from = t.From
			}
		}
		if t.From == from && s.Operation != collective.Broadcast {
			add(use{t.Step, t.From, false}, t.Item)
		}
		if !t.Add && (to < 0 || t.To == to) {
			add(use{t.Step, t.To, true}, t.Item)
		}
	}
	most := 0
	for _, items := range words {
		most = max(most, len(items))
	}
	return most
}

// No total exchange of one lane takes fewer steps than the bound, whatever the ways of its words, as all translated schedules show.
func TestOneLaneBound(t *testing.T) {
	for _, dims := range [][]int{{4, 1}, {5, 1}, {6, 2}, {2, 1, 2, 1}, {2, 1, 3, 1}, {2, 1, 2, 1, 2, 1}} {
		g := graph(t, dims...)
		fewest := 1
		for !gives(g, fewest, 1, map[[2]int]bool{}) {
			fewest++
		}
		assert.LessOrEqual(t, OneLaneBound(g, collective.TotalExchange), fewest, "%v", dims)
	}
}

// gives tries for the words from an offset on all steps in which they may be given and got, no faster than their distance, and in which no
// other word is.
func gives(g *hypercycle.Graph, steps, offset int, taken map[[2]int]bool) bool {
	if offset == g.Nodes() {
		return true
	}
	for first := 1; first <= steps; first++ {
		for last := first + g.Distance(0, offset) - 1; last <= steps; last++ {
			give, get := [2]int{0, first}, [2]int{1, last}
			if taken[give] || taken[get] {
				continue
			}
			taken[give], taken[get] = true, true
			if gives(g, steps, offset+1, taken) {
				return true
			}
			delete(taken, give)
			delete(taken, get)
		}
	}
	return false
}
