// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
	"github.com/hcgen/hcgen/sim/chips"
	"github.com/hcgen/hcgen/sim/traffic"
)

// cables are the links of a network between its chips.
type cables struct {
	*chips.Machine[sim.Message]
	plan  *plan.Plan
	links []*cableLink
}

// cableLink is one direction of a link of a cable.
type cableLink struct {
	*cables
	node, link int
	near, far  *chips.End[sim.Message]
	words      int
}

// newCables has cables whose frames are lost with a probability, and whose delays differ by up to the given number of cycles.
func newCables(p *plan.Plan, loss float64, delays int, seed uint64) *cables {
	c := &cables{Machine: chips.NewMachine[sim.Message](p), plan: p}
	random := rand.New(rand.NewPCG(seed, 2))
	for i, channel := range c.Channels {
		channel.Phase = i % p.Chips.Cables[channel.Port].Words
		channel.Delay += random.IntN(delays + 1)
		channel.Loses = func() bool { return random.Float64() < loss }
	}
	return c
}

func (c *cables) Link(v, p int) Link {
	for _, channel := range c.Channels {
		if channel.Chip == c.plan.Region(v) && c.plan.Chips.Cables[channel.Port].Index == p {
			l := &cableLink{cables: c, node: v, link: c.plan.Place(v), near: c.Chips[channel.Chip].Ends[channel.Port], far: c.Chips[channel.ToChip].Ends[channel.ToPort]}
			c.links = append(c.links, l)
			return l
		}
	}
	return nil
}

func (c *cables) Step(paces func(v int) (uint8, uint8)) {
	for _, l := range c.links {
		l.near.Pace[l.link], l.near.BarrierPace[l.link] = paces(l.node)
	}
	c.Machine.Step()
}

func (l *cableLink) Ready() bool           { return l.near.Ready(l.link) }
func (l *cableLink) Offered() *sim.Message { return l.far.Offered(l.link) }
func (l *cableLink) Held() int             { return l.words }
func (l *cableLink) Paces() (uint8, uint8) { return l.far.FarPace(l.link) }

func (l *cableLink) Step(enters *sim.Message, leaves bool) {
	if enters != nil {
		l.Enter(l.near, l.link, *enters)
		l.words++
	}
	if leaves {
		l.Leave(l.far, l.link)
		l.words--
	}
}

// onChips cuts a machine in the dimensions whose flight is not negative.
func onChips(wordBits int, flights ...int) option {
	return func(m *machine.Machine) {
		for i, flight := range flights {
			if flight >= 0 {
				m.Dimensions[i].Link = machine.Link{Kind: machine.Chips, WordBits: wordBits, Flight: flight, Silence: 320}
			}
		}
	}
}

// machinesOnChips have frames of one word to many.
var machinesOnChips = []struct {
	r        rings
	wordBits int
	flights  []int
}{
	{rings{{4, 1}, {4, 1}}, 32, []int{-1, 16}},
	{rings{{4, 1}, {4, 1}}, 64, []int{3, 0}},
	{rings{{8, 1}}, 8, []int{5}},
	{rings{{2, 1}, {5, 2}}, 16, []int{-1, 30}},
	{rings{{3, 1}, {2, 1}, {3, 1}}, 64, []int{1, -1, 2}},
}

// Guarantees 1, 3 and 4 over cables that lose frames, in every cycle: each message reaches every node of its destination once and
// in order, rings keep a free place, turns are fair by the theorem with the lead, entrants are passed in at most two ticks, and in
// the end the network drains.
func TestEveryCycleOfMachinesOnChips(t *testing.T) {
	cycles := 4000
	if testing.Short() {
		cycles = 1500
	}
	for at, m := range machinesOnChips {
		for i, loss := range []float64{0, 0.02, 0.3} {
			if testing.Short() && i != at%3 {
				continue
			}
			options := variants[(at+i)%len(variants)].With(onChips(m.wordBits, m.flights...), preference(preferences[(at+i)%3]), withBarrier())
			if i > 0 {
				options = append(options, destination(), last())
			}
			p := newPlan(t, m.r, options...)
			load := []traffic.Load{{Rate: 1, Stall: 0.3, Seed: 1}, {Rate: 0.05, Slow: map[int]float64{0: 0.9}, Seed: 2}, adversarial(p.Nodes, int64(at))}[(at+i)%3]
			n := &run{Network: NewNetwork(p, load.Nodes(p), Options{Links: newCables(p, loss, 20, uint64(at))}), injections: make([]int, p.Nodes)}
			n.offers = n.nodes.(*traffic.Nodes)
			drain := newWatch(t, n).drain
			if p.Destination != nil {
				n.offers.Choose = mixed(p, 6, 1)
				drain = watchAddressed(t, n).drain
			}
			j, passes, all := newJudge(p), newPassWatch(n), ringsOf(n)
			for n.Cycle() < cycles {
				n.Evaluate()
				require.NoError(t, j.network(n), "%v cycle %d", m, n.cycle)
				require.NoError(t, passes.cycle(), "%v", m)
				n.finish()
				for _, ring := range all {
					most := places(n, ring)
					if p.Ports[ring[0].port].Queue.Chips {
						most += slicePlaces * len(ring) // of near ends
					}
					require.Less(t, takenPlaces(n, ring), most, "%v cycle %d: the ring of %v", m, n.cycle, ring[0])
				}
			}
			require.Greater(t, n.deliveries, 10, "%v", m)
			drain()
			require.Zero(t, n.Held())
			require.True(t, n.Empty())
		}
	}
}

// No node is released from a barrier before all have arrived, whatever frames are lost, and all are released.
func TestBarriersOnChipsAreNeverEarly(t *testing.T) {
	for at, m := range machinesOnChips {
		for _, loss := range []float64{0, 0.3} {
			p := newPlan(t, m.r, withBarrier(), onChips(m.wordBits, m.flights...))
			random := rand.New(rand.NewPCG(3, uint64(at)))
			arrived := make(arrivals, p.Nodes)
			count := make([]int, p.Nodes) // of arrivals
			n := NewNetwork(p, &released{arrivals: arrived}, Options{Links: newCables(p, loss, 20, 1)})
			releases := n.nodes.(*released)
			releases.count = make([]int, p.Nodes)
			for n.Cycle() < 3000 {
				for v := range p.Nodes {
					if !arrived[v] && random.IntN(100) == 0 {
						arrived[v] = true
						count[v]++
					}
				}
				n.Evaluate()
				n.Step()
				require.LessOrEqual(t, slices.Max(releases.count), slices.Min(count), "%v cycle %d: a node is released, and another one has not arrived", m, n.cycle)
			}
			require.Greater(t, releases.count[0], 3, "%v", m)
			t.Log(fmt.Sprint(m.r, " loss ", loss, ": ", releases.count[0], " barriers"))
		}
	}
}

// released are nodes that count their releases.
type released struct {
	arrivals
	count []int
}

func (r *released) Released(v int) {
	r.arrivals.Released(v)
	r.count[v]++
}
