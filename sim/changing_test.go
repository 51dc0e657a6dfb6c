// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/hcgen/hcgen/gen/plan"
	"github.com/stretchr/testify/require"
)

// changing is a load that draws anew, every 500 cycles, what some nodes send and
// how often some receivers are ready: lone senders, bursts, silences, heavy and
// light traffic side by side, receivers that are slow for a while.
type changing struct {
	draw  *rand.Rand
	rate  []float64       // by node, messages per cycle
	stall map[int]float64 // by node, share of cycles in which the receiver is not ready
}

// turn changes the load.
func (c *changing) turn() {
	one := func(of ...float64) float64 { return of[c.draw.IntN(len(of))] }
	for v := range c.rate {
		if c.draw.IntN(20) == 0 {
			c.rate[v] = one(0, 0, 0.001, 0.01, 0.2, 1, 1)
		}
		if c.draw.IntN(60) == 0 {
			c.stall[v] = one(0, 0, 0, 0, 0.1, 0.5, 0.9, 0.97, 0.99)
		}
	}
	if c.draw.IntN(40) == 0 {
		rate := one(0, 0.001, 1)
		for v := range c.rate {
			c.rate[v] = rate
		}
	}
	if c.draw.IntN(60) == 0 {
		clear(c.stall)
	}
}

// worstWait runs a network under a changing load and returns the longest wait of an
// injection, in cycles, and in rounds: of as many messages as there are nodes, of all that
// the network takes meanwhile.
func worstWait(p *plan.Plan, seed uint64, cycles int) (longest int, rounds float64) {
	c := changing{rand.New(rand.NewPCG(seed, 1)), make([]float64, p.Nodes), map[int]float64{}}
	n := NewNetwork(p, random(0, 0, int64(seed)))
	n.offers.random, n.offers.rate = true, newChance(1)
	w := newWaits(n)
	for n.Cycle() < cycles {
		if n.Cycle()%500 == 0 {
			c.turn()
			n.offers.stalls = nil // slow adds to them
			n.offers.slow(c.stall)
		}
		n.offers.sources = n.offers.sources[:0]
		for v, rate := range c.rate {
			if rate > 0 && !n.offers.on.has(int32(v)) && c.draw.Float64() < rate {
				n.offers.sources = append(n.offers.sources, int32(v))
			}
		}
		n.Step()
		w.step()
	}
	return n.Summary().MaxInjectionWait, float64(w.longest) / float64(p.Nodes)
}

// Nobody starves while loads come and go: a node that is left out would wait to the end.
func TestNobodyStarvesUnderChangingLoads(t *testing.T) {
	for _, r := range append(fair[:len(fair):len(fair)], rings{{2, 1}, {4, 2}, {3, 1}}) {
		for seed := uint64(1); seed <= 4; seed++ {
			t.Run(fmt.Sprintf("%v/%d", r, seed), func(t *testing.T) {
				t.Parallel()
				p := newPlan(t, r)
				wait, rounds := worstWait(p, seed, 400_000)
				t.Logf("%d cycles, %.0f rounds", wait, rounds)
				require.Less(t, rounds, waitBound(p)/float64(p.Nodes))
			})
		}
	}
}

// The metrics are the longest wait of an injection in a hundred runs of 200,000
// cycles, in cycles and in rounds.
func BenchmarkChangingLoads(b *testing.B) {
	for _, r := range append(fair[:len(fair):len(fair)], rings{{2, 1}, {4, 2}, {3, 1}}, rings{{8, 1}, {8, 1}}) {
		b.Run(fmt.Sprint(r), func(b *testing.B) {
			p, longest, most := newPlan(b, r), 0, 0.0
			for b.Loop() {
				for seed := uint64(1); seed <= 100; seed++ {
					wait, rounds := worstWait(p, seed, 200_000)
					longest, most = max(longest, wait), max(most, rounds)
				}
			}
			b.ReportMetric(float64(longest), "max-wait")
			b.ReportMetric(most, "rounds")
			b.ReportMetric(0, "ns/op")
		})
	}
}
