// SPDX-License-Identifier: Apache-2.0

package traffic

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
)

// offered is a message that a node offered.
type offered struct {
	from int
	to   string // destination as an address
	last bool
}

// offersOf returns what the nodes offer in some cycles if every message is taken at once, in order.
func offersOf(p *plan.Plan, t machine.Traffic, cycles int) (list []offered) {
	o := New(p, t, nil)
	for cycle := range cycles {
		o.Begin(cycle)
		for v := range p.Nodes {
			if o.Offering(v) {
				m := o.Sent(v, len(o.first[v])-1)
				list = append(list, offered{v, m.To.String(), m.Last})
				o.Taken(v)
			}
		}
	}
	return list
}

// near fails if a count of n events differs from its expectation by more than 5 standard deviations. The seed is fixed.
func near(t *testing.T, n int, probability float64, count int, what string, args ...any) {
	t.Helper()
	mean := float64(n) * probability
	assert.InDelta(t, mean, count, 5*math.Sqrt(mean*(1-probability))+1e-9, append([]any{what}, args...)...)
}

func TestPatternsAreAsDefined(t *testing.T) {
	const cycles = 6000
	for _, shape := range shapes {
		for kind := machine.ToAll; kind <= machine.ToRow; kind++ {
			if kind == machine.ToTranspose && len(shape) == 1 {
				continue // the loader rejects it
			}
			for _, broadcasts := range []float64{0, 0.25, 1} {
				p := newPlan(t, shape, destination(), last())
				g := p.Machine.Graph
				r := machine.Random{Rate: 0.5, Seed: 7, Pattern: kind, Broadcasts: broadcasts, Hot: g.Nodes() / 2, Share: 0.3}
				counts := make([]map[string]int, p.Nodes)
				for v := range counts {
					counts[v] = map[string]int{}
				}
				lasts, all := 0, offersOf(p, machine.Traffic{Name: "t", Random: &r}, cycles)
				for _, m := range all {
					counts[m.from][m.to]++
					if m.last {
						lasts++
					}
				}
				near(t, len(all), 0.25, lasts, "tlast, %v %v", shape, kind)
				for v := range p.Nodes {
					want := definition(g, r, v)
					got, silent := 0, 1.
					for to, n := range counts[v] {
						require.Contains(t, want, to, "%v %v: from %d", shape, kind, v)
						got += n
					}
					for to, probability := range want {
						near(t, cycles, r.Rate*probability, counts[v][to], "%v %v: from %d to %s", shape, kind, v, to)
						silent -= probability
					}
					near(t, cycles, r.Rate*(1-silent), got, "%v %v: offers of %d", shape, kind, v)
				}
			}
		}
	}
}

// definition returns the probability of each destination of a node's messages, by the definitions of
// machine.Pattern and machine.Random. The sum is below 1 if a node is silent at times.
func definition(g *hypercycle.Graph, r machine.Random, v int) map[string]float64 {
	broadcast := hypercycle.Everywhere(g.Rank())
	want := map[string]float64{}
	add := func(to hypercycle.Destination, probability float64) {
		if probability > 0 {
			want[to.String()] += probability
		}
	}
	if r.Pattern == machine.ToAll {
		add(broadcast, 1)
		return want
	}
	add(broadcast, r.Broadcasts)
	rest := 1 - r.Broadcasts
	uniform := func(probability float64) {
		for u := range g.Nodes() {
			if u != v {
				add(g.To(u), probability/float64(g.Nodes()-1))
			}
		}
	}
	switch r.Pattern {
	case machine.ToUniform:
		uniform(rest)
	case machine.ToTranspose:
		to := make(hypercycle.Destination, g.Rank())
		for i := range to {
			to[i] = g.Digit(v, g.Rank()-i) % g.Dimension(i+1).M
		}
		if !g.Contains(to, -1, v) {
			add(to, rest)
		}
	case machine.ToHotSpot:
		share := r.Share
		if v == r.Hot {
			share = 0
		}
		add(g.To(r.Hot), rest*share)
		uniform(rest * (1 - share))
	case machine.ToNeighbour:
		for port := range g.Degree() {
			add(g.To(g.Neighbor(v, port)), rest/float64(g.Degree()))
		}
	case machine.ToRow:
		to := hypercycle.Everywhere(g.Rank())
		for i := 2; i <= g.Rank(); i++ {
			to[i-1] = g.Digit(v, i)
		}
		add(to, rest)
	}
	return want
}

func TestScheduledMessagesAreOfferedInOrderWithTheirDestination(t *testing.T) {
	p := newPlan(t, rings{{4, 1}, {3, 1}}, destination(), last())
	row := hypercycle.Destination{hypercycle.All, 2}
	list := offersOf(p, machine.Traffic{Name: "t", Sends: []machine.Send{
		{From: 3, To: hypercycle.Destination{1, 0}, At: 5},
		{From: 3, To: row, At: 2, Last: true},
		{From: 3, At: 2},
		{From: 7, To: hypercycle.Everywhere(2), At: 2},
		{From: 3, To: row, At: 2},
	}}, 10)
	assert.Equal(t, []offered{{3, "2,*", true}, {7, "*,*", false}, {3, "*,*", false}, {3, "2,*", false}, {3, "0,1", false}}, list)
}

// A message depends on seed, node and cycle: the times of handshakes change which messages are offered, not their contents.
func TestRandomMessagesDependOnNodeAndCycleAlone(t *testing.T) {
	p := newPlan(t, rings{{4, 1}, {4, 1}}, destination(), last())
	traffic := machine.Traffic{Name: "t", Random: &machine.Random{Rate: 1, Seed: 3, Pattern: machine.ToUniform, Broadcasts: 0.5}}
	every := offersOf(p, traffic, 64)
	assert.Equal(t, every, offersOf(p, traffic, 64))
	held := New(p, traffic, nil)
	for cycle := range 64 {
		held.Begin(cycle)
		if cycle%4 != 3 {
			continue
		}
		for v := range p.Nodes {
			seq := cycle / 4
			assert.Equal(t, 4*seq, held.Start(v, uint32(seq)))
			m := held.Sent(v, seq)
			assert.Equal(t, every[4*seq*p.Nodes+v], offered{v, m.To.String(), m.Last})
			var in sim.Inputs
			held.Offer(v, &in)
			assert.Equal(t, sim.Inputs{LocalSeq: uint32(seq), LocalDest: tdest(p, m.To), LocalLast: m.Last}, in)
			held.Taken(v)
		}
	}
	traffic.Random.Seed++
	assert.NotEqual(t, every, offersOf(p, traffic, 64))
}

func TestMessagesWithTlastAloneAreBroadcasts(t *testing.T) {
	p := newPlan(t, rings{{4, 1}, {3, 1}}, last())
	several := 0
	list := offersOf(p, machine.Traffic{Name: "t", Random: &machine.Random{Rate: 0.5, Seed: 1}}, 500)
	for _, m := range list {
		assert.Equal(t, "*,*", m.to)
		if m.last {
			several++
		}
	}
	near(t, len(list), 0.25, several, "tlast")
}
