// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/bits"
	"sort"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// offers decides when nodes offer messages and when receivers are ready. A
// message on offer stays until the router takes it. A node without one offers
// the next scheduled broadcast that is due (in order of At, then of the list);
// if there is none, it starts to offer a random one with probability Rate in
// each cycle.
type offers struct {
	on    set       // nodes with a message on offer
	first [][]int32 // by node and number of the message: first cycle on offer
	due   []int32   // by node: scheduled broadcasts that are due and not yet on offer

	schedule []machine.Broadcast // sorted by At
	next     int                 // first of schedule that is not yet due
	freed    []int32             // nodes whose message was taken in the last cycle

	random     bool
	sources    set // nodes that inject at random
	rate       chance
	stall      chance
	rateKeys   []uint64 // by node
	stallKeys  []uint64 // by receiver: all streams of a node, node by node
	streams    int      // local outputs of a node
	neverStall bool
	stalls     map[int32]chance // of nodes with a stall of their own
}

func newOffers(p *plan.Plan, t machine.Traffic, sources []int) offers {
	nodes := p.Nodes
	o := offers{
		streams:    p.Deliveries,
		on:         make(set, (nodes+63)/64),
		first:      make([][]int32, nodes),
		due:        make([]int32, nodes),
		schedule:   append([]machine.Broadcast(nil), t.Broadcasts...),
		neverStall: true,
	}
	sort.SliceStable(o.schedule, func(i, j int) bool { return o.schedule[i].At < o.schedule[j].At })
	if r := t.Random; r != nil {
		seed := trafficSeed(t.Name, r.Seed)
		o.rate, o.stall = newChance(r.Rate), newChance(r.Stall)
		o.rateKeys, o.stallKeys = nodeKeys(seed, purposeOffer, nodes), nodeKeys(seed, purposeStall, nodes*p.Deliveries)
		o.random = r.Rate > 0
		o.neverStall = r.Stall <= 0
		o.sources = make(set, (nodes+63)/64)
		for v := range nodes {
			if sources == nil {
				o.sources.add(int32(v))
			}
		}
		for _, v := range sources {
			o.sources.add(int32(v))
		}
	}
	return o
}

// begin starts the offers of a cycle.
func (o *offers) begin(cycle int) {
	start := func(v int32) {
		o.on.add(v)
		o.first[v] = append(o.first[v], int32(cycle))
	}
	scheduled := func(v int32) {
		if o.due[v] > 0 && !o.on.has(v) {
			o.due[v]--
			start(v)
		}
	}
	for _, v := range o.freed {
		scheduled(v)
	}
	o.freed = o.freed[:0]
	for ; o.next < len(o.schedule) && o.schedule[o.next].At <= cycle; o.next++ {
		v := int32(o.schedule[o.next].Source)
		o.due[v]++
		scheduled(v)
	}
	if !o.random {
		return
	}
	for w, sources := range o.sources {
		for word := sources &^ o.on[w]; word != 0; word &= word - 1 {
			v := int32(w<<6 + bits.TrailingZeros64(word))
			if o.rate.hit(drawOf(o.rateKeys[v], uint64(cycle))) {
				start(v)
			}
		}
	}
}

// taken ends the offer of a node.
func (o *offers) taken(v int32) {
	o.on[v>>6] &^= 1 << (v & 63)
	o.freed = append(o.freed, v)
}

// start is the first cycle in which message seq of a node was on offer.
func (o *offers) start(v int32, seq uint32) int { return int(o.first[v][seq]) }

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
	if o.neverStall {
		return 1
	}
	stall := o.stall
	if o.stalls != nil {
		if own, ok := o.stalls[v]; ok {
			stall = own
		}
	}
	return all(!stall.hit(drawOf(o.stallKeys[int(v)*o.streams+stream], uint64(cycle)))) & 1
}

// exhausted reports whether no node has anything on offer or due any more;
// random traffic must have been switched off.
func (o *offers) exhausted() bool {
	for _, w := range o.on {
		if w != 0 {
			return false
		}
	}
	return !o.random && o.next == len(o.schedule) && len(o.freed) == 0
}
