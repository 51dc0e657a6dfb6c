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
	LocalReady uint32             // m_axis_local_tready, by delivery queue: bit 0 alone if there is one
}

// Outputs are the wires out of a router in one cycle.
type Outputs struct {
	LinkReady   uint32             // s_axis_link_tready; without queues at the inputs set only where LinkValid is
	LinkValid   uint32             // m_axis_link_tvalid
	Link        [maxDegree]Message // m_axis_link_tdata, meaningful where LinkValid is set
	LocalReady  bool               // s_axis_local_tready
	LocalValid  uint32             // m_axis_local_tvalid, by delivery queue
	Local       [maxDegree]Message // m_axis_local_tdata, meaningful where LocalValid is set
	HeaderError uint32             // header_error
}

// control is the state of a router besides its queues, slots and its gate.
type control struct {
	deliverTurn tree   // of the delivery arbiter; not used with a queue per link
	taken       uint32 // ports that have taken their group's selected message
	continued   uint32 // inputs whose continuation has been made
	delivered   uint32 // inputs whose delivery has been made
	headerError uint32
	group       [maxDegree]group // by dimension - 1
	ringTurn    [maxDegree]turn  // by port: of the ring arbiter
}

// group is the state of the group of a dimension besides the ports that have taken its
// message.
type group struct {
	turn tree   // of its arbiter
	made uint32 // requesters whose copy for the group has been made
}

// set copies a state but for what the machine does not have: much less than all
// that there is room for.
func (c *control) set(s *shape, from *control) {
	c.taken, c.continued, c.delivered = from.taken, from.continued, from.delivered
	c.deliverTurn, c.headerError = from.deliverTurn, from.headerError
	for j := range s.groups {
		c.group[j] = from.group[j]
	}
	for v := s.arbitrated; v != 0; v &= v - 1 {
		p := lowest(v)
		c.ringTurn[p] = from.ringTurn[p]
	}
}

// Router is one router, stepped cycle by cycle: Evaluate, then Step. What others touch
// in a network comes first: of a large one the memory is slower than the processor.
type Router struct {
	shape *shape
	node  uint32
	pop   uint32 // decided in the cycle: ports whose head leaves
	// the rest of this block in a network only
	arriving arrivals  // the link inputs, of those with a queue the heads
	from     []Message // by requester of a group: the local input, then the link inputs, where arriving is set
	gateAt   int       // cycle for which the state of the gate holds

	slot      []Message // of all ports and delivery
	valid     uint32    // ports whose queue is not empty, ring ports whose output slot is not
	room      uint32    // ports other than ring ports whose queue has a free slot
	waitsOn   uint32    // ring ports where a message waits to continue
	waitsIn   uint32    // ring ports where a message waits to enter
	local     uint32    // delivery queues that are not empty
	localRoom uint32    // delivery queues with a free slot, with one per link
	// what Evaluate has decided for the clock edge, with pop and next
	entering   uint32 // ports that get a message that enters the dimension (already in its slot)
	continuing uint32 // ring ports that get one that continues (already in its slot)
	asked      uint32 // ring ports that continue asks: nothing enters their output slots
	on, in     uint32 // ring ports whose output slot takes the message that continues, that enters
	deliver    uint32 // delivery queues that get one (already in its slot)
	ready      uint32 // link inputs that are ready
	popLocal   uint32 // delivery queues whose head leaves
	offered    bool   // the local input is valid
	localReady bool   // it is ready, and only if it is valid
	localWaits bool   // it is valid and the gate open, and it is not ready

	head  [2 * maxDegree]uint8 // by queue: index of the oldest message; those of delivery are last; 0 for a ring port
	count [2 * maxDegree]uint8 // by queue: messages in it; not used for a ring port
	gate  gate
	control
	next   control
	inputs *inputQueues // of a router on its own; nil without queues at the inputs
}

const delivery = maxDegree // index of the first delivery queue

// NewRouter returns the router of the given node (its address fills the source
// field of messages injected there) as it is after reset.
func NewRouter(p *plan.Plan, node int) *Router {
	r := &Router{}
	s := newShape(p)
	r.init(s, node, make([]Message, s.slots))
	if s.queued {
		r.inputs = &inputQueues{}
	}
	return r
}

