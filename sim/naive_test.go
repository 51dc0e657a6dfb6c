// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// naive is a network of routers on their own, all of them evaluated in every cycle and
// connected by their wires. What a router does, and what its clock does, can be replaced.
type naive struct {
	plan       *plan.Plan
	routers    []*Router
	in         []Inputs
	out        []Outputs
	offers     offers
	injections []uint32
	cycle      int

	evaluate func(r *router, offers uint32) // if set: instead of router.evaluate
	step     func(r *Router)                // if set: instead of Router.Step
	clock    func(c *weakClock)             // if set: the clock edge, of a cycle of the node, instead of clock.step
	clocks   []weakClock                    // by node
	barriers *barriers                      // nil, or only who has arrived
}

// weakClock is a clock of a test, with what it sees of a cycle.
type weakClock struct {
	pace, credit      uint8
	open              bool // the local input may ask
	late              bool // the local input completed a handshake in the cycle before
	read              []uint8
	offered, injected bool
}

func newNaive(p *plan.Plan, t machine.Traffic, sources []int) *naive {
	x := &naive{
		plan: p, in: make([]Inputs, p.Nodes), out: make([]Outputs, p.Nodes), offers: newOffers(p, t, sources),
		injections: make([]uint32, p.Nodes), clocks: make([]weakClock, p.Nodes),
	}
	for v := range p.Nodes {
		x.routers = append(x.routers, NewRouter(p, v))
		x.clocks[v] = weakClock{credit: plan.Refill, open: true, read: make([]uint8, p.Degree)}
	}
	return x
}

// settle finds all wires of a cycle. What goes from one router to another comes from
// registers, so that the second round has them all.
func (x *naive) settle() {
	g := x.plan.Machine.Graph
	x.offers.begin(x.cycle)
	if x.barriers != nil {
		x.barriers.begin(x.cycle)
	}
	for range 2 {
		for v, r := range x.routers {
			in := &x.in[v]
			*in = Inputs{LocalValid: x.offers.on.has(int32(v)), LocalSeq: x.injections[v]}
			if address := r.shape.address; address != nil && in.LocalValid {
				offer := x.offers.message(int32(v))
				in.LocalDest, in.LocalLast = address.tdest(offer.to), offer.last
			}
			if x.barriers != nil {
				in.BarrierArrive = x.barriers.arrived.has(int32(v))
			}
			for q := range x.plan.Deliveries {
				in.LocalReady |= x.offers.sinkReady(int32(v), q, x.cycle) << q
			}
			for q := range x.plan.Degree {
				out, opposite := &x.out[g.Neighbor(v, q)], g.Opposite(q)
				in.LinkValid |= out.LinkValid >> opposite & 1 << q
				in.LinkReady |= out.LinkReady >> opposite & 1 << q
				in.LinkPace |= uint64(out.Pace) << (plan.PaceBits * q)
				in.LinkBarrierPace |= uint64(out.BarrierPace) << (plan.PaceBits * q)
				in.Link[q] = out.Link[opposite]
			}
			offers := r.drive(in)
			if x.evaluate != nil {
				x.evaluate(&r.next, offers)
			} else {
				r.next.evaluate(offers)
			}
			r.show(&x.out[v])
		}
	}
}

// commit is the clock edge.
func (x *naive) commit() {
	for v, r := range x.routers {
		if x.out[v].LocalReady {
			x.offers.taken(int32(v))
			x.injections[v]++
		}
		if x.out[v].BarrierRelease {
			x.barriers.arrived.remove(int32(v))
		}
		if x.step != nil {
			x.step(r)
		} else {
			r.Step()
		}
		if x.clock == nil {
			continue
		}
		c := &x.clocks[v]
		c.offered, c.injected = x.in[v].LocalValid, x.out[v].LocalReady
		for q := range c.read {
			c.read[q] = uint8(x.in[v].LinkPace>>(plan.PaceBits*q)) & paceMask
		}
		x.clock(c)
		c.late = c.injected
		r.clock = clock{unit: plan.Refill, pace: c.pace, credit: uint8(all(c.open) & 1)}
	}
	x.cycle++
}

