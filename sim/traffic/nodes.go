// SPDX-License-Identifier: Apache-2.0

// Package traffic is what happens at the ports of routers: the messages that nodes offer in a network, the stalls of their
// receivers and their arrivals at barriers, and the stimulus that drives a single router at all its ports. All of it is random
// with fixed seeds, or scheduled, so each run is repeatable. The package does not know the reference model.
package traffic

import (
	"math"
	"slices"
	"sort"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
)

// Nodes are the nodes of a network under a traffic (model.Nodes): they decide when to offer messages, when receivers are
// ready, and when to arrive at a barrier. A message on offer stays until the router takes it. A node without a message on
// offer offers the next scheduled message that is due (in order of At, then of the list); if there is none, it starts to
// offer a random message with probability Rate in each cycle.
type Nodes struct {
	plan   *plan.Plan
	cycle  int        // that has begun
	on     []bool     // by node: it has a message on offer
	first  [][]int32  // by node and number of the message: first cycle on offer
	chosen [][]choice // likewise: destination and tlast; nil if the machine has neither
	due    [][]int32  // by node: scheduled messages that are due and not yet on offer

	destinations *destinations
	pattern      *pattern // of random messages; nil if they have neither destination nor tlast

	schedule []machine.Send // sorted by At
	choices  []choice       // of the schedule; nil likewise
	next     int            // index of the first scheduled message that is not yet due
	freed    []int32        // nodes whose message was taken in the last cycle

	random     bool
	sources    []bool // by node: it injects at random
	rate       chance
	stall      chance
	rateKeys   []uint64         // by node
	stallKeys  []uint64         // by receiver: all streams of a node, node by node
	spans      [][]span         // by receiver: its scheduled stalls; nil: no scheduled stalls
	neverStall bool             // no random stalls
	stalls     map[int32]chance // of nodes with a stall of their own

	arrivals *arrivals // nil: the machine has no barrier

	// Choose, if set, returns the messages of a node in place of the traffic, for loads that no traffic describes.
	Choose func(v, seq int) Message
}

// New returns the nodes of a network under a traffic, whose field Cycles is not used. Only the listed nodes inject at random;
// nil means those of the traffic.
func New(p *plan.Plan, t machine.Traffic, sources []int) *Nodes {
	nodes := p.Nodes
	o := &Nodes{
		plan:       p,
		on:         make([]bool, nodes),
		first:      make([][]int32, nodes),
		due:        make([][]int32, nodes),
		schedule:   append([]machine.Send(nil), t.Sends...),
		neverStall: true,
	}
	sort.SliceStable(o.schedule, func(i, j int) bool { return o.schedule[i].At < o.schedule[j].At })
	addressed := p.Destination != nil || p.LastBits > 0
	if addressed {
		o.destinations = newDestinations(p.Machine.Graph)
		o.chosen = make([][]choice, nodes)
		for _, s := range o.schedule {
			o.choices = append(o.choices, choice{o.destinations.add(s.To), s.Last})
		}
	}
	if p.Machine.Barrier {
		o.arrivals = newArrivals(nodes, trafficSeed(t.Name, Seed(t)))
	}
	for _, s := range t.Stalls {
		if o.spans == nil {
			o.spans = make([][]span, nodes)
		}
		for _, v := range s.Receivers {
			o.spans[v] = append(o.spans[v], spanOf(s))
		}
	}
	if r := t.Random; r != nil {
		seed := trafficSeed(t.Name, r.Seed)
		o.rate, o.stall = newChance(r.Rate), newChance(r.Stall)
		o.rateKeys, o.stallKeys = nodeKeys(seed, purposeOffer, nodes), nodeKeys(seed, purposeStall, nodes*p.Deliveries)
		if addressed {
			o.pattern = newPattern(p, r, seed, o.destinations)
		}
		o.random = r.Rate > 0
		o.neverStall = r.Stall <= 0
		if sources == nil {
			sources = r.Sources
		}
		o.sources = make([]bool, nodes)
		for v := range nodes {
			o.sources[v] = sources == nil
		}
		for _, v := range sources {
			o.sources[v] = true
		}
	}
	return o
}

// span is the cycles of a scheduled stall: from the first to the one before end.
type span struct{ first, end int }

func spanOf(s machine.Stall) span {
	if s.Cycles == 0 {
		return span{s.At, math.MaxInt}
	}
	return span{s.At, s.At + s.Cycles}
}

// Seed is the seed of the random part of a traffic, 0 without one.
func Seed(t machine.Traffic) int64 {
	if t.Random == nil {
		return 0
	}
	return t.Random.Seed
}

