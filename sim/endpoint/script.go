// SPDX-License-Identifier: Apache-2.0

package endpoint

import (
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/traffic"
)

// Size of a golden trace. A node makes mostAccesses of its own choice; in a large machine fewer, about allAccesses together, but not
// fewer than fewestAccesses.
const (
	mostAccesses   = 200
	fewestAccesses = 8
	allAccesses    = 4000
	mostBarriers   = 3 // of each node, or one in a large machine
)

// Script is random accesses of all nodes: all kinds, at few words, so that they meet. Each node arrives a few times at the
// barrier and polls until it is released. When nothing is under way after the last access of the last node, each node reads
// once more, so that the end of the last access is the end of everything.
type Script struct {
	plan     *plan.Plan
	dice     traffic.Payload
	nodes    []author
	accesses int // of the own choice of a node
	barriers int // of a node
	left     int // nodes that make more of them
	last     bool
}

// author is what a node does next.
type author struct {
	next    Access
	at      int    // cycle from which next is offered
	throws  uint32 // of the dice
	made    int    // accesses of its own choice
	arrived int    // barriers
	polls   int    // of this barrier; 0: it does not wait
	again   bool   // it writes BARRIER once more while it waits
	over    bool   // it has made all accesses
}

// NewScript is the script of a seed, with the given number of accesses of each node of its own choice.
func NewScript(p *plan.Plan, seed int64, accesses int) *Script {
	s := &Script{plan: p, dice: traffic.NewPayload("accesses", seed, 64), nodes: make([]author, p.Nodes), accesses: accesses, barriers: mostBarriers, left: p.Nodes}
	if p.Nodes > many {
		s.barriers = 1
	}
	for v := range s.nodes {
		n := &s.nodes[v]
		n.next = s.register(v, regEnable, true, s.word(v)|1<<s.below(v, doorbellBits+1))
		n.at = s.below(v, 8)
	}
	return s
}

// goldenScript is the script of the golden trace.
func goldenScript(p *plan.Plan) *Script {
	return NewScript(p, 1, max(fewestAccesses, min(mostAccesses, allAccesses/p.Nodes)))
}

// End begins the last access of each node. It must be called when the system is idle.
func (s *Script) End() {
	s.last, s.left = true, len(s.nodes)
	for v := range s.nodes {
		n := &s.nodes[v]
		n.over, n.at = false, 0
		n.next = s.register(v, []int{regWaiting, regEvents, regErrors, regBarrier}[s.below(v, 4)], false, 0)
	}
}

// Over reports whether no node makes another access.
func (s *Script) Over() bool { return s.left == 0 }

// Next is part of Programs.
func (s *Script) Next(v, cycle int) (Access, bool) {
	n := &s.nodes[v]
	return n.next, !n.over && cycle >= n.at
}

// Ended is part of Programs: it chooses the next access of the node.
func (s *Script) Ended(d Done) {
	n := &s.nodes[d.Node]
	n.at = d.End + 1 + s.gap(d.Node)
	if n.polls > 0 && s.polled(d) {
		return
	}
	switch {
	case s.last || n.made >= s.accesses && n.arrived == s.barriers:
		n.over = true
		s.left--
	case n.arrived < s.barriers && n.made >= s.accesses*(n.arrived+1)/(s.barriers+1):
		n.next = s.register(d.Node, regBarrier, true, s.word(d.Node))
		n.polls, n.again = 1, s.below(d.Node, 4) == 0
		n.arrived++
	default:
		n.next = s.choose(d.Node)
		n.made++
	}
}

// polled continues to wait at a barrier after an access has ended. It reports false if the node was released.
func (s *Script) polled(d Done) bool {
	n := &s.nodes[d.Node]
	own := d.Address>>s.plan.Endpoint.RegionLow == plan.RegionRegisters && d.Address&(1<<s.plan.Endpoint.AddressBits-1)/wordBytes == regBarrier
	if own && !d.Write && !d.Err && d.Answer.Data == 0 {
		n.polls = 0
		return false
	}
	if n.again { // at once: the node still waits
		n.again, n.at = false, d.End+1
		n.next = s.register(d.Node, regBarrier, true, s.word(d.Node))
		return true
	}
	n.polls++
	n.at += s.below(d.Node, 4<<min(n.polls, 7)) // one node can be late
	n.next = s.register(d.Node, regBarrier, false, 0)
	if s.below(d.Node, 4) == 0 {
		n.next = s.choose(d.Node)
	}
	return true
}

