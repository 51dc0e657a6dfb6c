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
	"github.com/hcgen/hcgen/internal/arbitrary"
	"github.com/hcgen/hcgen/schedule/check"
)

// streamed makes and checks a schedule for hardware, as transfers and as programs.
func streamed(t require.TestingT, g *hypercycle.Graph, r Request) (*Schedule, *collective.Streaming) {
	r.Algorithm = "streaming"
	s, err := Make(g, r)
	require.NoError(t, err)
	name := fmt.Sprint(Machine(g), r)
	require.NoError(t, check.Check(Machine(g), s.Claim()), name)
	streaming, err := s.Streaming()
	require.NoError(t, err, name)
	require.NoError(t, check.CheckStreaming(Machine(g), streaming), name)
	claim := s.Claim()
	claim.Waiting = streaming.Waiting()
	require.NoError(t, check.Check(Machine(g), claim), name)
	return s, streaming
}

// The machines that people build, and the corners: m = 2, m = 3, 2 rho = m, rings of odd and even m with rho 1, D = 1, one
// dimension, four dimensions. More is what the schedules take above the bound: by operation, nothing if it is not listed.
func TestNothingWaits(t *testing.T) {
	gathers := []string{collective.AllGather, collective.ReduceScatter, collective.AllReduce}
	for _, c := range []struct {
		rings  []int
		gather int // steps above the bound of an all-gather
		total  int // of a total exchange
	}{
		{rings: []int{2, 1}}, {rings: []int{3, 1}}, {rings: []int{4, 1}, total: 1}, {rings: []int{4, 2}}, {rings: []int{7, 1}}, {rings: []int{7, 3}},
		{rings: []int{8, 1}, total: 2}, {rings: []int{16, 1}, total: 4}, {rings: []int{8, 2}, total: 1},
		{rings: []int{3, 1, 3, 1}}, {rings: []int{4, 1, 4, 1}}, {rings: []int{3, 1, 4, 1}, total: 1}, {rings: []int{5, 1, 4, 1}},
		{rings: []int{4, 2, 4, 2}}, {rings: []int{5, 2, 5, 2}}, {rings: []int{8, 1, 8, 1}}, {rings: []int{7, 1, 7, 1}}, {rings: []int{6, 1, 6, 1}, gather: 1},
		{rings: []int{2, 1, 2, 1, 2, 1}}, {rings: []int{2, 1, 2, 1, 2, 1, 2, 1}}, {rings: []int{5, 1, 5, 1, 5, 1}}, {rings: []int{3, 1, 2, 1, 4, 2, 2, 1}},
		{rings: []int{8, 1, 2, 1}, gather: 1}, {rings: []int{29, 7}},
	} {
		g := graph(t, c.rings...)
		for _, operation := range collective.Operations() {
			s, streaming := streamed(t, g, Request{Operation: operation, Root: g.Nodes() - 1})
			assert.Zero(t, streaming.Waiting(), "%v %s", c.rings, operation)
			above := 0
			switch {
			case operation == collective.AllReduce:
				above = 2*Bound(g, collective.AllGather, AllPorts, 1) - s.Bound + 2*c.gather
			case operation == collective.TotalExchange:
				above = c.total
			case operation == gathers[0] || operation == gathers[1]:
				above = c.gather
			}
			assert.Equal(t, above, s.Steps-s.Bound, "%v %s", c.rings, operation)
		}
	}
}

// The hops of a total exchange keep to a circle of the ports: so a port of a torus of two dimensions sends the node's own items,
// what goes straight on, and what turns from one other port.
func TestItemsTurnFromFewPorts(t *testing.T) {
	for _, c := range []struct {
		rings   []int
		sources int
	}{
		{[]int{4, 1, 4, 1}, 3}, {[]int{3, 1, 4, 1}, 3}, {[]int{5, 1, 4, 1}, 3}, {[]int{5, 1, 5, 1}, 3}, {[]int{8, 1, 8, 1}, 3},
		{[]int{3, 1, 3, 1, 3, 1}, 3}, {[]int{4, 1, 4, 1, 4, 1}, 4}, {[]int{5, 1, 5, 1, 5, 1}, 4},
	} {
		_, streaming := streamed(t, graph(t, c.rings...), Request{Operation: collective.TotalExchange})
		assert.Equal(t, c.sources, slices.Max(streaming.Sources()), "%v", c.rings)
	}
}