// Only nodes with something to do are evaluated, messages go straight into the queues of neighbours, and clocks
// advance 64 at a time. That must make no difference at all.
func TestNetworkEqualsRoutersConnectedByWires(t *testing.T) {
	for at, r := range corner {
		for i, load := range []struct{ rate, stall float64 }{{0.002, 0}, {0.02, 0.3}, {1, 0.2}, {1, 0.7}} {
			p := newPlan(t, r, variants[(at+i)%len(variants)].with(fifoDepth(2+(at+i)%3))...)
			if at%5 == 4 { // some of the largest
				p = newPlan(t, r, fifoDepth(16), stages(1+i%2))
			}
			n, x := NewNetwork(p, random(load.rate, load.stall, 7)), newNaive(p, random(load.rate, load.stall, 7), nil)
			compareNaive(t, n, x, 400)
		}
	}
}

// The same with destinations, tlast and barriers.
func TestNetworkOfAddressedMessagesEqualsRouters(t *testing.T) {
	for at, r := range corner {
		for i, load := range []struct{ rate, stall float64 }{{0.02, 0.3}, {1, 0.2}} {
			options := append(variants[(at+i)%len(variants)].with(fifoDepth(2+(at+i)%3), last(), func(m *machine.Machine) { m.Barrier = true }), destination())
			p := newPlan(t, r, options...)
			traffic := random(load.rate, load.stall, 7)
			n, x := NewNetwork(p, traffic), newNaive(p, traffic, nil)
			x.barriers = newBarriers(p, n.neighbor, trafficSeed(traffic.Name, traffic.Random.Seed))
			n.offers.choose = mixed(p, 6, 1)
			x.offers.choose = n.offers.choose
			compareNaive(t, n, x, 400)
			require.Positive(t, n.count.deliveries)
		}
	}
}

func compareNaive(t *testing.T, n *Network, x *naive, cycles int) {
	for n.Cycle() < cycles {
		n.evaluate()
		x.settle()
		x.compare(t, n)
		n.commit()
		x.commit()
	}
}

func (x *naive) compare(t *testing.T, n *Network) {
	t.Helper()
	where := func(v int) string { return fmt.Sprintf("%v cycle %d node %d", x.plan.Dims, n.cycle, v) }
	for v, out := range x.out {
		r := &n.routers[v]
		clock := &x.routers[v].clock
		if pace := n.clocks.of(int32(v)); out.Pace != pace {
			t.Fatalf("%s: the pace differs", where(v))
		}
		if parts := n.clocks.parts; parts != nil {
			require.Equal(t, clock.credit-clock.cost, parts.rest[v], where(v))
		} else if n.clocks.open.has(int32(v)) != clock.open(clock.unit) {
			t.Fatalf("%s: the clock differs", where(v))
		}
		if n.barriers != nil && (out.BarrierPace != n.barriers.at[v].pace || out.BarrierRelease != n.barriers.at[v].release) {
			t.Fatalf("%s: the barrier differs", where(v))
		}
		if out.LinkValid != r.valid || out.LocalValid != r.local || out.HeaderError != 0 || x.in[v].LocalValid != n.offers.on.has(int32(v)) {
			t.Fatalf("%s: valid differs", where(v))
		}
		if out.LinkReady != (1<<x.plan.Degree-1)&^r.full || x.in[v].LinkReady != r.linkReady || x.in[v].LinkValid != r.linkValid {
			t.Fatalf("%s: links differ", where(v))
		}
		for q := range x.plan.Degree {
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
		if out.LocalReady != (r.done&1 != 0) {
			t.Fatalf("%s: local input ready %v", where(v), out.LocalReady)
		}
	}
}
