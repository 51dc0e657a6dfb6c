// SPDX-License-Identifier: Apache-2.0

package endpoint

import (
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/plan"
)

// Access is what a master asks of the bus of its node.
type Access struct {
	Write   bool
	Address uint32 // of a byte; the lowest two bits are ignored
	Strobes uint8  // bytes of Data that are written; of a read they mean nothing
	Data    uint32 // of a write
}

// Answer ends an access.
type Answer struct {
	Err  bool   // a bus error
	Data uint32 // of a read without an error, otherwise 0
}

// kind is what an access does.
type kind int

const (
	refused     kind = iota // ends with a bus error
	ofRegister              // reads or writes a register
	ownDoorbell             // puts to the doorbell of the own node
	ownWrite                // writes the own memory
	ownRead
	ownAdd
	toOthers // puts or adds to other nodes
	get      // reads the memory of another node
)

// access is the access of a node that is under way.
type access struct {
	Access
	kind kind
	bit  uint32 // of ERRORS, if it ends with a bus error

	word    uint32 // of the memory, or of the registers
	dest    uint64 // tdest
	message message

	turned bool // it has had its turn at the memory port
	sent   bool // the network has accepted its message
}

// allStrobes are those of a whole word.
const allStrobes = 1<<wordBytes - 1

// wordBytes is the number of bytes of a word.
const wordBytes = 4

// destination is what the digits and the all of an address mean to a node.
type destination struct {
	tdest uint64
	zero  bool // digits and all are 0
	legal bool // every digit that counts is below m
	same  bool // the node itself, and no other
	set   bool // some all is 1
}

// fields returns the fields of an address.
func (e *endpoint) fields(address uint32) (region int, d destination, word uint32) {
	p := e.plan.Endpoint
	word = address & (1<<p.AddressBits - 1) / wordBytes
	region = int(address >> p.RegionLow & 3)
	d = destination{legal: true, same: true, zero: address>>p.AddressBits&(1<<(p.RegionLow-p.AddressBits)-1) == 0}
	for i := range e.plan.Dims {
		f := &e.plan.Destination.Fields[i]
		digit := address >> (p.DigitsLow + f.DigitLow) & (1<<f.DigitBits - 1)
		if address>>(p.AllLow+i)&1 == 1 {
			d.set, d.same = true, false
			d.tdest |= 1 << (f.TDestLow + f.DigitBits)
			continue
		}
		d.legal = d.legal && int(digit) < e.plan.Dims[i].M
		d.same = d.same && int(digit) == e.plan.Machine.Graph.Digit(e.node, i+1)
		d.tdest |= uint64(digit) << f.TDestLow
	}
	return region, d, word
}

// decode is the decoding of an access in the cycle in which it begins.
func (e *endpoint) decode(a Access) *access {
	region, d, word := e.fields(a.Address)
	x := &access{Access: a, word: word, dest: d.tdest}
	switch own := region == plan.RegionMemory || region == plan.RegionRegisters; {
	case own && !d.zero, !own && !d.legal:
		x.bit = errorOutside
		return x
	case !e.supports(a, region, d, word):
		x.bit = errorUnsupported
		return x
	}
	switch {
	case region == plan.RegionRegisters:
		x.kind = ofRegister
	case region == plan.RegionMemory || d.same:
		x.kind = e.ofOwn(a, region, word)
	case !a.Write:
		x.kind, x.message = get, message{kind: plan.KindGet, address: word, data: uint32(e.tdest())}
	case region == plan.RegionAdd:
		x.kind, x.message = toOthers, message{kind: plan.KindAdd, strobes: allStrobes, address: word, data: a.Data}
	default:
		x.kind, x.message = toOthers, message{kind: plan.KindPut, strobes: a.Strobes, address: word, data: a.Data}
	}
	return x
}

// supports reports whether there is such an access.
func (e *endpoint) supports(a Access, region int, d destination, word uint32) bool {
	whole := a.Strobes == allStrobes
	switch region {
	case plan.RegionRegisters:
		exists, written := e.hasRegister(word)
		return exists && (!a.Write || written && whole)
	case plan.RegionMessages:
		return a.Write || !d.set && (d.same || e.plan.Endpoint.Gets)
	case plan.RegionAdd:
		return a.Write && whole && e.plan.Endpoint.Adds
	}
	return true
}

// ofOwn is what an access does in the own node.
func (e *endpoint) ofOwn(a Access, region int, word uint32) kind {
	switch {
	case !a.Write:
		return ownRead
	case region == plan.RegionAdd:
		return ownAdd
	case region == plan.RegionMessages && word == e.doorbell():
		return ownDoorbell
	}
	return ownWrite
}

// doorbell is the last word of the memory.
func (e *endpoint) doorbell() uint32 { return 1<<e.plan.Endpoint.WordBits() - 1 }

// tdest is the destination that is the node.
func (e *endpoint) tdest() (t uint64) {
	for i, f := range e.plan.Destination.Fields {
		t |= uint64(e.plan.Machine.Graph.Digit(e.node, i+1)) << f.TDestLow
	}
	return t
}

// done reports whether the access under way is done in this cycle, and its answer.
func (e *endpoint) done() (done bool, answer Answer) {
	a := e.access
	if a == nil {
		return false, answer
	}
	switch a.kind {
	case refused:
		return true, Answer{Err: true}
	case ofRegister:
		if !a.Write {
			answer.Data = e.readRegister(a.word)
		}
		return true, answer
	case ownDoorbell:
		return true, answer
	case ownWrite, ownAdd:
		return e.memory.turn == turnOfAccess, answer
	case ownRead:
		return a.turned, Answer{Data: e.memory.rdata}
	case toOthers:
		return e.taken && e.offered == offerOfAccess && e.left == nil, answer
	case get:
		if a.sent && e.delivered != nil && e.delivered.kind == plan.KindReply {
			return true, Answer{Data: e.delivered.data}
		}
	}
	return false, answer
}

// Address is the address of a byte in the memories of a destination, or with region 0 or 1 and no destination that of a byte of
// the own memory or of a register.
func Address(p *plan.Plan, region int, to hypercycle.Destination, offset uint32) uint32 {
	e := p.Endpoint
	a := uint32(region)<<e.RegionLow | offset
	for i, digit := range to {
		if digit == hypercycle.All {
			a |= 1 << (e.AllLow + i)
		} else {
			a |= uint32(digit) << (e.DigitsLow + p.Destination.Fields[i].DigitLow)
		}
	}
	return a
}