// gap is the number of cycles between two accesses: often none.
func (s *Script) gap(v int) int {
	switch s.below(v, 32) {
	case 0:
		return s.below(v, 64)
	case 1, 2, 3:
		return s.below(v, 16)
	case 4, 5, 6, 7:
		return s.below(v, 4)
	}
	return 0
}

// choose is a random access.
func (s *Script) choose(v int) Access {
	a := Access{Write: s.below(v, 2) == 0, Strobes: s.strobes(v), Data: s.word(v)}
	to := s.one(v)
	switch s.below(v, 16) {
	case 0, 1: // own memory
		a.Address = Address(s.plan, plan.RegionMemory, nil, s.offset(v))
	case 2: // the same as a message
		own := s.plan.Machine.Graph.To(v)
		a.Address = Address(s.plan, plan.RegionMessages, own, s.offset(v))
		if s.below(v, 4) > 0 {
			a.Write, a.Strobes, a.Address = true, allStrobes, Address(s.plan, plan.RegionAdd, own, s.offset(v))
		}
	case 3, 4: // put
		a.Write, a.Address = true, Address(s.plan, plan.RegionMessages, to, s.offset(v))
	case 5: // put to a set
		a.Write, a.Address = true, s.ignored(v, Address(s.plan, plan.RegionMessages, s.set(v), s.offset(v)))
	case 6, 7, 8: // get
		a.Write, a.Address = false, Address(s.plan, plan.RegionMessages, to, s.offset(v))
	case 9: // add
		a.Write, a.Strobes, a.Address = true, allStrobes, Address(s.plan, plan.RegionAdd, to, s.offset(v))
	case 10: // add to a set
		a.Write, a.Strobes, a.Address = true, allStrobes, s.ignored(v, Address(s.plan, plan.RegionAdd, s.set(v), s.offset(v)))
	case 11: // doorbell
		if s.below(v, 2) == 0 {
			to = s.set(v)
		}
		a.Write, a.Address = true, Address(s.plan, plan.RegionMessages, to, 1<<s.plan.Endpoint.AddressBits-wordBytes)
	case 12, 13:
		return s.anyRegister(v)
	case 14:
		return s.mistake(v)
	default: // any address: most of them are mistakes; BARRIER is written in turn only
		a.Address = s.word(v) & (1<<s.plan.Endpoint.BusBits - 1)
		if a.Address>>s.plan.Endpoint.RegionLow == plan.RegionRegisters {
			a.Write = false
		}
	}
	return s.finished(v, a)
}

// finished sets what means nothing: the lowest two bits of the address, the strobes and the data of a read. On AXI4-Lite a read has no
// strobes.
func (s *Script) finished(v int, a Access) Access {
	a.Address = a.Address&^(wordBytes-1) | uint32(s.below(v, wordBytes))
	if !a.Write {
		a.Data = 0
		if a.Strobes = s.strobes(v); s.plan.Endpoint.Bus == machine.AXI4Lite {
			a.Strobes = allStrobes
		}
	}
	return a
}

// register is an access to a register that has all strobes.
func (s *Script) register(v, number int, write bool, data uint32) Access {
	return s.finished(v, Access{write, Address(s.plan, plan.RegionRegisters, nil, uint32(number*wordBytes)), allStrobes, data})
}

// anyRegister reads any register, or writes one that can be written at any time.
func (s *Script) anyRegister(v int) Access {
	number := s.below(v, regWaiting+1+len(s.plan.Dims))
	switch kind := s.below(v, 8); {
	case kind < 3:
		written, data := []int{regEvents, regEvents, regEnable, regErrors}[s.below(v, 4)], s.word(v)
		if s.below(v, 2) == 0 { // few events are enabled, and all are cleared, so that the interrupt changes
			data = 1 << s.below(v, doorbellBits+1)
			if written == regEvents {
				data = enableable
			}
		}
		return s.register(v, written, true, data)
	case kind == 3, kind < 7 && v == s.hot(v):
		number = regWaiting
	case number > regWaiting:
		number += regDimension - regWaiting - 1
	}
	return s.register(v, number, false, 0)
}

