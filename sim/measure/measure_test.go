// SPDX-License-Identifier: Apache-2.0

package measure

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/traffic"
)

// A traffic gives the same figures as the load that it describes.
func TestTrafficIsMeasuredAsItsLoad(t *testing.T) {
	for i, v := range variants {
		p := newPlan(t, rings{{4, 1}, {4, 1}}, v.Options...)
		for _, sources := range [][]int{nil, {0, 1, 5, 10}, {3}} {
			load := machine.Traffic{Name: "load", Cycles: 1000, Random: &machine.Random{Rate: 1, Stall: 0.3, Seed: int64(i), Sources: sources}}
			got, err := Traffic(p, load, nil)
			require.NoError(t, err)
			require.Equal(t, Load(p, traffic.Load{Rate: 1, Stall: 0.3, Seed: int64(i), Sources: sources}, 1000), got)
			require.Positive(t, got.Bound)
			if sources != nil {
				require.Len(t, sources, got.Sources)
			}
		}
	}
}

// Waits stay below the bound of the theorem for messages of every kind, and come near it.
func TestWaitsOfTrafficKeepTheirBound(t *testing.T) {
	near := 0.
	for i, shape := range shapes {
		for kind := machine.ToAll; kind <= machine.ToRow; kind++ {
			p := newPlan(t, shape, variants[i%len(variants)].With(destination())...)
			load := machine.Traffic{Name: "t", Cycles: 2000, Random: &machine.Random{Rate: 0.4, Stall: 0.3, Seed: 2, Pattern: kind, Broadcasts: 0.2, Share: 0.5}}
			load.Stalls = []machine.Stall{{Receivers: []int{p.Nodes - 1}, At: 500, Cycles: 200}}
			m, err := Traffic(p, load, nil)
			require.NoError(t, err)
			require.LessOrEqual(t, m.LongestWait, m.WaitBound, "%v %v", shape, kind)
			require.Equal(t, kind == machine.ToAll, m.Bound > 0)
			near = max(near, float64(m.LongestWait)/float64(m.WaitBound))
		}
	}
	require.Greater(t, near, 0.5)
}

// Nodes 0 and 2 inject messages while node 1 waits in cycles 3 to 12. Injections in cycle 12 do not count.
func TestWaitsAreCountedFromOfferToInjection(t *testing.T) {
	w := newWaits(3, []int{0, 1, 2})
	for cycle := range 20 {
		w.cycle(func(v int) bool { return v != 1 || cycle >= 3 && cycle <= 12 }, func(v int) int {
			switch {
			case v == 0:
				return 1
			case v == 1 && cycle == 12, v == 2 && cycle%4 == 0: // cycles 4 and 8, and 12
				return plan.TurnCost
			}
			return 0
		})
	}
	require.Equal(t, 9+2*plan.TurnCost, w.longest)
}

func TestSourcesOfTraffic(t *testing.T) {
	p := newPlan(t, rings{{4, 1}})
	sends := []machine.Send{{From: 3}, {From: 1}, {From: 3, At: 4}}
	require.Equal(t, []int{1, 3}, sourcesOf(p, machine.Traffic{Sends: sends}))
	require.Equal(t, []int{1, 3}, sourcesOf(p, machine.Traffic{Sends: sends, Random: &machine.Random{Rate: 0}}))
	require.Equal(t, []int{0, 1, 3}, sourcesOf(p, machine.Traffic{Sends: sends, Random: &machine.Random{Rate: 0.1, Sources: []int{0}}}))
	require.Equal(t, []int{0, 1, 2, 3}, sourcesOf(p, machine.Traffic{Random: &machine.Random{Rate: 0.1}}))
	require.True(t, onlyBroadcasts(machine.Traffic{Sends: sends}))
	require.False(t, onlyBroadcasts(machine.Traffic{Sends: append(sends, machine.Send{To: hypercycle.Destination{2}})}))
}

func TestMeasureStopsWhenProgressFails(t *testing.T) {
	p := newPlan(t, rings{{4, 1}})
	stop := errors.New("stop")
	calls := 0
	load := random(0.5, 0, 1)
	load.Cycles = 10 * progressEvery
	_, err := Traffic(p, load, func(done, total int) error {
		calls++
		require.Equal(t, calls*progressEvery, done)
		require.Equal(t, load.Cycles, total)
		if calls == 3 {
			return stop
		}
		return nil
	})
	require.ErrorIs(t, err, stop)
	require.Equal(t, 3, calls)
}
