// SPDX-License-Identifier: Apache-2.0

package model

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/sim"
)

// watch records every delivery of a network and fails at the first that breaks
// exactly-once or the order of a source's messages at a receiver.
type watch struct {
	t    testing.TB
	n    *run
	next []int // [source*nodes + node]: number of the next message expected
}

func newWatch(t testing.TB, n *run) *watch {
	w := &watch{t: t, n: n, next: make([]int, n.plan.Nodes*n.plan.Nodes)}
	n.handed = func(node, _ int, m *sim.Message) {
		at := int(m.Source)*n.plan.Nodes + int(node)
		if int(m.Source) == node {
			t.Fatalf("cycle %d: node %d got its own message %d", n.cycle, node, m.Seq)
		}
		if int(m.Seq) != w.next[at] {
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
	n.offers.End()
	limit := n.cycle + 200*n.plan.Nodes + 100000
	for !n.offers.Exhausted() || n.Held() > 0 {
		if n.cycle > limit {
			w.t.Fatalf("%d messages are still in flight", n.Held())
		}
		n.Step()
	}
	for s := 0; s < n.plan.Nodes; s++ {
		for v := 0; v < n.plan.Nodes; v++ {
			if got, want := w.next[s*n.plan.Nodes+v], n.injections[s]; v != s && got != want {
				w.t.Fatalf("node %d got %d of %d messages of node %d", v, got, want, s)
			}
		}
	}
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
			p := newPlan(t, r, variants[(at+i)%len(variants)].With(preference(preferences[i%3]))...)
			n := newRun(p, random(load.rate, load.stall, int64(i)))
			w := newWatch(t, n)
			for n.Cycle() < cycles {
				n.Step()
			}
			require.Positive(t, n.deliveries, "%v", r)
			w.drain()
		}
	}
}

// Scheduled broadcasts are offered from At on, in order of At, before random
// ones, and several of one node queue up.
func TestScheduledBroadcastsQueueUp(t *testing.T) {
	p := newPlan(t, rings{{4, 1}, {4, 1}})
	n := newRun(p, machine.Traffic{Sends: []machine.Send{{From: 3, At: 20}, {From: 3, At: 5}, {From: 3, At: 20}, {From: 7, At: 20}}})
	w := newWatch(t, n)
	w.drain()
	require.EqualValues(t, 3, n.injections[3])
	require.EqualValues(t, 1, n.injections[7])
	for seq, start := range []int{5, 20, 21} {
		require.Equal(t, start, n.offers.Start(3, uint32(seq)), "each is on offer as soon as it is due and the one before is taken")
	}
	require.Equal(t, 20, n.offers.Start(7, 0))
	require.Equal(t, 4, n.injected())
	require.Equal(t, 60, n.deliveries)
}

// The network delivers what the patterns offer, mixed with broadcasts, under stalls.
func TestNetworksDeliverEveryPattern(t *testing.T) {
	for i, shape := range shapes {
		for kind := machine.ToAll; kind <= machine.ToRow; kind++ {
			p := newPlan(t, shape, variants[i%len(variants)].With(destination(), last())...)
			n := newRun(p, machine.Traffic{
				Name:   "t",
				Sends:  []machine.Send{{From: 1, To: p.Machine.Graph.To(0), Last: true}, {From: 0, To: p.Machine.Graph.Row(0), At: 3}, {From: 1, At: 3}},
				Random: &machine.Random{Rate: 0.7, Stall: 0.3, Seed: 2, Pattern: kind, Broadcasts: 0.1, Share: 0.5},
			})
			w := watchAddressed(t, n)
			for n.Cycle() < 300 {
				n.Step()
			}
			require.Positive(t, n.deliveries)
			w.drain()
		}
	}
}