// mistake is an access that ends with a bus error, if the machine has a case of the kind drawn.
func (s *Script) mistake(v int) Access {
	e := s.plan.Endpoint
	a := Access{Write: s.below(v, 2) == 0, Strobes: s.strobes(v), Data: s.word(v)}
	switch s.below(v, 8) {
	case 0: // a digit or an all in the regions of the node
		region := s.below(v, plan.RegionRegisters+1)
		a.Address = Address(s.plan, region, nil, s.offset(v)) | 1<<(e.DigitsLow+s.below(v, e.RegionLow-e.DigitsLow))
	case 1: // a digit that is not below m
		i := s.below(v, len(s.plan.Dims))
		f := s.plan.Destination.Fields[i]
		a.Address = Address(s.plan, plan.RegionMessages+s.below(v, 2), s.one(v), s.offset(v)) | (1<<f.DigitBits-1)<<(e.DigitsLow+f.DigitLow)
	case 2: // get from a set
		a.Write, a.Address = false, Address(s.plan, plan.RegionMessages, s.set(v), s.offset(v))
	case 3: // read of an add
		a.Write, a.Address = false, Address(s.plan, plan.RegionAdd, s.one(v), s.offset(v))
	case 4: // add without all strobes
		a.Write, a.Strobes, a.Address = true, uint8(s.below(v, allStrobes)), Address(s.plan, plan.RegionAdd, s.one(v), s.offset(v))
	case 5: // register without all strobes
		a.Write, a.Strobes, a.Address = true, uint8(s.below(v, allStrobes)), Address(s.plan, plan.RegionRegisters, nil, uint32(wordBytes*(regBarrier+s.below(v, 4))))
	case 6: // no register
		number := regWaiting + 1 + s.below(v, regDimension-regWaiting-1)
		if s.below(v, 2) == 0 {
			number = regDimension + len(s.plan.Dims) + s.below(v, 4)
		}
		return s.register(v, number, a.Write, a.Data)
	default: // write of a register that is only read
		numbers := []int{regID, regNode, regDigits, regNodes, regWaiting, regDimension}
		return s.register(v, numbers[s.below(v, len(numbers))], true, a.Data)
	}
	return s.finished(v, a)
}

// hot is the node that many accesses of a node are for, so that they meet: the first of 16.
func (s *Script) hot(v int) int { return v &^ 15 }

// one is a destination of one node.
func (s *Script) one(v int) hypercycle.Destination {
	to := s.hot(v)
	if s.below(v, 2) == 0 {
		to = s.below(v, s.plan.Nodes)
	}
	return s.plan.Machine.Graph.To(to)
}

// many is the number of nodes above which a machine is large. There sets are rarer, so that the messages of a trace do not grow with the
// square of the nodes.
const many = 32

// set is a destination of several nodes: a row, a plane, all nodes.
func (s *Script) set(v int) hypercycle.Destination {
	to := s.one(v)
	if s.below(v, max(many, s.plan.Nodes)) >= many {
		return to
	}
	some := 1 + s.below(v, 1<<len(to)-1)
	if s.below(v, 4) == 0 {
		some = 1<<len(to) - 1
	}
	for i := range to {
		if some>>i&1 == 1 {
			to[i] = hypercycle.All
		}
	}
	return to
}

// ignored puts random digits where they are ignored.
func (s *Script) ignored(v int, address uint32) uint32 {
	e := s.plan.Endpoint
	for i, f := range s.plan.Destination.Fields {
		if address>>(e.AllLow+i)&1 == 1 {
			address |= uint32(s.below(v, 1<<f.DigitBits)) << (e.DigitsLow + f.DigitLow)
		}
	}
	return address
}

// offset is that of a word, often one of the first, or one of the last two, of which the last is the doorbell.
func (s *Script) offset(v int) uint32 {
	words := 1 << s.plan.Endpoint.WordBits()
	switch s.below(v, 16) {
	case 0:
		return uint32(wordBytes * s.below(v, words))
	case 1:
		return uint32(wordBytes * (words - 1 - s.below(v, 2)))
	}
	return uint32(wordBytes * s.below(v, 4))
}

// strobes are often all of a word.
func (s *Script) strobes(v int) uint8 {
	if s.below(v, 2) == 0 {
		return allStrobes
	}
	return uint8(s.below(v, allStrobes+1))
}

// word is a random word.
func (s *Script) word(v int) uint32 { return uint32(s.throw(v)) }

// below is a random number from 0 to n - 1.
func (s *Script) below(v, n int) int { return int(s.throw(v) >> 1 % uint64(n)) }

// throw does not depend on what other nodes do.
func (s *Script) throw(v int) uint64 {
	s.nodes[v].throws++
	return s.dice.Word(uint32(v), s.nodes[v].throws, 0)
}