// init sets the state after reset.
func (r *Router) init(s *shape, node int, slots []Message) {
	*r = Router{shape: s, node: uint32(node), slot: slots, gate: resetGate()}
	for p := range s.plan.Ports {
		if s.ring>>p&1 == 0 {
			r.measure(p)
		}
	}
	r.localRoom = 1<<s.plan.Deliveries - 1
}

// measure updates the sets of ports that depend on the fill of queue p.
func (r *Router) measure(p int) {
	bit := uint32(1) << p
	r.valid = r.valid&^bit | bit&all(r.count[p] > 0)
	r.room = r.room&^bit | bit&all(r.count[p] < r.shape.ports[p].depth)
}

// front returns the message at the output of port p, which must be valid.
func (r *Router) front(p int) *Message { return &r.slot[r.shape.ports[p].slot+uint16(r.head[p])] }

// frontLocal returns the head of delivery queue q, which must not be empty.
func (r *Router) frontLocal(q int) *Message { return r.localSlot(q, r.head[delivery+q]) }

// localSlot returns a slot of delivery queue q.
func (r *Router) localSlot(q int, place uint8) *Message {
	return &r.slot[r.shape.local+uint16(q)*uint16(r.shape.deliverySlots)+uint16(place)]
}

// held is the number of messages in the queues and slots of all outputs.
func (r *Router) held() int {
	n := bits.OnesCount32(r.valid&r.shape.ring) + bits.OnesCount32(r.waitsOn) + bits.OnesCount32(r.waitsIn)
	for _, c := range r.count {
		n += int(c)
	}
	return n
}

// Slots of a ring port.
const (
	outputSlot = iota
	waitsOnSlot
	waitsInSlot
)

// enter places a copy of a message that enters the dimension in the first free slot
// of port p's queue, or in the waiting slot of a ring port. The message becomes part
// of the port at the clock edge.
func (r *Router) enter(p int, m *Message, wc uint32) {
	ps := &r.shape.ports[p]
	slot := uint8(waitsInSlot)
	if r.shape.ring>>p&1 == 0 {
		slot = wrap(r.head[p]+r.count[p], ps.depth)
	}
	r.slot[ps.slot+uint16(slot)] = Message{Source: m.Source, Seq: m.Seq, WC: wc, WD: ps.wd}
	r.entering |= 1 << p
}

// Evaluate computes all outputs of a cycle from the state and the inputs, and
// remembers what the clock edge will do. It may be called more than once in a
// cycle; the last call counts.
func (r *Router) Evaluate(in *Inputs, out *Outputs) {
	r.pop = in.LinkReady & r.valid
	r.popLocal = in.LocalReady & r.local
	if r.inputs == nil {
		var arriving arrivals
		var from [maxDegree + 1]Message
		for v := in.LinkValid; v != 0; v &= v - 1 {
			p := lowest(v)
			from[p+1] = in.Link[p]
			arriving.set(r.shape, p, &in.Link[p], 1)
		}
		r.evaluate(arriving, from[:], in.LocalValid, in.LocalSeq)
		out.LinkReady = r.ready
	} else {
		r.evaluate(r.inputs.heads, r.inputs.from[:], in.LocalValid, in.LocalSeq)
		ready := (1<<r.shape.degree - 1) &^ r.inputs.heads.full
		if r.shape.rule.accept != nil {
			ready = r.shape.rule.accept(r, ready)
		}
		out.LinkReady = ready
		r.inputs.offer(in, ready)
	}

	out.LocalReady = r.localReady
	out.LinkValid, out.LocalValid = r.valid, r.local
	out.HeaderError = r.headerError
	for v := r.valid; v != 0; v &= v - 1 {
		p := lowest(v)
		out.Link[p] = *r.front(p)
	}
	for v := r.local; v != 0; v &= v - 1 {
		q := lowest(v)
		out.Local[q] = *r.frontLocal(q)
	}
}

// Step is the clock edge that ends the cycle last evaluated.
func (r *Router) Step() {
	r.stepControl()
	for v := r.moveLinks(); v != 0; v &= v - 1 {
		r.show(lowest(v))
	}
	if r.inputs != nil {
		r.inputs.step(r.shape, r.ready)
	}
}

