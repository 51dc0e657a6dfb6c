// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A node alone is hardly held back, and never for long, also right after a receiver has
// stalled: it sends enough to lower level 1.
func TestALoneSenderIsHardlyHeldBack(t *testing.T) {
	for _, r := range fair {
		p := newPlan(t, r)
		one := gate{level: 1}
		forgotten := upset + 2<<one.memory(&p.Gate)
		for _, receiver := range []int{1, p.Nodes / 2, p.Nodes - 1} {
			load := heavy{receiver: receiver, stall: 64}
			n := load.network(p, forgotten+20_000)
			before := load.run(n, forgotten)
			s := load.run(n, forgotten+20_000)
			part := func(deliveries, cycles int) float64 {
				return float64(deliveries) / float64(p.Nodes-1) / float64(cycles)
			}
			first, later := part(before.Deliveries, forgotten), part(s.Deliveries-before.Deliveries, 20_000)
			t.Logf("%v, receiver %d: %.3f, later %.3f, longest wait %d cycles", r, receiver, first, later, s.MaxInjectionWait)
			assert.GreaterOrEqual(t, first, 0.8, "%v: receiver %d", r, receiver)
			assert.GreaterOrEqual(t, later, 0.94, "%v: receiver %d", r, receiver)
			assert.Less(t, s.MaxInjectionWait, 600, "%v: receiver %d", r, receiver)
		}
	}
}

// A single stall costs a lone sender little in the next thousands of cycles, and nothing for
// good if another node sends now and then, by which windows had grown until none was silent
// any more. Both need that level 1 falls with fewer messages than the others.
func TestALoneSenderRecoversFromAStallAtOnce(t *testing.T) {
	for _, m := range overloaded {
		if m.name == "8-ring" || m.name == "5x5x5" || m.name == "8x8" { // which never were held back
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			p := newPlan(t, m.r)
			deliveries, _ := heavy{receiver: p.Nodes / 2, stall: 64}.later(p, 0, 10_000)
			t.Logf("%.3f", deliveries)
			assert.GreaterOrEqual(t, deliveries, 0.8)
			deliveries, s := heavy{rare: true, receiver: p.Nodes / 2, stall: 100}.later(p, 2*upset, 40_000)
			t.Logf("%.3f, longest wait %d cycles", deliveries, s.MaxInjectionWait)
			assert.GreaterOrEqual(t, deliveries, 0.8)
			assert.Less(t, s.MaxInjectionWait, 1000)
		})
	}
}

// A node that always has a message uses what light traffic of the others leaves.
func TestAHeavySenderAmidLightTrafficUsesTheNetwork(t *testing.T) {
	for seed := int64(1); seed <= 2; seed++ {
		_, s := heavy{light: 0.2, seed: seed}.later(newPlan(t, rings{{4, 1}, {4, 1}}), 0, 20000)
		t.Logf("%.3f", s.DeliveriesPerNode)
		require.GreaterOrEqual(t, s.DeliveriesPerNode, 0.8, "%+v", s)
	}
}

// A stall or a burst does not hold it back for ever, although the light traffic
// leaves no silence.
func TestAHeavySenderAmidLightTrafficRecovers(t *testing.T) {
	for name, load := range map[string]heavy{
		"rare, stall":  {rare: true, receiver: 8, stall: 100},
		"rare, burst":  {rare: true, burst: 20},
		"light, stall": {light: 0.2, receiver: 8, stall: 100},
		"light, burst": {light: 0.2, burst: 20},
	} {
		for seed := int64(1); seed <= 2; seed++ {
			t.Run(fmt.Sprintf("%s/%d", name, seed), func(t *testing.T) {
				t.Parallel()
				load := load
				load.seed = seed
				p := newPlan(t, rings{{4, 1}, {4, 1}})
				deliveries, _ := load.later(p, recovered(p), recovered(p)+30000)
				t.Logf("%.3f", deliveries)
				require.GreaterOrEqual(t, deliveries, 0.83)
			})
		}
	}
}
