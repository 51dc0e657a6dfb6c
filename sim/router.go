// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/bits"

	"github.com/hcgen/hcgen/gen/plan"
)

// Inputs are the wires into a router in one cycle. Bit p of a mask belongs to
// port p.
type Inputs struct {
	LinkValid  uint32             // s_axis_link_tvalid
	Link       [maxDegree]Message // s_axis_link_tdata, read where LinkValid is set
	LinkReady  uint32             // m_axis_link_tready
	LocalValid bool               // s_axis_local_tvalid
	LocalSeq   uint32             // names the payload on s_axis_local_tdata
	LocalReady bool               // m_axis_local_tready
}

// Outputs are the wires out of a router in one cycle.
type Outputs struct {
	LinkReady   uint32             // s_axis_link_tready
	LinkValid   uint32             // m_axis_link_tvalid
	Link        [maxDegree]Message // m_axis_link_tdata, meaningful where LinkValid is set
	LocalReady  bool               // s_axis_local_tready
	LocalValid  bool               // m_axis_local_tvalid
	Local       Message            // m_axis_local_tdata, meaningful if LocalValid is set
	HeaderError uint32             // header_error
}

// control is the state of a router besides its queues and its gate.
type control struct {
	groupMade    [maxDegree]uint32 // by dimension - 1: requesters whose copy for the group has been made
	groupOrder   [maxDegree]order  // by dimension - 1: of the group's arbiter
	ringOrder    [maxDegree]order  // by port: of the ring arbiter
	deliverOrder order             // of the delivery arbiter
	taken        uint32            // ports that have taken their group's selected message
	continued    uint32            // inputs whose continuation has been made
	delivered    uint32            // inputs whose delivery has been made
	headerError  uint32
}

// Router is one router, stepped cycle by cycle: Evaluate, then Step.
type Router struct {
	shape *shape
	node  uint32
	control
	gate  gate
	slot  []Message            // of all queues
	head  [maxDegree + 1]uint8 // by queue: index of the oldest message; delivery is last
	count [maxDegree + 1]uint8 // by queue: messages in it
	valid uint32               // ports whose queue is not empty
	room  uint32               // ports whose queue has a free slot
	ample uint32               // ports whose queue has two free slots or more
	// what Evaluate has decided for the clock edge
	next       control
	arrived    uint32 // link inputs that are valid
	written    uint32 // ports whose queue gets a message (already in its slot)
	deliver    bool   // the delivery queue gets one
	ready      uint32 // link inputs that are ready
	offered    bool   // the local input is valid
	localReady bool   // it is ready, and only if it is valid
	pop        uint32 // ports whose head leaves
	popLocal   bool
}

const delivery = maxDegree // index of the delivery queue

// NewRouter returns the router of the given node (its address fills the source
// field of messages injected there) as it is after reset.
func NewRouter(p *plan.Plan, node int) *Router {
	r := &Router{}
	s := newShape(p)
	r.init(s, node, make([]Message, s.slots))
	return r
}

// init sets the state after reset.
func (r *Router) init(s *shape, node int, slots []Message) {
	*r = Router{shape: s, node: uint32(node), slot: slots, gate: resetGate(&s.plan.Gate)}
	for i := range r.groupOrder {
		r.groupOrder[i], r.ringOrder[i] = resetOrder, resetOrder
	}
	r.deliverOrder = resetOrder
	for p := range s.plan.Ports {
		r.measure(p)
	}
}

// measure updates the sets of ports that depend on the fill of queue p.
func (r *Router) measure(p int) {
	bit := uint32(1) << p
	r.valid &^= bit
	r.room &^= bit
	r.ample &^= bit
	if r.count[p] > 0 {
		r.valid |= bit
	}
	free := r.shape.ports[p].depth - r.count[p]
	if free > 0 {
		r.room |= bit
	}
	if free > 1 {
		r.ample |= bit
	}
}

// front returns the head of port p's queue, which must not be empty.
func (r *Router) front(p int) *Message { return &r.slot[r.shape.ports[p].slot+r.head[p]] }

// frontLocal returns the head of the delivery queue, which must not be empty.
func (r *Router) frontLocal() *Message { return &r.slot[r.shape.local+r.head[delivery]] }

