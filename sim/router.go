// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/hcgen/hcgen/gen/plan"

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

// set copies a state but for what the machine does not have: much less than all
// that there is room for.
func (c *control) set(s *shape, from *control) {
	c.taken, c.continued, c.delivered = from.taken, from.continued, from.delivered
	c.deliverOrder, c.headerError = from.deliverOrder, from.headerError
	for j := range s.groups {
		c.groupMade[j], c.groupOrder[j] = from.groupMade[j], from.groupOrder[j]
	}
	for v := s.arbitrated; v != 0; v &= v - 1 {
		p := lowest(v)
		c.ringOrder[p] = from.ringOrder[p]
	}
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
	localWaits bool   // it is valid and the gate open, and it is not ready
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
	valid, room, ample := r.valid&^bit, r.room&^bit, r.ample&^bit
	if r.count[p] > 0 {
		valid |= bit
	}
	free := r.shape.ports[p].depth - r.count[p]
	if free > 0 {
		room |= bit
	}
	if free > 1 {
		ample |= bit
	}
	r.valid, r.room, r.ample = valid, room, ample
}

// front returns the head of port p's queue, which must not be empty.
func (r *Router) front(p int) *Message { return &r.slot[r.shape.ports[p].slot+r.head[p]] }

// frontLocal returns the head of the delivery queue, which must not be empty.
func (r *Router) frontLocal() *Message { return &r.slot[r.shape.local+r.head[delivery]] }

// put places a copy in the first free slot of port p's queue. The message
// becomes part of the queue at the clock edge.
func (r *Router) put(p int, m *Message, wc uint32) {
	ps := &r.shape.ports[p]
	r.slot[ps.slot+wrap(r.head[p]+r.count[p], ps.depth)] = Message{Source: m.Source, Seq: m.Seq, WC: wc, WD: ps.wd}
	r.written |= 1 << p
}

