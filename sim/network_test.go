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
	n.handed = func(node int32, m *Message) {
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
	require.Zero(w.t, n.Summary().DroppedHeaders)
}

func random(rate, stall float64, seed int64) machine.Traffic {
	return machine.Traffic{Name: "random", Random: &machine.Random{Rate: rate, Stall: stall, Seed: seed}}
}

// Guarantee 1: every broadcast reaches each other node once, under any load and
// any stalls; and messages of one source arrive in order, because they take the
// same path.
func TestExactlyOnceInOrderUnderLoadAndStalls(t *testing.T) {
	for _, r := range corner {
		for i, load := range []struct{ rate, stall float64 }{{1, 0}, {1, 0.5}, {0.3, 0.9}, {0.05, 0.2}} {
			p := newPlan(t, r, preference(preferences[i%3]))
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

// Only nodes with something to do are evaluated, and their gates advance over
// the cycles in between. That must make no difference at all.
func TestLazyNetworkEqualsSteppingEveryRouter(t *testing.T) {
	for _, r := range corner {
		for _, load := range []struct{ rate, stall float64 }{{0.002, 0}, {0.02, 0.3}, {1, 0.2}} {
			p := newPlan(t, r)
			// short windows, so that many silences, standstills and pauses begin and end
			p.Gate.SilenceBits, p.Gate.StandstillBits, p.Gate.ScaleBits = 2, 1, 1
			p.Gate.PatienceBits, p.Gate.PauseBits, p.Gate.MemoryBits = 3, 2, 4
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
			*in = Inputs{LocalValid: n.offers.on.has(int32(v)), LocalSeq: n.count.injections[v], LocalReady: n.offers.sinkReady(int32(v), n.cycle)}
			for q := 0; q < x.plan.Degree; q++ {
				to, opposite := g.Neighbor(v, q), g.Opposite(q)
				if x.out[to].LinkValid>>opposite&1 != 0 {
					in.LinkValid |= 1 << q
					in.Link[q] = x.out[to].Link[opposite]
				}
				if x.out[to].LinkReady>>opposite&1 != 0 {
					in.LinkReady |= 1 << q
				}
			}
			x.routers[v].Evaluate(in, &x.out[v])
		}
	}
}

func (x *naive) compare(t *testing.T, n *Network) {
	t.Helper()
	where := func(v int) string { return fmt.Sprintf("%v cycle %d node %d", x.plan.Dims, n.cycle, v) }
	for v, out := range x.out {
		r := &n.routers[v]
		gate := r.gate
		if !slices.Contains(n.evaluated, int32(v)) {
			gate.skip(&n.plan.Gate, n.cycle-n.gateAt[v])
		}
		if gate != x.routers[v].gate {
			t.Fatalf("%s: gate %+v, want %+v", where(v), gate, x.routers[v].gate)
		}
		if out.LinkValid != r.valid || out.LocalValid != (r.count[delivery] > 0) || out.HeaderError != r.headerError {
			t.Fatalf("%s: valid differs", where(v))
		}
		for q := 0; q < x.plan.Degree; q++ {
			if out.LinkValid>>q&1 != 0 && out.Link[q] != *r.front(q) {
				t.Fatalf("%s port %d: %+v, want %+v", where(v), q, *r.front(q), out.Link[q])
			}
		}
		if out.LocalValid && out.Local != *r.frontLocal() {
			t.Fatalf("%s: delivered message differs", where(v))
		}
		if taken := x.in[v].LinkReady & out.LinkValid; taken != r.pop {
			t.Fatalf("%s: link outputs taken %b, want %b", where(v), r.pop, taken)
		}
		if offered := n.offers.on.has(int32(v)); offered && out.LocalReady != r.localReady {
			t.Fatalf("%s: local input ready %v, want %v", where(v), r.localReady, out.LocalReady)
		}
	}
}

// Under saturation every machine keeps delivering and every node keeps
// injecting.
func TestNoDeadlockAndNoStarvationUnderSaturation(t *testing.T) {
	for _, r := range corner {
		for _, stall := range []float64{0, 0.5} {
			p := newPlan(t, r)
			n := NewNetwork(p, random(1, stall, 3))
			for window := 0; window < 3; window++ {
				before := append([]uint32(nil), n.count.injections...)
				for end := n.Cycle() + 20*p.Nodes + 500; n.Cycle() < end; {
					n.Step()
				}
				for v, i := range n.count.injections {
					require.Greater(t, i, before[v], "%v stall %v: node %d of %d starves", r, stall, v, p.Nodes)
				}
			}
		}
	}
}

// share is what the source with the fewest injections got of a fair share, an Nth
// of all injections.
func share(nodes int, s Summary) float64 {
	return float64(s.InjectionsMin) * float64(nodes) / float64(s.Injections)
}

// heavy is a load in which node 0 always has a message.
type heavy struct {
	light    float64 // messages per cycle of all other nodes together, at random
	rare     bool    // node 5 sends one every 1000 cycles
	receiver int     // it stalls once, in cycle upset and the following,
	stall    int     // for so many cycles
	burst    int     // messages that every node sends in cycle upset
	seed     int64
}

const upset = 1000

// network is the network of the load, which stands for that many cycles.
func (h heavy) network(p *plan.Plan, cycles int) *Network {
	traffic := random(h.light/float64(p.Nodes-1), 0, h.seed)
	traffic.Broadcasts = make([]machine.Broadcast, cycles) // all of node 0, at 0
	for v := range p.Nodes {
		for range h.burst {
			traffic.Broadcasts = append(traffic.Broadcasts, machine.Broadcast{Source: v, At: upset})
		}
	}
	for at := 0; h.rare && at < cycles; at += 1000 {
		traffic.Broadcasts = append(traffic.Broadcasts, machine.Broadcast{Source: 5, At: at})
	}
	return NewNetwork(p, traffic)
}

// run runs the network up to a cycle.
func (h heavy) run(n *Network, cycles int) Summary {
	for n.Cycle() < cycles {
		switch {
		case h.stall > 0 && n.Cycle() == upset:
			n.offers.slow(map[int]float64{h.receiver: 1})
		case h.stall > 0 && n.Cycle() == upset+h.stall:
			delete(n.offers.stalls, int32(h.receiver))
		}
		n.Step()
	}
	return n.Summary()
}

// later runs the load and returns the deliveries per node and cycle from a cycle on,
// and the summary of all of it.
func (h heavy) later(p *plan.Plan, from, cycles int) (float64, Summary) {
	n := h.network(p, cycles)
	before := h.run(n, from).Deliveries
	s := h.run(n, cycles)
	return float64(s.Deliveries-before) / float64(p.Nodes) / float64(cycles-from), s
}

// recovered is the cycle in which an upset that has raised the level to 2 is forgotten
// at the latest: after two windows of the memory of level 2 and two of level 1.
func recovered(p *plan.Plan) int {
	two, one := gate{level: 2}, gate{level: 1}
	return upset + 2<<two.memory(&p.Gate) + 2<<one.memory(&p.Gate)
}

// fair are the machines that the claims about shares are about.
var fair = []rings{
	{{4, 1}, {4, 1}},
	{{2, 1}, {2, 1}, {2, 1}, {2, 1}},
	{{8, 1}},
	{{5, 1}, {6, 2}},
	{{15, 1}},
}

// shares are the loads under which a node that always has a message must get at
// least 0.6 of a fair share.
func shares(nodes int) map[string]Load {
	var half, butLast []int
	for v := range nodes {
		if v%2 == 0 {
			half = append(half, v)
		}
		if v < nodes-1 {
			butLast = append(butLast, v)
		}
	}
	slow := func(stall float64) Load { return Load{Rate: 1, Slow: map[int]float64{nodes / 2: stall}} }
	return map[string]Load{
		"all nodes":   {Rate: 1},
		"all but one": {Rate: 1, Sources: butLast},
		"half":        {Rate: 1, Sources: half},
		"3":           {Rate: 1, Sources: []int{0, nodes / 3, nodes - 1}},
		"1":           {Rate: 1, Sources: []int{0}},
		"one at 90 %": slow(0.1),
		"one at 50 %": slow(0.5),
		"one at 30 %": slow(0.7),
		"one at 10 %": slow(0.9),
		"all at 50 %": {Rate: 1, Stall: 0.5},
	}
}

// Guarantee: whoever always has a message is not left out, whatever the others
// and the receivers do.
func TestWhoAlwaysHasAMessageGetsItsShare(t *testing.T) {
	for _, r := range fair {
		for name, load := range shares(r.nodes()) {
			for seed := int64(1); seed <= 2; seed++ {
				t.Run(fmt.Sprintf("%v/%s/%d", r, name, seed), func(t *testing.T) {
					t.Parallel()
					load := load
					load.Seed = seed
					cycles := 20000
					if name == "one at 10 %" {
						cycles = 50000
					}
					s := Saturate(newPlan(t, r), load, cycles)
					require.GreaterOrEqual(t, share(r.nodes(), s), 0.6, "%+v", s)
				})
			}
		}
	}
}

// Overload by all nodes, whatever the rate, uses the network and is fair, although
// all begin with a full balance, which lets them fill the queues. An 8-ring is hardly
// overloaded at a rate of 0.2.
func TestOverloadByAllNodesUsesTheNetworkAndIsFair(t *testing.T) {
	for _, goal := range []struct {
		r          rings
		deliveries float64 // at rates below 1
	}{
		{rings{{4, 1}, {4, 1}}, 0.96},
		{rings{{2, 1}, {2, 1}, {2, 1}, {2, 1}}, 0.97},
		{rings{{8, 1}}, 0.9},
		{rings{{5, 1}, {6, 2}}, 0.97},
	} {
		for _, rate := range []float64{1, 0.5, 0.2} {
			for seed := int64(1); seed <= 2; seed++ {
				t.Run(fmt.Sprintf("%v/%v/%d", goal.r, rate, seed), func(t *testing.T) {
					t.Parallel()
					deliveries := goal.deliveries
					if rate == 1 {
						deliveries = 0.99
					}
					s := Saturate(newPlan(t, goal.r), Load{Rate: rate, Seed: seed}, 20000)
					require.GreaterOrEqual(t, s.Fairness, 0.9, "%+v", s)
					require.Equal(t, goal.r.nodes(), s.Sources)
					require.GreaterOrEqual(t, s.DeliveriesPerNode, deliveries, "%+v", s)
				})
			}
		}
	}
}

// When the balances of the beginning are used up, all nodes inject equally often,
// also with a receiver that is ready in a tenth of the cycles.
func TestInTheLongRunAllNodesInjectEquallyOftenPastASlowReceiver(t *testing.T) {
	for _, r := range []rings{{{4, 1}, {4, 1}}, {{8, 1}}, {{5, 1}, {6, 2}}} {
		t.Run(fmt.Sprint(r), func(t *testing.T) {
			t.Parallel()
			n := NewNetwork(newPlan(t, r), random(1, 0, 1))
			n.offers.slow(map[int]float64{r.nodes() / 2: 0.9})
			for n.Cycle() < 60000 {
				n.Step()
			}
			before := slices.Clone(n.count.injections)
			for n.Cycle() < 160000 {
				n.Step()
			}
			var s Summary
			for v, injected := range n.count.injections {
				i := int(injected - before[v])
				s.Injections += i
				if v == 0 || i < s.InjectionsMin {
					s.InjectionsMin = i
				}
			}
			require.GreaterOrEqual(t, share(r.nodes(), s), 0.95, "%+v", s)
		})
	}
}

// A node alone is hardly held back, and not for long after a receiver has stalled.
func TestALoneSenderIsHardlyHeldBack(t *testing.T) {
	for _, r := range fair {
		p := newPlan(t, r)
		s := Saturate(p, Load{Rate: 1, Seed: 1, Sources: []int{0}}, 20000)
		require.GreaterOrEqual(t, s.DeliveriesPerNode, 0.85, "%v: %+v", r, s)
		for _, receiver := range []int{1, p.Nodes / 2, p.Nodes - 1} {
			_, s := heavy{receiver: receiver, stall: 64}.later(p, 0, 5000)
			require.Less(t, s.MaxInjectionWait, 600, "%v: receiver %d", r, receiver) // two windows of a silence of level 1
		}
	}
}

// A node that always has a message uses what light traffic of the others leaves.
func TestAHeavySenderAmidLightTrafficUsesTheNetwork(t *testing.T) {
	for seed := int64(1); seed <= 2; seed++ {
		_, s := heavy{light: 0.2, seed: seed}.later(newPlan(t, rings{{4, 1}, {4, 1}}), 0, 20000)
		require.GreaterOrEqual(t, s.DeliveriesPerNode, 0.7, "%+v", s)
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
				require.GreaterOrEqual(t, deliveries, 0.8)
			})
		}
	}
}

