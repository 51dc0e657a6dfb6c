// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hcgen/hcgen/gen/plan"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
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

// drain ends all offers of random traffic and runs until nothing moves any
// more, then checks that every message injected has reached everyone.
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
	for at, r := range corner {
		for i, load := range []struct{ rate, stall float64 }{{1, 0}, {1, 0.5}, {0.3, 0.9}, {0.05, 0.2}} {
			p := newPlan(t, r, variants[(at+i)%len(variants)].with(preference(preferences[i%3]))...)
			n := NewNetwork(p, random(load.rate, load.stall, int64(i)))
			w := newWatch(t, n)
			for n.Cycle() < 1500 {
				n.Step()
			}
			require.Positive(t, n.Summary().Deliveries, "%v", r)
			w.drain()
		}
	}
}

// drawMachine draws a machine with up to 4 dimensions, 16 ports and 200 nodes.
func drawMachine(t *rapid.T) (rings, []option) {
	var r rings
	nodes, degree := 1, 0
	for i, n := 0, rapid.IntRange(1, 4).Draw(t, "dimensions"); i < n; i++ {
		m := rapid.IntRange(2, 15).Draw(t, "m")
		rho := rapid.IntRange(1, m/2).Draw(t, "rho")
		d := hypercycle.Dimension{M: m, Rho: rho}.Degree()
		if nodes*m > 200 || degree+d > maxDegree {
			continue
		}
		nodes, degree = nodes*m, degree+d
		r = append(r, [2]int{m, rho})
	}
	if len(r) == 0 {
		r = rings{{2, 1}}
	}
	options := []option{preference(preferences[rapid.IntRange(0, 2).Draw(t, "preference")]), payloadBits(rapid.IntRange(1, 1024).Draw(t, "payload"))}
	options = append(options, variants[rapid.IntRange(0, len(variants)-1).Draw(t, "variant")].options...)
	if rapid.Bool().Draw(t, "source id") {
		options = append(options, sourceID())
	}
	return r, options
}

func TestExactlyOnceOnRandomMachines(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r, options := drawMachine(rt)
		p := newPlan(t, r, options...)
		load := random(rapid.Float64Range(0.01, 1).Draw(rt, "rate"), rapid.Float64Range(0, 0.9).Draw(rt, "stall"), int64(rapid.IntRange(0, 1000).Draw(rt, "seed")))
		n := NewNetwork(p, load)
		w := newWatch(t, n)
		for n.Cycle() < 300 {
			n.Step()
		}
		w.drain()
	})
}

// Scheduled broadcasts are offered from At on, in order of At, before random
// ones, and several of one node queue up.
func TestScheduledBroadcastsQueueUp(t *testing.T) {
	p := newPlan(t, rings{{4, 1}, {4, 1}})
	n := NewNetwork(p, machine.Traffic{Broadcasts: []machine.Broadcast{{Source: 3, At: 20}, {Source: 3, At: 5}, {Source: 3, At: 20}, {Source: 7, At: 20}}})
	w := newWatch(t, n)
	w.drain()
	require.EqualValues(t, 3, n.count.injections[3])
	require.EqualValues(t, 1, n.count.injections[7])
	require.Equal(t, []int32{5, 20, 21}, n.offers.first[3], "each is on offer as soon as it is due and the one before is taken")
	require.Equal(t, []int32{20}, n.offers.first[7])
	require.Equal(t, 4, n.Summary().Injections)
	require.Equal(t, 60, n.Summary().Deliveries)
}

// Only nodes with something to do are evaluated, and clocks advance 64 at a time. That must
// make no difference at all.
func TestLazyNetworkEqualsSteppingEveryRouter(t *testing.T) {
	for at, r := range corner {
		for i, load := range []struct{ rate, stall float64 }{{0.002, 0}, {0.02, 0.3}, {1, 0.2}, {1, 0.2}} {
			p := newPlan(t, r, variants[(at+i)%len(variants)].options...)
			n := NewNetwork(p, random(load.rate, load.stall, 7))
			naive := newNaive(p)
			for n.Cycle() < 600 {
				n.evaluate()
				naive.evaluate(n)
				naive.compare(t, n)
				n.commit()
				for _, router := range naive.routers {
					router.Step()
				}
			}
		}
	}
}

// naive is a network of routers that are all evaluated in every cycle through
// the exported interface.
type naive struct {
	plan    *plan.Plan
	routers []*Router
	in      []Inputs
	out     []Outputs
}

