// SPDX-License-Identifier: Apache-2.0

// Package endpoint is the cycle-accurate reference model of endpoints and of the system, which is a network with an endpoint at
// each node. It is written from the section "Contract" of docs/endpoints.md, as package model is from docs/architecture.md.
package endpoint

import (
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/model"
)

// message is what endpoints send.
type message struct {
	kind    int // plan.KindPut, ..
	strobes uint8
	address uint32 // in words
	data    uint32
}

// request is a get in the queue.
type request struct {
	message
	accepted int // cycle
}

// reply is the reply register.
type reply struct {
	full    bool
	reading bool   // the memory was read for it in the cycle before
	dest    uint64 // tdest
	data    uint32
}

// free reports whether the register can take a reply: it is empty, and no word for it is being read.
func (r *reply) free() bool { return !r.full && !r.reading }

// Requesters of the local input.
const (
	offerOfAccess = iota
	offerOfReply
	offers
)

// endpoint is the endpoint of a node. Each section of the contract is a file: bus.go, access.go, memory.go and registers.go;
// receiving and sending are here.
type endpoint struct {
	plan *plan.Plan
	node int
	bus  bus

	// Registers.
	access    *access // under way; nil: none
	began     int     // cycle in which it did
	left      *access // an access that has ended late, whose message stays on offer; nil: none
	owed      bool    // the reply to a get has not come
	memory    memory
	queue     []request // oldest first
	reply     reply
	sender    model.Arbiter
	registers registers
	cycle     int

	// Wires of the cycle evaluated.
	linked    bool     // the cables of the chip have been up since its reset; on one chip always
	delivered *message // that the network delivers, or nil
	accepts   bool     // s_axis_tready
	offered   int      // requester whose message is at the local input, or none
	taken     bool     // m_axis_tready
}

func newEndpoint(p *plan.Plan, node int) *endpoint {
	e := &endpoint{plan: p, node: node, bus: &wishbone{}, linked: true, memory: memory{words: map[uint32]uint32{}}}
	if p.Endpoint.Bus == machine.AXI4Lite {
		e.bus = &axi4lite{}
	}
	return e
}

// evaluate computes the wires of a cycle, except taken: the message that the network delivers, or nil, and barrier_release are
// inputs.
func (e *endpoint) evaluate(delivered *message, released bool) {
	e.delivered, e.registers.released, e.taken = delivered, released, false
	before := e.access
	if a := e.bus.begins(before != nil); a != nil {
		e.access, e.began = e.decode(*a), e.cycle
	}
	e.memory.decide([turns]bool{
		turnOfMessage: delivered != nil && e.needsTurn(delivered),
		turnOfGet:     len(e.queue) > 0 && e.cycle >= e.queue[0].accepted+2 && e.reply.free(),
		turnOfAccess:  e.access != nil && e.access.needsTurn(),
	})
	e.accepts = delivered != nil && (!e.needsTurn(delivered) || e.memory.turn == turnOfMessage)
	e.offered = e.sender.Selects([]bool{
		offerOfAccess: e.left != nil || before != nil && e.offers(before), // from the cycle after it began
		offerOfReply:  e.reply.full,
	})
	e.registers.rung = e.rung()
}

// needsTurn reports whether a delivered message is accepted in its turn.
func (e *endpoint) needsTurn(m *message) bool {
	return m.kind == plan.KindAdd || m.kind == plan.KindPut && m.address != e.doorbell()
}

// needsTurn reports whether the access requests the memory port.
func (a *access) needsTurn() bool {
	return (a.kind == ownWrite || a.kind == ownRead || a.kind == ownAdd) && !a.turned
}

// needsNetwork reports whether the access is one to others.
func (a *access) needsNetwork() bool { return a.kind == toOthers || a.kind == get }

// offers reports whether the message of the access is offered, or waits only for one that was left behind.
func (e *endpoint) offers(a *access) bool {
	return a.needsNetwork() && e.linked && !(a.kind == get && e.owed)
}

