// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/gen/plan"
	"github.com/hcgen/hcgen/machine"
)

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
// at the latest: after two windows of the memory of level 2.
func recovered(p *plan.Plan) int {
	two := gate{level: 2}
	return upset + 2<<two.memory(&p.Gate)
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

// overloaded are the machines that the claims about overload are about.
var overloaded = []struct {
	name string
	r    rings
}{
	{"4x4", rings{{4, 1}, {4, 1}}},
	{"4-cube", rings{{2, 1}, {2, 1}, {2, 1}, {2, 1}}},
	{"8-ring", rings{{8, 1}}},
	{"(6,2)x(5,1)", rings{{5, 1}, {6, 2}}},
	{"15-ring", rings{{15, 1}}},
	{"5x5x5", rings{{5, 1}, {5, 1}, {5, 1}}},
	{"31-ring", rings{{31, 1}}},
	{"8x8", rings{{8, 1}, {8, 1}}},
}

// placed are so many nodes at random places.
func placed(nodes, busy int, seed uint64) []int {
	return rand.New(rand.NewPCG(seed, uint64(nodes))).Perm(nodes)[:busy]
}

// bound is the most deliveries per node and cycle when these nodes send equally often: N - 1
// to N if one of them or a single local output is the limit, more by as much as the links of
// several broadcasts are apart.
func bound(p *plan.Plan, sources []int) float64 {
	if p.Machine.Delivery == machine.Merged && len(sources) == p.Nodes {
		return 1
	}
	most := float64(p.Nodes-1) / float64(p.Nodes)
	if p.Machine.Delivery == machine.PerPort {
		most *= float64(len(sources)) / float64(p.Machine.Graph.BusiestLink(sources, p.Machine.Preference))
	}
	return most
}

// sourceSets are sets of busy nodes, by name.
func sourceSets(nodes int) map[string][]int {
	sets := map[string][]int{
		"busy=1":           {0},
		"busy=2":           {0, nodes / 2},
		"busy=3":           {0, nodes / 3, nodes - 1},
		"busy=3,random":    placed(nodes, 3, 1),
		"busy=half,random": placed(nodes, nodes/2, 1),
		"busy=3/4,random":  placed(nodes, nodes*3/4, 1),
	}
	for v := range nodes {
		if v%2 == 0 {
			sets["busy=half"] = append(sets["busy=half"], v)
		}
		if v < nodes-1 {
			sets["busy=n-1"] = append(sets["busy=n-1"], v)
		}
	}
	return sets
}

// turns runs a network in which the set of nodes that always have a message is drawn anew
// every 10,000 cycles.
func turns(p *plan.Plan, seed int64, cycles int, each func(n *Network)) *Network {
	draw := rand.New(rand.NewPCG(uint64(seed), 2))
	n := newNetwork(p, random(1, 0, seed), nil)
	for n.Cycle() < cycles {
		if n.Cycle()%10_000 == 0 {
			n.offers.sources = n.offers.sources[:0]
			for _, v := range draw.Perm(p.Nodes)[:1+draw.IntN(p.Nodes)] {
				n.offers.sources = append(n.offers.sources, int32(v))
			}
		}
		n.Step()
		if each != nil {
			each(n)
		}
	}
	return n
}

// fair are small machines among them.
var fair = []rings{
	{{4, 1}, {4, 1}},
	{{2, 1}, {2, 1}, {2, 1}, {2, 1}},
	{{8, 1}},
	{{5, 1}, {6, 2}},
	{{15, 1}},
}

// saturate is Saturate, and the longest wait in messages.
func saturate(p *plan.Plan, load Load, cycles int) (Summary, int) {
	n := newNetwork(p, random(load.Rate, load.Stall, load.Seed), load.Sources)
	n.offers.slow(load.Slow)
	w := newWaits(n)
	for n.Cycle() < cycles {
		n.Step()
		w.step()
	}
	return n.Summary(), w.longest
}

// shareSince is the share of the source with the fewest injections since there were those
// before.
func shareSince(n *Network, before []uint32) float64 {
	all, least := uint32(0), ^uint32(0)
	for v, i := range n.count.injections {
		all, least = all+i-before[v], min(least, i-before[v])
	}
	return float64(least) * float64(n.plan.Nodes) / float64(all)
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
