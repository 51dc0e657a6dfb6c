// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
	"github.com/hcgen/hcgen/sim/traffic"
)

// mixed draws the destination of a message: of ten messages, the given numbers are for one node and for all nodes, and
// the others for a set in between. It depends only on its arguments.
func mixed(p *plan.Plan, unicasts, broadcasts int) func(v, seq int) traffic.Message {
	return func(v, seq int) traffic.Message {
		random := rand.New(rand.NewPCG(uint64(v), uint64(seq)))
		for {
			to := make(hypercycle.Destination, len(p.Dims))
			kind := random.IntN(10)
			for i := range to {
				to[i] = random.IntN(p.Dims[i].M)
				if kind >= 10-broadcasts || kind >= unicasts && random.IntN(2) == 0 {
					to[i] = hypercycle.All
				}
			}
			if p.Machine.Graph.Farthest(to, int(v)) > 0 {
				return traffic.Message{To: to, Last: random.IntN(2) == 0}
			}
		}
	}
}

// addressedWatch records every delivery of addressed messages.
type addressedWatch struct {
	t     testing.TB
	n     *run
	got   map[[3]int]bool   // source, number, node
	order map[string]uint32 // by source, destination and node: number of the last message, plus 1
}

func watchAddressed(t testing.TB, n *run) *addressedWatch {
	w := &addressedWatch{t: t, n: n, got: map[[3]int]bool{}, order: map[string]uint32{}}
	n.handed = func(node, _ int, m *sim.Message) {
		where := fmt.Sprintf("cycle %d: node %d gets message %d of node %d", n.cycle, node, m.Seq, m.Source)
		o := n.offers.Sent(int(m.Source), int(m.Seq))
		at := [3]int{int(m.Source), int(m.Seq), int(node)}
		if w.got[at] || !n.plan.Machine.Graph.Contains(o.To, int(m.Source), int(node)) || m.Last != o.Last {
			t.Fatalf("%s, which is for %v, twice %v, last %v", where, o.To, w.got[at], m.Last)
		}
		w.got[at] = true
		key := fmt.Sprint(m.Source, o.To, node)
		if m.Seq < w.order[key] {
			t.Fatalf("%s after one that was injected later", where)
		}
		w.order[key] = m.Seq + 1
	}
	return w
}

// drain ends all offers, runs until nothing moves, and checks that each message has reached its set.
func (w *addressedWatch) drain() {
	n := w.n
	n.offers.End()
	for limit := n.cycle + 200*n.plan.Nodes + 100000; !n.drained(); n.Step() {
		if n.cycle > limit {
			w.t.Fatalf("%v: %d messages are still in flight", n.plan.Dims, n.Held())
		}
	}
	want := 0
	for s := range n.plan.Nodes {
		for seq := range n.injections[s] {
			to := n.offers.Sent(s, seq).To
			for node := range n.plan.Nodes {
				want += int(bit(n.plan.Machine.Graph.Contains(to, s, node)))
			}
		}
	}
	require.Len(w.t, w.got, want)
}

// Guarantees 1, 3 and 4 for messages of every kind at once: each reaches every node of its set once and no other, messages
// of one source and destination arrive in order, rings keep a free place, turns are fair, and in the end the network drains.
func TestStormsOfMixedMessages(t *testing.T) {
	cycles := 500
	if testing.Short() {
		cycles = 100
	}
	for at, r := range corner {
		for i, load := range []struct {
			rate, stall          float64
			unicasts, broadcasts int
		}{{1, 0, 6, 1}, {1, 0.5, 9, 0}, {0.3, 0.9, 3, 3}, {1, 0.2, 0, 5}, {1, 0, 10, 0}, {0.1, 0.2, 8, 1}} {
			p := newPlan(t, r, variants[(at+i)%len(variants)].With(destination(), last(), preference(preferences[i%3]), fifoDepth(2+(at+i)%3))...)
			n := newRun(p, random(load.rate, load.stall, int64(i)))
			n.offers.Choose = mixed(p, load.unicasts, load.broadcasts)
			w, j, passes, all := watchAddressed(t, n), newJudge(p), newPassWatch(n), ringsOf(n)
			for n.Cycle() < cycles {
				n.Evaluate()
				require.NoError(t, j.network(n), "%v cycle %d", r, n.cycle)
				require.NoError(t, passes.cycle(), "%v", r)
				n.finish()
				for _, ring := range all {
					require.Less(t, takenPlaces(n, ring), places(n, ring), "%v cycle %d: the ring of %v", r, n.cycle, ring[0])
				}
			}
			require.Positive(t, n.deliveries, "%v", r)
			w.drain()
		}
	}
}