// rung is the doorbells that are rung in this cycle: by the network, and by the own bus.
func (e *endpoint) rung() (bits uint32) {
	ring := func(strobes uint8, data uint32) {
		if strobes&1 == 1 {
			bits |= data & doorbells
		}
	}
	if m := e.delivered; m != nil && m.kind == plan.KindPut && m.address == e.doorbell() {
		ring(m.strobes, m.data)
	}
	if a := e.access; a != nil && a.kind == ownDoorbell {
		ring(a.Strobes, a.Data)
	}
	return bits
}

// offer is the message at the local input, and its tdest.
func (e *endpoint) offer() (message, uint64) {
	if e.offered == offerOfReply {
		return message{kind: plan.KindReply, data: e.reply.data}, e.reply.dest
	}
	from := e.access
	if e.left != nil {
		from = e.left
	}
	return from.message, from.dest
}

// step is the clock edge.
func (e *endpoint) step() {
	done, answer := e.done()
	late := !done && e.late()
	a := e.access
	if late {
		done, answer, a.bit = true, Answer{Err: true}, errorLate
	}
	if a != nil {
		e.bus.step(&a.Access, done, answer)
	} else {
		e.bus.step(nil, false, answer)
	}
	if done {
		e.registers.step(a)
	} else {
		e.registers.step(nil)
	}
	behind := e.left != nil
	e.stepLate(late)
	e.stepReply()
	e.memory.step(e.atPort())
	if e.memory.turn == turnOfGet {
		e.queue = e.queue[1:]
	}
	if m := e.delivered; m != nil && m.kind == plan.KindGet {
		e.queue = append(e.queue, request{*m, e.cycle})
	}
	e.sender.Update(e.offered, e.taken)
	switch {
	case done:
		e.access = nil
	case a != nil:
		a.turned = a.turned || e.memory.turn == turnOfAccess
		a.sent = a.sent || e.taken && e.offered == offerOfAccess && !behind
	}
	e.cycle++
}

// late reports whether the time of the access is over.
func (e *endpoint) late() bool {
	t := e.plan.Endpoint.Timeout
	return t > 0 && e.access != nil && e.access.needsNetwork() && e.cycle == e.began+t
}

// stepLate is the clock edge of what accesses leave behind: an access that ends late in this cycle leaves its message, if that is on
// offer.
func (e *endpoint) stepLate(late bool) {
	accepted := e.taken && e.offered == offerOfAccess
	offered := e.access != nil && e.offers(e.access)
	if e.delivered != nil && e.delivered.kind == plan.KindReply {
		e.owed = false
	}
	if accepted {
		m, _ := e.offer()
		e.owed = e.owed || m.kind == plan.KindGet
	}
	switch {
	case e.left != nil && accepted:
		e.left = nil
	case e.left == nil && late && offered && !accepted:
		e.left = e.access
	}
}

// likeMessage is the kind of the message that does with the memory of another node what an access does with the own memory.
var likeMessage = [...]int{ownWrite: plan.KindPut, ownAdd: plan.KindAdd, ownRead: plan.KindGet}

// atPort is what the requester that has its turn does with the memory.
func (e *endpoint) atPort() message {
	switch e.memory.turn {
	case turnOfMessage:
		return *e.delivered
	case turnOfGet:
		return e.queue[0].message
	case turnOfAccess:
		a := e.access
		return message{likeMessage[a.kind], a.Strobes, a.word, a.Data}
	}
	return message{}
}

// stepReply is the clock edge of the reply register.
func (e *endpoint) stepReply() {
	r := &e.reply
	if e.taken && e.offered == offerOfReply {
		r.full = false
	}
	if r.reading {
		r.full, r.data = true, e.memory.rdata
	}
	if r.reading = e.memory.turn == turnOfGet; r.reading {
		r.dest = uint64(e.queue[0].data)
	}
}

// idle reports whether nothing is under way in the endpoint.
func (e *endpoint) idle() bool {
	return e.access == nil && e.left == nil && !e.owed && len(e.queue) == 0 && e.reply.free() && e.memory.held == 0
}