// stepControl is the clock edge of all state but the queues and slots of links. It
// must come before theirs, because the gate watches their outputs.
func (r *Router) stepControl() {
	r.control.set(r.shape, &r.next)
	r.gate.step(&r.shape.plan.Gate, r.blocked(), r.seen())
	if !r.shape.perPort {
		r.moveQueue(delivery, r.shape.deliverySlots, r.popLocal != 0, r.deliver != 0)
		r.local = all(r.count[delivery] > 0) & 1
		return
	}
	for v := r.popLocal | r.deliver; v != 0; v &= v - 1 {
		q := lowest(v)
		r.moveQueue(delivery+q, r.shape.deliverySlots, r.popLocal>>q&1 != 0, r.deliver>>q&1 != 0)
		bit, count := uint32(1)<<q, r.count[delivery+q]
		r.local = r.local&^bit | bit&all(count > 0)
		r.localRoom = r.localRoom&^bit | bit&all(count < r.shape.deliveryDepth)
	}
}

// seen is what the gate observes of the local ports in the cycle evaluated.
func (r *Router) seen() seen {
	return seen{waits: r.localWaits, injected: r.localReady, delivered: uint8(bits.OnesCount32(r.popLocal))}
}

// blocked is the mask of outputs that are valid and not ready.
func (r *Router) blocked() uint32 {
	return r.valid&^r.pop | (r.local&^r.popLocal)*localOutput
}

// moveLinks is the clock edge of the queues and slots of links, but for the messages
// that output slots take: show moves them. It returns the ports with another message at
// the output, or none now, and maybe some more: show is for each of them.
func (r *Router) moveLinks() (changed uint32) {
	ring := r.shape.ring
	changed = r.pop | r.entering&^ring
	for v := changed &^ ring; v != 0; v &= v - 1 {
		p := lowest(v)
		r.moveQueue(p, r.shape.ports[p].depth, r.pop>>p&1 != 0, r.entering>>p&1 != 0)
		r.measure(p)
	}

	// What was written and what waits is in the same slot: it was free to be written.
	r.waitsOn |= r.continuing
	r.waitsIn |= r.entering & ring
	r.on, r.in = r.takes(ring &^ (r.valid &^ r.pop))
	taken := r.on | r.in
	r.valid = r.valid&^(r.pop&ring) | taken
	r.waitsOn &^= r.on
	r.waitsIn &^= r.in
	r.entering, r.continuing, r.asked, r.pop = 0, 0, 0, 0
	return changed | taken
}

// show moves what the output slot of port p takes at the clock edge into it, if p has one
// and it takes anything. It returns the message at the output, if there is one.
func (r *Router) show(p int) *Message {
	at := r.shape.ports[p].slot + uint16(r.head[p])
	from := at + uint16(r.on>>p&1*waitsOnSlot+r.in>>p&1*waitsInSlot)
	m := &r.slot[at]
	*m = r.slot[from]
	return m
}