// All offsets have such an order, and each order has the hops of the route.
func TestOrdersInACircle(t *testing.T) {
	for _, rings := range [][]int{{4, 1, 4, 1}, {5, 2, 3, 1}, {3, 1, 4, 1, 5, 1}, {2, 1, 2, 1, 2, 1, 2, 1}, {3, 1, 3, 1, 3, 1, 3, 1}, {7, 2}} {
		g := graph(t, rings...)
		for offset, route := range translatedPlan(g).routes() {
			if offset == 0 {
				continue
			}
			orders := ordersOf(g, route, false, nil)
			require.NotEmpty(t, orders, "%v, offset %d", rings, offset)
			a := newAddresses(g)
			for _, order := range orders {
				at := int32(0)
				for _, port := range order {
					at = a.add(at, a.shift[port])
				}
				assert.EqualValues(t, offset, at)
				assert.Len(t, order, len(route))
			}
		}
	}
}

// anyGraph draws a machine with at most the given number of nodes and dimensions in any order.
func anyGraph(t *rapid.T, nodes int) *hypercycle.Graph {
	g, err := hypercycle.New(arbitrary.Rings(t, arbitrary.Limits{Nodes: nodes, Degree: nodes})...)
	require.NoError(t, err)
	return g
}

// Whatever the machine, root and seed, a schedule is sound, and so is the hardware's program; the same request gives the
// same schedule.
func TestStreamingOfAnyMachine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := anyGraph(t, 24)
		r := Request{Operation: rapid.SampledFrom(collective.Operations()).Draw(t, "operation"), Root: rapid.IntRange(0, g.Nodes()-1).Draw(t, "root"),
			Seed: rapid.Uint64().Draw(t, "seed")}
		s, _ := streamed(t, g, r)
		again, _ := streamed(t, g, r)
		require.Equal(t, s.Transfers, again.Transfers)
		require.NoError(t, check.CheckStreaming(Machine(g), OneWord(g)))
	})
}

// What waits at the bound is better than more steps if those cost more.
func TestBetter(t *testing.T) {
	g := graph(t, 6, 1, 6, 1)
	f := &flow{graph: g, effort: 1}
	waits := f.waiting(9).schedule(collective.AllGather, 0)
	streaming, err := waits.Streaming()
	require.NoError(t, err)
	require.Equal(t, []int{9, 1, 1}, []int{waits.Steps, streaming.Waiting(), streaming.Registers})
	require.NoError(t, check.CheckStreaming(Machine(g), streaming))
	none := f.grown(10, anyTurns(g), false).schedule(collective.AllGather, 0)
	assert.Equal(t, []int{9 * 5, 10 * 4}, []int{waits.registers(), none.registers()})
	assert.Same(t, none, better(waits, none))
	assert.Same(t, waits, better(waits, nil))
	assert.Same(t, none, better(none, none))
	slow := f.grown(10, anyTurns(g), false).schedule(collective.AllGather, 0)
	slow.Steps = 12
	assert.Same(t, waits, better(slow, waits))
}

// A program that does anything else in one place fails the check.
func TestSpoiledProgramsFail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := anyGraph(t, 16)
		_, s := streamed(t, g, Request{Operation: rapid.SampledFrom(collective.Operations()).Draw(t, "operation")})
		if rapid.Bool().Draw(t, "one word") {
			s = OneWord(g)
		}
		p := &s.Programs[rapid.IntRange(0, len(s.Programs)-1).Draw(t, "class")]
		step, port := rapid.IntRange(0, s.Steps-1).Draw(t, "step"), rapid.IntRange(0, g.Degree()-1).Draw(t, "port")
		sent, delivered := &p.Sends[step][port], &p.Delivers[step][port]
		switch what := rapid.IntRange(0, 2).Draw(t, "fault"); {
		case what == 0 && len(*sent) > 0:
			*sent = nil
		case what == 1 && len(*sent) > 1:
			*sent = (*sent)[:len(*sent)-1]
		case *delivered >= 0:
			*delivered = -1
		default:
			*delivered = int32(g.Nodes()) - 1 - max(0, *delivered)
		}
		require.Error(t, check.CheckStreaming(Machine(g), s))
	})
}