func newNaive(p *plan.Plan) *naive {
	x := &naive{plan: p, in: make([]Inputs, p.Nodes), out: make([]Outputs, p.Nodes)}
	for v := 0; v < p.Nodes; v++ {
		x.routers = append(x.routers, NewRouter(p, v))
	}
	return x
}

// evaluate takes the offers and the receivers from the network under test and
// the wires between routers from the routers themselves. The outputs of a
// router do not depend on its tready inputs, so two rounds settle all wires.
func (x *naive) evaluate(n *Network) {
	g := x.plan.Machine.Graph
	for round := 0; round < 3; round++ {
		for v := range x.routers {
			in := &x.in[v]
			*in = Inputs{LocalValid: n.offers.on.has(int32(v)), LocalSeq: n.count.injections[v], LocalReady: n.receivers(int32(v))}
			for q := 0; q < x.plan.Degree; q++ {
				to, opposite := g.Neighbor(v, q), g.Opposite(q)
				if x.out[to].LinkValid>>opposite&1 != 0 {
					in.LinkValid |= 1 << q
					in.Link[q] = x.out[to].Link[opposite]
				}
				if x.out[to].LinkReady>>opposite&1 != 0 {
					in.LinkReady |= 1 << q
				}
				in.LinkPace |= uint64(x.out[to].Pace) << (plan.PaceBits * q)
			}
			x.routers[v].Evaluate(in, &x.out[v])
		}
	}
}

// receivers is the mask of the streams of a node whose receivers are ready.
func (n *Network) receivers(v int32) (ready uint32) {
	for q := range n.plan.Deliveries {
		ready |= n.offers.sinkReady(v, q, n.cycle) << q
	}
	return ready
}

func (x *naive) compare(t *testing.T, n *Network) {
	t.Helper()
	where := func(v int) string { return fmt.Sprintf("%v cycle %d node %d", x.plan.Dims, n.cycle, v) }
	for v, out := range x.out {
		r := &n.routers[v]
		if pace := n.clocks.of(int32(v)); out.Pace != pace || n.clocks.open.has(int32(v)) != x.routers[v].clock.open() {
			t.Fatalf("%s: clock differs", where(v))
		}
		if out.LinkValid != r.valid || out.LocalValid != r.local || out.HeaderError != 0 {
			t.Fatalf("%s: valid differs", where(v))
		}
		for q := 0; q < x.plan.Degree; q++ {
			if out.LinkValid>>q&1 != 0 && out.Link[q] != *n.output(v, q) {
				t.Fatalf("%s port %d: %+v, want %+v", where(v), q, *n.output(v, q), out.Link[q])
			}
		}
		for q := range x.plan.Deliveries {
			if out.LocalValid>>q&1 != 0 && out.Local[q] != r.handed[q] {
				t.Fatalf("%s: delivered message %d differs", where(v), q)
			}
		}
		local, links := x.in[v].LocalReady&out.LocalValid, x.in[v].LinkReady&out.LinkValid
		if !slices.Contains(n.evaluated, int32(v)) {
			require.Zero(t, local|links|out.LinkValid|out.LocalValid, "%s: a router with something to do is left out", where(v))
			continue
		}
		if local != r.popLocal || links != r.leaves {
			t.Fatalf("%s: outputs taken %b, %b, want %b, %b", where(v), r.popLocal, r.leaves, local, links)
		}
		if offered := n.offers.on.has(int32(v)); offered && out.LocalReady != (r.done&1 != 0) {
			t.Fatalf("%s: local input ready %v", where(v), out.LocalReady)
		}
	}
}

// Under saturation every machine keeps delivering and every node keeps
// injecting.
func TestNoDeadlockAndNoStarvationUnderSaturation(t *testing.T) {
	for i, r := range append([]rings{{{16, 8}}}, corner...) { // degree 15 and, among the others, 16
		for j, v := range variants {
			stall := []float64{0, 0.5}[(i+j/2)%2]
			p := newPlan(t, r, v.options...)
			n, name := NewNetwork(p, random(1, stall, 3)), v.name
			for window := 0; window < 3; window++ {
				before := append([]uint32(nil), n.count.injections...)
				for end := n.Cycle() + 20*p.Nodes + 500; n.Cycle() < end; {
					n.Step()
				}
				for v, i := range n.count.injections {
					require.Greater(t, i, before[v], "%v %s stall %v: node %d of %d starves", r, name, stall, v, p.Nodes)
				}
			}
		}
	}
}