// slowReceiver is a receiver that is ready at random or periodically.
type slowReceiver struct {
	stall     float64 // share of cycles in which it is not ready,
	ready, of int     // or it is ready for the first so many of that many cycles
}

// drive makes the receiver of a node ready or not in the next cycle.
func (r slowReceiver) drive(n *Network, node int) {
	switch {
	case r.of == 0:
		if n.Cycle() == 0 {
			n.offers.slow(map[int]float64{node: r.stall})
		}
	case n.Cycle()%r.of == 0:
		n.offers.slow(map[int]float64{node: 0})
	case n.Cycle()%r.of == r.ready:
		n.offers.slow(map[int]float64{node: 1})
	}
}

// past runs a network in which all nodes always have a message and one receiver is slow.
func (r slowReceiver) past(p *plan.Plan, seed int64, cycles int) Summary {
	n := NewNetwork(p, random(1, 0, seed))
	for n.Cycle() < cycles {
		r.drive(n, p.Nodes/2)
		n.Step()
	}
	return n.Summary()
}

// One receiver that is ready in a few of the cycles only leaves nobody out, whether the
// others see it stand still or take its gaps for silences. All begin with a full
// balance, and have one again after a silence. A round of injections lowers it by 1 where
// one node is left out, so that this node may wait for as many rounds as the cap is
// large; half of that is the bound. The shares count from the middle on, when the balances
// of the beginning are used up.
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
				var before []uint32
				for n.Cycle() < cycles {
					if n.Cycle() == cycles/2 {
						before = slices.Clone(n.count.injections)
					}
					receiver.drive(n, p.Nodes/2)
					n.Step()
				}
				all, least := uint32(0), ^uint32(0)
				for v, i := range n.count.injections {
					all, least = all+i-before[v], min(least, i-before[v])
				}
				share := float64(least) * float64(p.Nodes) / float64(all)
				round := cycles / 2 * float64(p.Nodes) / float64(all)
				wait := float64(n.Summary().MaxInjectionWait) / round
				t.Logf("share %.2f, longest wait %.1f rounds", share, wait)
				require.GreaterOrEqual(t, share, 0.4)
				require.Less(t, wait, float64(p.Gate.Cap/2))
			})
		}
	}
}

// The figures of a summary are about the sources that a load names.
func TestSaturateCountsSources(t *testing.T) {
	p := newPlan(t, rings{{4, 1}, {4, 1}})
	s := Saturate(p, Load{Rate: 1, Seed: 1, Sources: []int{0, 5, 9}}, 1000)
	require.Equal(t, 3, s.Sources)
	require.Equal(t, 1000, s.Cycles)
	require.Positive(t, s.InjectionsMin)
	require.InDelta(t, float64(s.Deliveries)/16/1000, s.DeliveriesPerNode, 1e-12)
	require.InDelta(t, float64(s.InjectionsMin)/float64(s.InjectionsMax), s.Fairness, 1e-12)
	require.Equal(t, s, Saturate(p, Load{Rate: 1, Seed: 1, Sources: []int{0, 5, 9}}, 1000), "two runs agree")
}
