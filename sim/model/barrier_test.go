// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
)

// arrivals are nodes without messages, and whether each has arrived at its barrier.
type arrivals []bool

func (a arrivals) Begin(int)              {}
func (a arrivals) Offering(int) bool      { return false }
func (a arrivals) Offer(int, *sim.Inputs) {}
func (a arrivals) Ready(int, int) bool    { return true }
func (a arrivals) Arrived(v int) bool     { return a[v] }
func (a arrivals) Taken(int)              {}
func (a arrivals) Released(v int)         { a[v] = false }

// releaseTimes runs a barrier with random arrivals for a number of cycles. It returns the fewest and the most cycles from the last
// arrival to the release, or a contradiction: that nodes are released in different cycles, or before all have arrived.
func releaseTimes(t *testing.T, p *plan.Plan, wrong flaw, cycles int) (least, most int, err error) {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 4))
	arrived := make(arrivals, p.Nodes)
	n := NewNetwork(p, arrived, Options{})
	wrong(n.rules)
	last, waiting, barriers := 0, p.Nodes, 0
	least = 1 << 30
	for cycle := range cycles {
		released := 0
		for v := range p.Nodes {
			released += int(bit(n.barriers[v].release))
		}
		if released > 0 {
			if released < p.Nodes || waiting > 0 {
				return 0, 0, fmt.Errorf("cycle %d: %d nodes are released, and %d have not arrived", cycle, released, waiting)
			}
			least, most = min(least, cycle-last), max(most, cycle-last)
			waiting = p.Nodes
			barriers++
		} else {
			rate := []float64{1, 0.3, 0.05, 0.01}
			for v := range p.Nodes {
				if !arrived[v] && random.Float64() < rate[(cycle/500+v)%4] {
					arrived[v] = true
					last = cycle
					waiting--
				}
			}
		}
		n.Evaluate()
		n.Step()
	}
	require.Greater(t, barriers, 3)
	return least, most, nil
}

// All nodes are released in the same cycle, exactly D + 1 cycles after the last arrival.
func TestBarrierReleasesAllTogether(t *testing.T) {
	for _, r := range corner {
		p := newPlan(t, r, withBarrier())
		least, most, err := releaseTimes(t, p, right, 3000)
		require.NoError(t, err, "%v", r)
		require.Equal(t, p.Machine.Graph.Diameter()+1, least, "%v", r)
		require.Equal(t, p.Machine.Graph.Diameter()+1, most, "%v", r)
	}
}

// barriersWithRegisters are machines with the largest L of any dimension.
var barriersWithRegisters = []struct {
	r         rings
	registers []int
	largest   int
}{
	{rings{{2, 1}}, []int{1}, 1},
	{rings{{3, 1}}, []int{2}, 2},
	{rings{{8, 1}}, []int{3}, 3},
	{rings{{4, 1}, {4, 1}}, []int{0, 1}, 1},
	{rings{{4, 2}, {5, 1}}, []int{3, 1}, 3},
	{rings{{2, 1}, {3, 1}, {4, 2}, {5, 1}}, []int{2, 0, 1, 0}, 2},
	{rings{{6, 2}, {3, 1}}, []int{1, 8}, 8},
	{rings{{3, 1}}, []int{20}, 20},
}

// With registers all nodes are still released in the same cycle, D (L + 1) + 1 to (D + 1) (L + 1) cycles after the last arrival.
// Both are reached.
func TestBarrierWithRegistersReleasesAllTogether(t *testing.T) {
	for _, c := range barriersWithRegisters {
		p := newPlan(t, c.r, withBarrier(), registers(c.registers...))
		d := p.Machine.Graph.Diameter()
		least, most, err := releaseTimes(t, p, right, 20000)
		require.NoError(t, err, "%v", c)
		require.Equal(t, d*(c.largest+1)+1, least, "%v", c)
		require.Equal(t, (d+1)*(c.largest+1), most, "%v", c)
	}
}

// Without its period, and with the period of another L, the barrier releases nodes in different cycles.
func TestBarrierWithRegistersNeedsItsPeriod(t *testing.T) {
	if !inWeakenedModel(t) {
		return
	}
	for _, c := range barriersWithRegisters {
		p := newPlan(t, c.r, withBarrier(), registers(c.registers...))
		_, _, err := releaseTimes(t, p, right, 3000)
		require.NoError(t, err, "%v", c)
		_, _, err = releaseTimes(t, p, off("a barrier advances once in a period"), 3000)
		t.Log(c, ": ", err)
		require.Error(t, err, "%v", c)
		short := *p
		short.Lead--
		_, _, err = releaseTimes(t, p, func(x *rules) { x.plan = &short }, 3000)
		t.Log(c, ": ", err)
		require.Error(t, err, "%v: the period is one less", c)
	}
}