// Evaluate computes all outputs of a cycle from the state and the inputs, and
// remembers what the clock edge will do. It may be called more than once in a
// cycle; the last call counts.
func (r *Router) Evaluate(in *Inputs, out *Outputs) {
	var arriving arrivals
	var from [maxDegree + 1]Message
	for v := in.LinkValid; v != 0; v &= v - 1 {
		p := lowest(v)
		from[p+1] = in.Link[p]
		arriving.set(r.shape, p, &in.Link[p], 1)
	}
	r.evaluate(arriving, from[:], in.LocalValid, in.LocalSeq)
	r.pop = in.LinkReady & r.valid
	r.popLocal = in.LocalReady && r.count[delivery] > 0

	out.LinkReady, out.LocalReady = r.ready, r.localReady
	out.LinkValid, out.LocalValid = r.valid, r.count[delivery] > 0
	out.HeaderError = r.headerError
	for v := r.valid; v != 0; v &= v - 1 {
		p := lowest(v)
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
	r.control.set(r.shape, &r.next)
	r.gate.step(&r.shape.plan.Gate, r.blocked(), r.seen())
	r.moveQueue(delivery, deliverySlots, r.popLocal, r.deliver)
}

// seen is what the gate observes of the cycle evaluated.
func (r *Router) seen() seen {
	local := uint32(r.count[delivery])
	return seen{
		calm:      r.arrived|r.valid|local == 0,
		quiet:     r.valid&^r.pop|local == 0,
		waits:     r.localWaits,
		injected:  r.localReady,
		delivered: r.popLocal,
	}
}

// blocked is the mask of outputs that are valid and not ready.
func (r *Router) blocked() uint32 {
	b := r.valid &^ r.pop
	if valid := r.count[delivery] > 0; valid != r.popLocal {
		b |= localOutput
	}
	return b
}

// moveQueues is the clock edge of the output queues of links.
func (r *Router) moveQueues() {
	for v := r.written | r.pop; v != 0; v &= v - 1 {
		p := lowest(v)
		r.moveLink(p)
	}
	r.written, r.pop = 0, 0
}

// moveLink is the clock edge of port p's queue.
func (r *Router) moveLink(p int) {
	r.moveQueue(p, r.shape.ports[p].depth, r.pop>>p&1 != 0, r.written>>p&1 != 0)
	r.measure(p)
}

// moveQueue is the clock edge of a queue of so many slots: its head leaves, and what
// has been put joins.
func (r *Router) moveQueue(q int, slots uint8, leaves, joins bool) {
	var left, joined uint8
	if leaves {
		left = 1
	}
	if joins {
		joined = 1
	}
	r.head[q] = wrap(r.head[q]+left, slots)
	r.count[q] += joined - left
}

// wrap returns a place in a queue of so many slots, counted from its first one.
func wrap(place, slots uint8) uint8 { return place - slots&uint8(all(place >= slots)) }

// arrivals are the link inputs of a router as masks.
type arrivals struct {
	valid uint32
	bad   uint32 // with a malformed header, where valid
	more  uint32 // of weight above 1 on a port where messages continue, where valid
}

// set puts m on link input p, if valid is 1, or nothing, if it is 0.
func (a *arrivals) set(s *shape, p int, m *Message, valid uint32) {
	bit := uint32(1) << p
	a.valid = a.valid&^bit | valid<<p
	a.more = a.more&^bit | bit&s.continues&all(m.WC > 1)
	a.bad &^= bit
	if ps := &s.ports[p]; m.WD != ps.wd || m.WC == 0 || m.WC > ps.d {
		a.bad |= bit
	}
}

// evaluate decides everything that happens in the cycle but the handshakes of
// the outputs. from holds the message of each requester of a group, those of link
// inputs where in.valid is set; evaluate fills in that of the local input.
func (r *Router) evaluate(in arrivals, from []Message, offered bool, seq uint32) {
	s := r.shape
	now, next := &r.control, &r.next
	valid, bad := in.valid, in.valid&in.bad
	r.arrived, r.offered, r.written, r.deliver = valid, offered, 0, false
	if valid == 0 && !offered { // what is on the outputs only waits
		next.set(s, now)
		r.ready, r.localReady, r.localWaits, next.headerError = 0, false, false, 0
		return
	}

	next.taken, next.continued, next.delivered, next.deliverOrder = now.taken, now.continued, now.delivered, now.deliverOrder

	going := in.valid & in.more &^ r.continued // inputs that ask for their continuation
	continuing := s.across(going & s.ring)     // ring ports of which they ask it without a transfer
	asking := valid << 1
	if offered && r.gate.open() {
		asking |= 1
	}
	from[0] = Message{Source: r.node, Seq: seq}

	// room for what enters a dimension
	enterable := r.room&^s.ring | r.ample&s.ring&^continuing
	if s.enterFirst {
		enterable = r.room
	}

	// Groups select. Where nobody competes with them for a port, it grants at once.
	var selected, places [maxDegree]uint8 // of groups: bit of the requester selected, its place in the order
	var asks, granted uint32              // ports with an arbiter asked by their group; ports that take their group's message now
	for j := range s.groups {
		g := &s.groups[j]
		next.groupMade[j], next.groupOrder[j] = now.groupMade[j], now.groupOrder[j]
		req := asking & g.requesters &^ now.groupMade[j]
		var number, place uint8
		if g.requesters != 1 { // the local input alone needs no arbiter
			number, place = r.groupOrder[j].pick(g.number(req))
		}
		selected[j], places[j] = g.bit[number], place
		pending := g.entered &^ r.taken & all(req != 0)
		asks |= pending & s.arbitrated
		if bad<<1>>selected[j]&1 != 0 {
			continue
		}
		grants := pending &^ s.arbitrated & enterable
		for v := grants; v != 0; v &= v - 1 {
			p := lowest(v)
			r.put(p, &from[selected[j]], s.ports[p].first)
		}
		granted |= grants
	}

	// Ports with transfers choose who enters.
	var continued uint32
	for v := s.arbitrated; v != 0; v &= v - 1 {
		p := lowest(v)
		ps := &s.ports[p]
		next.ringOrder[p] = now.ringOrder[p]
		req := (going&ps.transfers)>>ps.transferBase<<1 | asks>>p&1
		if req == 0 {
			continue
		}
		sel, place := r.ringOrder[p].pick(req)
		source := selected[ps.wd-1] // as a requester of the group
		if sel > 0 {
			source = ps.transferBase + sel // input transferBase + sel - 1
		}
		enters := enterable>>p&1 != 0 && bad<<1>>source&1 == 0
		next.ringOrder[p] = r.ringOrder[p].moved(place, enters)
		switch m := &from[source]; {
		case enters && sel == 0:
			r.put(p, m, ps.first)
			granted |= 1 << p
		case enters:
			r.put(p, m, m.WC-1)
			continued |= 1 << (source - 1)
		}
	}

	// Ring ports continue.
	for v := continuing & r.room &^ r.written; v != 0; v &= v - 1 {
		p := lowest(v)
		input := s.ports[p].continueFrom
		m := &from[input+1]
		if bad>>input&1 != 0 {
			continue
		}
		r.put(p, m, m.WC-1)
		continued |= 1 << input
	}
	next.continued |= continued
	waiting := (going &^ continued) << 1 // requesters with a copy still to be made

	// Groups complete. Of those that nobody asks nothing changes.
	for j := range s.groups {
		g := &s.groups[j]
		req := asking & g.requesters &^ r.groupMade[j]
		taken := (r.taken | granted) & g.entered
		completed := taken == g.entered
		made := 1 << (selected[j] & 31) & all(completed)
		next.groupOrder[j] = r.groupOrder[j].moved(places[j], completed)
		next.taken = next.taken&^g.entered | taken&^all(completed)
		next.groupMade[j] |= made
		waiting |= req &^ made
	}

	req := valid &^ r.delivered
	sel, place := r.deliverOrder.pick(req)
	made := req & (1 << (sel & 31)) &^ bad & all(r.count[delivery] < plan.QueueDepth)
	if r.gate.pausing {
		made = 0
	}
	r.deliver = made != 0
	r.slot[s.local+wrap(r.head[delivery]+r.count[delivery], deliverySlots)] = from[sel+1] // to no effect unless it is
	next.delivered |= made
	next.deliverOrder = r.deliverOrder.moved(place, r.deliver)
	waiting |= req &^ made << 1

	r.ready = valid & (bad | ^(waiting >> 1))
	done := r.ready<<1 | asking&^waiting&1
	r.localReady, r.localWaits = done&1 != 0, asking&waiting&1 != 0
	next.headerError = bad
	next.continued &^= r.ready
	next.delivered &^= r.ready
	for j := range s.groups {
		next.groupMade[j] &^= done
	}
}