// put places a copy in the first free slot of port p's queue. The message
// becomes part of the queue at the clock edge.
func (r *Router) put(p int, m *Message, wc uint32) {
	ps := &r.shape.ports[p]
	at := r.head[p] + r.count[p]
	if at >= ps.depth {
		at -= ps.depth
	}
	r.slot[ps.slot+at] = Message{Source: m.Source, Seq: m.Seq, WC: wc, WD: ps.wd}
	r.written |= 1 << p
}

// Evaluate computes all outputs of a cycle from the state and the inputs, and
// remembers what the clock edge will do. It may be called more than once in a
// cycle; the last call counts.
func (r *Router) Evaluate(in *Inputs, out *Outputs) {
	var heads [maxDegree]*Message
	for p := range heads {
		heads[p] = &in.Link[p]
	}
	r.evaluate(in.LinkValid, &heads, in.LocalValid, in.LocalSeq)
	r.pop = in.LinkReady & r.valid
	r.popLocal = in.LocalReady && r.count[delivery] > 0

	out.LinkReady, out.LocalReady = r.ready, r.localReady
	out.LinkValid, out.LocalValid = r.valid, r.count[delivery] > 0
	out.HeaderError = r.headerError
	for v := r.valid; v != 0; v &= v - 1 {
		p := bits.TrailingZeros32(v)
		out.Link[p] = *r.front(p)
	}
	if out.LocalValid {
		out.Local = *r.frontLocal()
	}
}

// Step is the clock edge that ends the cycle last evaluated.
func (r *Router) Step() {
	r.stepControl()
	r.moveQueues()
}

// stepControl is the clock edge of all state but the output queues of links. It
// must come before theirs, because the gate watches their outputs.
func (r *Router) stepControl() {
	r.control = r.next
	r.gate.step(&r.shape.plan.Gate, r.blocked(), r.seen())
	if r.popLocal {
		r.count[delivery]--
		r.head[delivery] = (r.head[delivery] + 1) % plan.QueueDepth
	}
	if r.deliver {
		r.count[delivery]++
	}
}

// seen is what the gate observes of the cycle evaluated.
func (r *Router) seen() seen {
	local := r.count[delivery] > 0
	return seen{
		calm:      r.arrived|r.valid == 0 && !local,
		quiet:     r.valid&^r.pop == 0 && !local,
		waits:     r.offered && r.gate.open() && !r.localReady,
		injected:  r.localReady,
		delivered: r.popLocal,
	}
}

// blocked is the mask of outputs that are valid and not ready.
func (r *Router) blocked() uint32 {
	b := r.valid &^ r.pop
	if r.count[delivery] > 0 && !r.popLocal {
		b |= localOutput
	}
	return b
}

// moveQueues is the clock edge of the output queues. It returns the ports whose
// queue changed.
func (r *Router) moveQueues() (changed uint32) {
	changed = r.written | r.pop
	for c := changed; c != 0; c &= c - 1 {
		p := bits.TrailingZeros32(c)
		if r.pop>>p&1 != 0 {
			r.count[p]--
			if r.head[p]++; r.head[p] == r.shape.ports[p].depth {
				r.head[p] = 0
			}
		}
		if r.written>>p&1 != 0 {
			r.count[p]++
		}
		r.measure(p)
	}
	r.written, r.pop = 0, 0
	return changed
}

