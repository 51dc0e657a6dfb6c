// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"slices"
	"sort"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// offers decides when nodes offer messages and when receivers are ready. A
// message on offer stays until the router takes it. A node without a message on
// offer offers the next scheduled message that is due (in order of At, then of the
// list); if there is none, it starts to offer a random message with probability
// Rate in each cycle.
type offers struct {
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
	streams    int              // local outputs of a node
	spans      [][]span         // by receiver: its scheduled stalls; nil: no scheduled stalls
	neverStall bool             // no random stalls
	stalls     map[int32]chance // of nodes with a stall of their own

	// choose, if set, returns the messages of a node in place of the traffic, for loads that no traffic describes.
	choose func(v int32, seq int) offer
}

func newOffers(p *plan.Plan, t machine.Traffic, sources []int) offers {
	nodes := p.Nodes
	o := offers{
		streams:    p.Deliveries,
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

// begin starts the offers of a cycle.
func (o *offers) begin(cycle int) {
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

// taken ends the offer of a node.
func (o *offers) taken(v int32) {
	o.on[v] = false
	o.freed = append(o.freed, v)
}

// start is the first cycle in which message seq of a node was on offer.
func (o *offers) start(v int32, seq uint32) int { return int(o.first[v][seq]) }

// offer holds the destination and tlast of a message.
type offer struct {
	to   hypercycle.Destination // never nil, and not to be changed
	last bool
}

// message returns the message that a node has on offer. The machine must have destinations or tlast.
func (o *offers) message(v int32) offer { return o.sent(v, len(o.first[v])-1) }

// sent returns message seq of a node, which is or was on offer. The machine must have destinations or tlast.
func (o *offers) sent(v int32, seq int) offer {
	if o.choose != nil {
		return o.choose(v, seq)
	}
	c := o.chosen[v][seq]
	return offer{o.destinations.list[c.to], c.last}
}

// slow gives single receivers a stall of their own, by node.
func (o *offers) slow(stalls map[int]float64) {
	for v, stall := range stalls {
		if o.stalls == nil {
			o.stalls = map[int32]chance{}
		}
		o.stalls[int32(v)] = newChance(stall)
		o.neverStall = false
	}
}

// sinkReady is 1 if the receiver of a stream of a node is ready in a cycle, else 0.
func (o *offers) sinkReady(v int32, stream, cycle int) uint32 {
	if o.spans != nil && o.stalled(v, cycle) {
		return 0
	}
	if o.neverStall {
		return 1
	}
	stall := o.stall
	if o.stalls != nil {
		if own, ok := o.stalls[v]; ok {
			stall = own
		}
	}
	if stall.hit(drawOf(o.stallKeys[int(v)*o.streams+stream], uint64(cycle))) {
		return 0
	}
	return 1
}

// stalled reports whether a cycle is in a scheduled stall of a receiver.
func (o *offers) stalled(v int32, cycle int) bool {
	for _, s := range o.spans[v] {
		if s.first <= cycle && cycle < s.end {
			return true
		}
	}
	return false
}

// exhausted reports whether no node has a message on offer or due;
// random traffic must have been switched off.
func (o *offers) exhausted() bool {
	return !o.random && o.next == len(o.schedule) && len(o.freed) == 0 && !slices.Contains(o.on, true)
}
