// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A node that always has a message gets its share past receivers that do not always accept
// one.
func TestWhoAlwaysHasAMessageGetsItsShare(t *testing.T) {
	for _, m := range overloaded[:6] {
		slow := func(stall float64) Load { return Load{Rate: 1, Slow: map[int]float64{m.r.nodes() / 2: stall}} }
		for name, c := range map[string]struct {
			load         Load
			small, large float64 // shares
		}{
			"one at 90 %": {slow(0.1), 0.98, 0.93},
			"one at 50 %": {slow(0.5), 0.82, 0.85},
			"one at 30 %": {slow(0.7), 0.83, 0.85},
			"one at 10 %": {slow(0.9), 0.9, 0.8},
			"all at 50 %": {Load{Rate: 1, Stall: 0.5}, 0.98, 0.96},
		} {
			for seed := int64(1); seed <= 2; seed++ {
				t.Run(fmt.Sprintf("%s/%s/%d", m.name, name, seed), func(t *testing.T) {
					t.Parallel()
					load, least := c.load, c.small
					load.Seed = seed
					cycles := 60_000
					if m.name == "5x5x5" {
						least = c.large
						if name == "one at 90 %" { // its frames are the longest
							cycles = 120_000
						}
					}
					s := Saturate(newPlan(t, m.r), load, cycles)
					t.Logf("%s, %s: share %.2f", m.name, name, share(m.r.nodes(), s))
					require.GreaterOrEqual(t, share(m.r.nodes(), s), least, "%+v", s)
				})
			}
		}
	}
}

// The same past one that accepts a message most of the time, and nobody waits for as many messages as nodes that have no silences
// allow each other. (Messages come in bursts then, and a pause between two of them looks like a silence. When nodes took each for one
// the quota of some of them grew until others had nothing at all.)
func TestNobodyStarvesPastAReceiverThatIsReadyMostOfTheTime(t *testing.T) {
	for _, r := range []rings{{{4, 1}, {4, 1}}, {{5, 1}, {6, 2}}, {{5, 1}, {5, 1}, {5, 1}}, {{8, 1}, {8, 1}}} {
		for _, stall := range []float64{0.15, 0.2, 0.3, 0.4} {
			t.Run(fmt.Sprintf("%v/%.0f %%", r, 100*(1-stall)), func(t *testing.T) {
				t.Parallel()
				p := newPlan(t, r)
				for seed := int64(1); seed <= 2; seed++ {
					s, wait := saturate(p, Load{Rate: 1, Seed: seed, Slow: map[int]float64{p.Nodes / 2: stall}}, 100_000)
					t.Logf("share %.2f, longest wait %d messages", share(p.Nodes, s), wait)
					assert.GreaterOrEqual(t, share(p.Nodes, s), 0.8, "seed %d", seed)
					assert.Less(t, float64(wait), waitBound(p)/2, "seed %d", seed)
				}
			})
		}
	}
}

// In the long run all nodes inject equally often, also with a receiver that is ready in a
// tenth of the cycles.
func TestInTheLongRunAllNodesInjectEquallyOftenPastASlowReceiver(t *testing.T) {
	for _, r := range []rings{{{4, 1}, {4, 1}}, {{8, 1}}, {{5, 1}, {6, 2}}} {
		t.Run(fmt.Sprint(r), func(t *testing.T) {
			t.Parallel()
			n := NewNetwork(newPlan(t, r), random(1, 0, 1))
			n.offers.slow(map[int]float64{r.nodes() / 2: 0.9})
			for n.Cycle() < 60_000 {
				n.Step()
			}
			before := slices.Clone(n.count.injections)
			for n.Cycle() < 160_000 {
				n.Step()
			}
			require.GreaterOrEqual(t, shareSince(n, before), 0.95)
		})
	}
}

// One receiver that is ready in a few of the cycles only leaves nobody out, whether the
// others see it stand still or take its gaps for silences. The shares count from the middle
// on.
func TestNobodyStarvesPastAVerySlowReceiver(t *testing.T) {
	const cycles = 400_000
	for _, r := range []rings{{{4, 1}, {4, 1}}, {{8, 1}}, {{5, 1}, {6, 2}}, {{15, 1}}} {
		for name, receiver := range map[string]slowReceiver{
			"10 %":       {stall: 0.9},
			"3 %":        {stall: 0.97},
			"1.5 %":      {stall: 0.985},
			"1 %":        {stall: 0.99},
			"4 of 600":   {ready: 4, of: 600},
			"16 of 4096": {ready: 16, of: 4096},
		} {
			t.Run(fmt.Sprintf("%v/%s", r, name), func(t *testing.T) {
				t.Parallel()
				p := newPlan(t, r)
				n := NewNetwork(p, random(1, 0, 1))
				w := newWaits(n)
				var before []uint32
				for n.Cycle() < cycles {
					if n.Cycle() == cycles/2 {
						before = slices.Clone(n.count.injections)
					}
					receiver.drive(n, p.Nodes/2)
					n.Step()
					w.step()
				}
				least, rounds := shareSince(n, before), float64(w.longest)/float64(p.Nodes)
				t.Logf("share %.2f, longest wait %.1f rounds", least, rounds)
				assert.GreaterOrEqual(t, least, 0.92)
				assert.Less(t, rounds, 36.0)
			})
		}
	}
}
