// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/internal/arbitrary"
	"github.com/hcgen/hcgen/internal/arbitrary/machines"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// watch records every delivery of a network and fails at the first that breaks
// exactly-once or the order of a source's messages at a receiver.
type watch struct {
	t    testing.TB
	n    *Network
	next []uint32 // [source*nodes + node]: number of the next message expected
}

func newWatch(t testing.TB, n *Network) *watch {
	w := &watch{t: t, n: n, next: make([]uint32, n.plan.Nodes*n.plan.Nodes)}
	n.handed = func(node, _ int32, m *Message) {
		at := int(m.Source)*n.plan.Nodes + int(node)
		if int32(m.Source) == node {
			t.Fatalf("cycle %d: node %d got its own message %d", n.cycle, node, m.Seq)
		}
		if m.Seq != w.next[at] {
			t.Fatalf("cycle %d: node %d got message %d of node %d, expected %d", n.cycle, node, m.Seq, m.Source, w.next[at])
		}
		w.next[at]++
	}
	return w
}

// drain ends all offers of random traffic and runs until nothing moves, then
// checks that every injected message has reached every other node.
func (w *watch) drain() {
	n := w.n
	n.offers.random = false
	limit := n.cycle + 200*n.plan.Nodes + 100000
	for !n.offers.exhausted() || n.Summary().InFlight > 0 {
		if n.cycle > limit {
			w.t.Fatalf("%d messages are still in flight", n.Summary().InFlight)
		}
		n.Step()
	}
	for s := 0; s < n.plan.Nodes; s++ {
		for v := 0; v < n.plan.Nodes; v++ {
			if got, want := w.next[s*n.plan.Nodes+v], n.count.injections[s]; v != s && got != want {
				w.t.Fatalf("node %d got %d of %d messages of node %d", v, got, want, s)
			}
		}
	}
}

func random(rate, stall float64, seed int64) machine.Traffic {
	return machine.Traffic{Name: "random", Random: &machine.Random{Rate: rate, Stall: stall, Seed: seed}}
}

// Guarantee 1: every broadcast reaches each other node once, under any load and
// any stalls; and messages of one source arrive in order, because they take the
// same path.
func TestExactlyOnceInOrderUnderLoadAndStalls(t *testing.T) {
	cycles := 1500
	if testing.Short() {
		cycles = 500
	}
	for at, r := range corner {
		for i, load := range []struct{ rate, stall float64 }{{1, 0}, {1, 0.5}, {0.3, 0.9}, {0.05, 0.2}} {
			p := newPlan(t, r, variants[(at+i)%len(variants)].with(preference(preferences[i%3]))...)
			n := NewNetwork(p, random(load.rate, load.stall, int64(i)))
			w := newWatch(t, n)
			for n.Cycle() < cycles {
				n.Step()
			}
			require.Positive(t, n.Summary().Deliveries, "%v", r)
			w.drain()
		}
	}
}

// drawPlan draws the plan of a machine with rings of up to 15 nodes, and with more options.
func drawPlan(t *rapid.T, nodes int, options ...option) *plan.Plan {
	m := machines.Draw(t, arbitrary.Limits{Nodes: nodes, Ring: 15})
	for _, o := range options {
		o(m)
	}
	return plan.New(m)
}

// Scheduled broadcasts are offered from At on, in order of At, before random
// ones, and several of one node queue up.
func TestScheduledBroadcastsQueueUp(t *testing.T) {
	p := newPlan(t, rings{{4, 1}, {4, 1}})
	n := NewNetwork(p, machine.Traffic{Sends: []machine.Send{{From: 3, At: 20}, {From: 3, At: 5}, {From: 3, At: 20}, {From: 7, At: 20}}})
	w := newWatch(t, n)
	w.drain()
	require.EqualValues(t, 3, n.count.injections[3])
	require.EqualValues(t, 1, n.count.injections[7])
	require.Equal(t, []int32{5, 20, 21}, n.offers.first[3], "each is on offer as soon as it is due and the one before is taken")
	require.Equal(t, []int32{20}, n.offers.first[7])
	require.Equal(t, 4, n.Summary().Injections)
	require.Equal(t, 60, n.Summary().Deliveries)
}
