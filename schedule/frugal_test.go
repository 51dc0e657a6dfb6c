// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/schedule/check"
)

// sizeOf is the largest number of sources of a port, and the sum of those of all ports.
func sizeOf(sources []int) [2]int { return [2]int{slices.Max(sources), sum(sources)} }

// sizes are those of the grown schedule, and of the one that is made of it.
func sizes(t *testing.T, dims ...int) [2][2]int {
	t.Helper()
	f := &flow{graph(t, dims...), 1, 0}
	steps := Bound(f.graph, collective.AllGather, AllPorts, 1)
	s := f.grown(steps, straight(f.graph), false)
	if s == nil {
		s = f.grown(steps, anyTurns(f.graph), false)
	}
	require.NotNil(t, s)
	return [2][2]int{sizeOf(s.inputs().sources), sizeOf(f.frugal(s, collective.AllGather).inputs().sources)}
}

// The figures of the search: a port that sends on from fewer others has fewer inputs. On the 5-ring each port sends the node's
// own item and what arrives on one port.
func TestSchedulesHaveFewSources(t *testing.T) {
	for _, c := range []struct {
		dims []int
		want [2][2]int
	}{
		{[]int{5, 1}, [2][2]int{{2, 4}, {2, 4}}},
		{[]int{7, 3}, [2][2]int{{1, 6}, {1, 6}}},
		{[]int{4, 1, 4, 1}, [2][2]int{{3, 12}, {3, 10}}},
		{[]int{2, 1, 2, 1, 2, 1, 2, 1}, [2][2]int{{3, 11}, {3, 10}}},
		{[]int{3, 1, 3, 1, 3, 1}, [2][2]int{{5, 24}, {3, 13}}},
		{[]int{8, 1, 8, 1}, [2][2]int{{3, 12}, {3, 11}}},
		{[]int{5, 1, 5, 1, 5, 1}, [2][2]int{{6, 36}, {5, 28}}},
		{[]int{5, 2, 5, 2}, [2][2]int{{3, 21}, {2, 16}}},
	} {
		assert.Equal(t, c.want, sizes(t, c.dims...), fmt.Sprint(c.dims))
	}
}

// On small machines the search finds the smallest multiplexers that there are in that many steps, as all trees show.
func TestFewestSources(t *testing.T) {
	for _, dims := range [][]int{{5, 1}, {8, 1}, {8, 2}, {3, 1, 3, 1}, {3, 1, 4, 1}, {4, 1, 4, 1}, {2, 1, 2, 1, 2, 1, 2, 1}} {
		g := graph(t, dims...)
		_, streaming := streamed(t, g, Request{Operation: collective.AllGather})
		e := &everyTree{g: g, steps: streaming.Steps, best: [2]int{g.Degree() + 2}}
		e.grow(1, 0, map[int]bool{0: true}, map[int]int{}, map[int]int{}, map[[2]int]bool{})
		assert.Equal(t, e.best, sizeOf(streaming.Sources()), "%v", dims)
	}
}

// everyTree tries all trees by which an item can reach all nodes without waiting, and keeps the smallest size of multiplexers.
type everyTree struct {
	g     *hypercycle.Graph
	steps int
	best  [2]int
}

// grow chooses what a port sends in a step. Of the last step and this one it has the node that the item has reached by each port.
// A turn is a port on which the item arrives at a node, or -1 at its source, and one by which it leaves.
func (e *everyTree) grow(step, port int, reached map[int]bool, last, now map[int]int, turns map[[2]int]bool) {
	d := e.g.Degree()
	if got := e.size(turns); slices.Compare(got[:], e.best[:]) >= 0 {
		return
	} else if len(reached) == e.g.Nodes() {
		e.best = got
		return
	}
	if port == d {
		step, port, last, now = step+1, 0, now, map[int]int{}
	}
	if e.g.Nodes()-len(reached) > (e.steps-step+1)*d-port {
		return
	}
	for from := -1; from < d; from++ {
		at, ok := last[from]
		to := e.g.Neighbor(at, port)
		if from >= 0 && !ok || reached[to] {
			continue
		}
		made := turns[[2]int{from, port}]
		reached[to], now[port], turns[[2]int{from, port}] = true, to, true
		e.grow(step, port+1, reached, last, now, turns)
		delete(reached, to)
		delete(now, port)
		if !made {
			delete(turns, [2]int{from, port})
		}
	}
	e.grow(step, port+1, reached, last, now, turns)
}

// size is that of the multiplexers of some turns.
func (e *everyTree) size(turns map[[2]int]bool) [2]int {
	sources := make([]int, e.g.Degree())
	for t := range turns {
		sources[t[1]]++
	}
	return sizeOf(sources)
}

// A search that may take a step more than it needs states the steps that it has taken.
func TestFewerSourcesInFewerSteps(t *testing.T) {
	f := &flow{graph(t, 6, 1, 3, 1), 1, 0x33}
	s := f.grown(Bound(f.graph, collective.AllGather, AllPorts, 1)+1, anyTurns(f.graph), false)
	require.NotNil(t, s)
	less := f.frugal(s, collective.AllGather)
	assert.LessOrEqual(t, less.steps, s.steps)
	require.NoError(t, check.Check(Machine(f.graph), less.schedule(collective.AllGather, 0).Claim()))
}

// Whatever the machine, the schedule is sound, its multiplexers are no larger, and nothing waits.
func TestFewerSourcesCostNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := &flow{anyGraph(t, 24), 1, rapid.Uint64().Draw(t, "seed")}
		s := f.grown(Bound(f.graph, collective.AllGather, AllPorts, 1)+1, anyTurns(f.graph), false)
		if s == nil {
			return // more steps are needed
		}
		operation := rapid.SampledFrom([]string{collective.AllGather, collective.ReduceScatter, collective.AllReduce}).Draw(t, "operation")
		before, less := s.inputs(), f.frugal(s, operation)
		n := less.inputs()
		if collective.Reduces(operation) {
			require.LessOrEqual(t, n.sum, before.sum, "turns")
		} else {
			require.LessOrEqual(t, n.size().compare(before.size()), 0)
		}
		made := less.schedule(operation, 0)
		require.LessOrEqual(t, less.steps, s.steps)
		require.NoError(t, check.Check(Machine(f.graph), made.Claim()))
		streaming, err := made.Streaming()
		require.NoError(t, err)
		require.Zero(t, streaming.Waiting())
		if operation == collective.AllGather {
			require.Equal(t, n.sources, streaming.Sources())
		}
	})
}