// Begin starts the offers of a cycle, and lets nodes arrive at their barriers.
func (o *Nodes) Begin(cycle int) {
	o.cycle = cycle
	if o.arrivals != nil {
		o.arrivals.begin(cycle)
	}
	start := func(v int32) {
		o.on[v] = true
		o.first[v] = append(o.first[v], int32(cycle))
	}
	scheduled := func(v int32) {
		if len(o.due[v]) > 0 && !o.on[v] {
			if o.chosen != nil {
				o.chosen[v] = append(o.chosen[v], o.choices[o.due[v][0]])
			}
			o.due[v] = o.due[v][1:]
			start(v)
		}
	}
	for _, v := range o.freed {
		scheduled(v)
	}
	o.freed = o.freed[:0]
	for ; o.next < len(o.schedule) && o.schedule[o.next].At <= cycle; o.next++ {
		v := int32(o.schedule[o.next].From)
		o.due[v] = append(o.due[v], int32(o.next))
		scheduled(v)
	}
	if !o.random {
		return
	}
	for i, source := range o.sources {
		v := int32(i)
		if !source || o.on[v] || !o.rate.hit(drawOf(o.rateKeys[v], uint64(cycle))) {
			continue
		}
		if o.pattern != nil {
			c, ok := o.pattern.draw(v, cycle)
			if !ok {
				continue
			}
			o.chosen[v] = append(o.chosen[v], c)
		}
		start(v)
	}
}

// Offering reports whether a node has a message on offer.
func (o *Nodes) Offering(v int) bool { return o.on[v] }

// Offer sets the signals of the local input of a node that has a message on offer.
func (o *Nodes) Offer(v int, in *sim.Inputs) {
	seq := len(o.first[v]) - 1
	in.LocalSeq = uint32(seq)
	if o.chosen == nil {
		return
	}
	m := o.Sent(v, seq)
	in.LocalLast = m.Last
	if o.plan.Destination != nil {
		in.LocalDest = tdest(o.plan, m.To)
	}
}

// tdest packs a destination as s_axis_local_tdest; the digit under all is 0.
func tdest(p *plan.Plan, to hypercycle.Destination) (t uint64) {
	for i, digit := range to {
		f := &p.Destination.Fields[i]
		if digit == hypercycle.All {
			t |= 1 << (f.TDestLow + f.DigitBits)
		} else {
			t |= uint64(digit) << f.TDestLow
		}
	}
	return t
}

// Taken ends the offer of a node.
func (o *Nodes) Taken(v int) {
	o.on[v] = false
	o.freed = append(o.freed, int32(v))
}

// Start is the first cycle in which message seq of a node was on offer.
func (o *Nodes) Start(v int, seq uint32) int { return int(o.first[v][seq]) }

// Message holds the destination and tlast of a message.
type Message struct {
	To   hypercycle.Destination // never nil, and not to be changed
	Last bool
}

// Sent returns message seq of a node, which is or was on offer. The machine must have destinations or tlast.
func (o *Nodes) Sent(v, seq int) Message {
	if o.Choose != nil {
		return o.Choose(v, seq)
	}
	c := o.chosen[v][seq]
	return Message{o.destinations.list[c.to], c.last}
}

// slow gives single receivers a stall of their own, by node.
func (o *Nodes) slow(stalls map[int]float64) {
	for v, stall := range stalls {
		if o.stalls == nil {
			o.stalls = map[int32]chance{}
		}
		o.stalls[int32(v)] = newChance(stall)
		o.neverStall = false
	}
}

// Ready reports whether the receiver of a stream of a node is ready in the cycle.
func (o *Nodes) Ready(v, stream int) bool {
	if o.spans != nil && o.stalled(v, o.cycle) {
		return false
	}
	if o.neverStall {
		return true
	}
	stall := o.stall
	if o.stalls != nil {
		if own, ok := o.stalls[int32(v)]; ok {
			stall = own
		}
	}
	return !stall.hit(drawOf(o.stallKeys[v*o.plan.Deliveries+stream], uint64(o.cycle)))
}

// stalled reports whether a cycle is in a scheduled stall of a receiver.
func (o *Nodes) stalled(v, cycle int) bool {
	for _, s := range o.spans[v] {
		if s.first <= cycle && cycle < s.end {
			return true
		}
	}
	return false
}

// Arrived reports whether a node has arrived at its barrier.
func (o *Nodes) Arrived(v int) bool { return o.arrivals.arrived[v] }

// Released ends the barrier of a node.
func (o *Nodes) Released(v int) { o.arrivals.arrived[v] = false }

// End ends random messages and scheduled stalls. Messages that are scheduled or on offer remain.
func (o *Nodes) End() { o.random, o.spans = false, nil }

// Exhausted reports whether no node has a message on offer or due, and none sends random ones.
func (o *Nodes) Exhausted() bool {
	return !o.random && o.next == len(o.schedule) && len(o.freed) == 0 && !slices.Contains(o.on, true)
}