// takes returns which of the ring ports whose output slot gets free take the message that
// continues and which the one that enters.
func (r *Router) takes(free uint32) (on, in uint32) {
	if r.shape.rule.take != nil {
		return r.shape.rule.take(r, free)
	}
	return free & r.waitsOn, free & r.waitsIn &^ (r.waitsOn | r.asked)
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
	full  uint32 // link inputs with a queue, and that without a free slot
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
	r.offered, r.deliver = offered, 0
	r.entering, r.continuing, r.asked = 0, 0, 0
	next.set(s, now)
	if valid == 0 && !offered { // what is on the outputs only waits
		r.ready, r.localReady, r.localWaits, next.headerError = 0, false, false, 0
		return
	}

	going := in.valid & in.more &^ r.continued // inputs that ask for their continuation
	r.asked = s.across(going & s.ring)         // ring ports of which they ask it without a transfer
	asking := valid << 1
	asking |= all(offered) & all(r.gate.open()) & 1
	from[0] = Message{Source: r.node, Seq: seq}

	// room for what enters a dimension and for what continues
	enterable, open := r.room|s.ring&^r.waitsIn, s.ring&^r.waitsOn
	if s.rule.write != nil {
		enterable, open = s.rule.write(r, enterable, open)
	}

	// Groups select. Where nobody competes with them for a port, it grants at once.
	var asked uint32              // groups, as dimension - 1
	var selected [maxDegree]uint8 // of groups: the requester
	var asks, granted uint32      // ports with an arbiter asked by their group; ports that take their group's message now
	for j := range s.groups {
		g := &s.groups[j]
		req := asking & g.requesters &^ now.group[j].made
		if req == 0 {
			continue
		}
		asked |= 1 << j
		who := now.group[j].turn.pick(req)
		selected[j] = who
		pending := g.entered &^ now.taken
		asks |= pending & s.arbitrated
		if bad<<1>>who&1 != 0 {
			continue
		}
		grants := pending &^ s.arbitrated & enterable
		for v := grants; v != 0; v &= v - 1 {
			p := lowest(v)
			r.enter(p, &from[who], s.ports[p].first)
		}
		granted |= grants
	}

	// Ports with transfers choose who enters.
	var continued uint32
	for v := s.arbitrated; v != 0; v &= v - 1 {
		p := lowest(v)
		ps := &s.ports[p]
		req := (going&ps.transfers)>>ps.transferBase<<1 | asks>>p&1
		if req == 0 {
			continue
		}
		sel := r.ringTurn[p].pick(req)
		source := selected[ps.wd-1] // as a requester of the group
		if sel > 0 {
			source = ps.transferBase + sel // input transferBase + sel - 1
		}
		enters := enterable>>p&1 != 0 && bad<<1>>source&1 == 0
		next.ringTurn[p] = after(sel, enters)
		switch m := &from[source]; {
		case enters && sel == 0:
			r.enter(p, m, ps.first)
			granted |= 1 << p
		case enters:
			r.enter(p, m, m.WC-1)
			continued |= 1 << (source - 1)
		}
	}

	// Ring ports continue.
	for v := r.asked & open; v != 0; v &= v - 1 {
		p := lowest(v)
		ps := &s.ports[p]
		m := &from[ps.continueFrom+1]
		if bad>>ps.continueFrom&1 != 0 {
			continue
		}
		r.slot[ps.slot+waitsOnSlot] = Message{Source: m.Source, Seq: m.Seq, WC: m.WC - 1, WD: ps.wd}
		r.continuing |= 1 << p
		continued |= 1 << ps.continueFrom
	}
	next.continued |= continued
	waiting := (going &^ continued) << 1 // requesters with a copy still to be made

	// Groups complete. Of those that nobody asks nothing changes.
	for v := asked; v != 0; v &= v - 1 {
		j := lowest(v)
		g, state := &s.groups[j], &next.group[j]
		req := asking & g.requesters &^ state.made
		taken := (now.taken | granted) & g.entered
		completed := taken == g.entered
		made := 1 << (selected[j] & 31) & all(completed)
		state.turn = state.turn.after(selected[j], completed)
		if s.rule.turn != nil {
			state.turn = s.rule.turn(j, now.group[j].turn, req, selected[j], completed)
		}
		next.taken = next.taken&^g.entered | taken&^all(completed)
		state.made |= made
		waiting |= req &^ made
	}

	req := valid &^ r.delivered
	var made uint32
	if s.perPort {
		made = req &^ bad & r.localRoom
		if s.rule.deliver != nil {
			made = s.rule.deliver(r, req, bad, made)
		}
		r.deliver = made
		for v := made; v != 0; v &= v - 1 {
			p := lowest(v)
			*r.localSlot(p, wrap(r.head[delivery+p]+r.count[delivery+p], s.deliverySlots)) = from[p+1]
		}
	} else if req != 0 {
		sel := now.deliverTurn.pick(req << 1)
		made = req & (1 << ((sel - 1) & 31)) &^ bad & all(r.count[delivery] < s.deliveryDepth)
		r.deliver = all(made != 0) & 1
		*r.localSlot(0, wrap(r.head[delivery]+r.count[delivery], s.deliverySlots)) = from[sel] // to no effect unless it is
		next.deliverTurn = now.deliverTurn.after(sel, made != 0)
		if s.rule.turn != nil {
			next.deliverTurn = s.rule.turn(len(s.groups), now.deliverTurn, req<<1, sel, made != 0)
		}
	}
	next.delivered |= made
	waiting |= req &^ made << 1

	r.ready = valid & (bad | ^(waiting >> 1))
	done := r.ready<<1 | asking&^waiting&1
	r.localReady, r.localWaits = done&1 != 0, asking&waiting&1 != 0
	next.headerError = bad
	next.continued &^= r.ready
	next.delivered &^= r.ready
	for j := range s.groups {
		next.group[j].made &^= done
	}
}