// evaluate decides everything that happens in the cycle but the handshakes of
// the outputs. heads[p] is the message on link input p where valid is set.
func (r *Router) evaluate(valid uint32, heads *[maxDegree]*Message, offered bool, seq uint32) {
	s := r.shape
	r.next = r.control
	r.arrived, r.offered, r.written, r.deliver = valid, offered, 0, false

	var bad, going uint32 // inputs with a malformed header; inputs that ask for their continuation
	for v := valid; v != 0; v &= v - 1 {
		p := bits.TrailingZeros32(v)
		m, ps := heads[p], &s.ports[p]
		if m.WD != ps.wd || m.WC == 0 || m.WC > ps.d {
			bad |= 1 << p
		}
		if m.WC > 1 && ps.continues {
			going |= 1 << p
		}
	}
	going &^= r.continued
	asking := valid << 1
	if offered && r.gate.open() {
		asking |= 1
	}
	local := Message{Source: r.node, Seq: seq}
	message := func(requester uint8) *Message {
		if requester == 0 {
			return &local
		}
		return heads[requester-1]
	}

	// Groups select, and the ports without a ring grant at once.
	var selected, places [maxDegree]uint8 // of groups: bit of the requester selected, its place in the order
	var asks, granted uint32              // ring ports asked by their group; ports that take their group's message now
	for j := range s.groups {
		g := &s.groups[j]
		req := asking & g.requesters &^ r.groupMade[j]
		if req == 0 {
			continue
		}
		number, place := r.groupOrder[j].pick(g.number(req))
		selected[j], places[j] = g.bit(number), place
		pending := g.entered &^ r.taken
		asks |= pending & s.ring
		if bad<<1>>selected[j]&1 != 0 {
			continue
		}
		grants := pending &^ s.ring & r.room
		for v := grants; v != 0; v &= v - 1 {
			p := bits.TrailingZeros32(v)
			r.put(p, message(selected[j]), s.ports[p].first)
		}
		granted |= grants
	}

	// Ring ports choose between continuing and entering.
	var continued uint32
	for v := s.ring; v != 0; v &= v - 1 {
		p := bits.TrailingZeros32(v)
		ps := &s.ports[p]
		bit := uint32(1) << p
		from := uint32(1) << ps.continueFrom
		req := (going&ps.transfers)>>ps.transferBase<<1 | asks>>p&1
		if req != 0 {
			sel, place := r.ringOrder[p].pick(req)
			source := selected[ps.wd-1] // as a requester of the group
			if sel > 0 {
				source = ps.transferBase + sel // input transferBase + sel - 1
			}
			enters := (going&from == 0 && r.ample&bit != 0 || s.enterFirst && r.room&bit != 0) && bad<<1>>source&1 == 0
			r.next.ringOrder[p] = r.ringOrder[p].moved(place, enters)
			switch {
			case enters && sel == 0:
				r.put(p, message(source), ps.first)
				granted |= bit
			case enters:
				r.put(p, message(source), message(source).WC-1)
				continued |= 1 << (source - 1)
			}
		}
		if going&from != 0 && r.room&^r.written&bit != 0 && bad&from == 0 {
			m := heads[ps.continueFrom]
			r.put(p, m, m.WC-1)
			continued |= from
		}
	}
	r.next.continued |= continued
	waiting := (going &^ continued) << 1 // requesters with a copy still to be made

	// Groups complete.
	for j := range s.groups {
		g := &s.groups[j]
		req := asking & g.requesters &^ r.groupMade[j]
		if req == 0 {
			continue
		}
		sel := selected[j]
		taken := (r.taken | granted) & g.entered
		completed := taken == g.entered
		r.next.groupOrder[j] = r.groupOrder[j].moved(places[j], completed)
		if completed {
			r.next.taken &^= g.entered
			r.next.groupMade[j] |= 1 << sel
			req &^= 1 << sel
		} else {
			r.next.taken |= taken
		}
		waiting |= req
	}

	if req := valid &^ r.delivered; req != 0 {
		sel, place := r.deliverOrder.pick(req)
		r.deliver = r.count[delivery] < plan.QueueDepth && bad>>sel&1 == 0 && !r.gate.pausing
		r.next.deliverOrder = r.deliverOrder.moved(place, r.deliver)
		if r.deliver {
			m := heads[sel]
			r.slot[s.local+(r.head[delivery]+r.count[delivery])%plan.QueueDepth] = *m
			r.next.delivered |= 1 << sel
			req &^= 1 << sel
		}
		waiting |= req << 1
	}

	r.ready = valid & (bad | ^(waiting >> 1))
	r.localReady = asking&1 != 0 && waiting&1 == 0
	r.next.headerError = bad
	done := r.ready << 1
	if r.localReady {
		done |= 1
	}
	if done != 0 {
		r.next.continued &^= r.ready
		r.next.delivered &^= r.ready
		for j := range s.groups {
			r.next.groupMade[j] &^= done
		}
	}
}
