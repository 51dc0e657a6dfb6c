// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/bits"

	"github.com/hcgen/hcgen/gen/plan"
)

// router is the state of a router but for its neighbour clock, and what it decides in a
// cycle. evaluate decides, from registers alone and without changing any; commit is the
// clock edge. The message of a link output register is kept where it is read: in the queue
// of the link input at the other end, behind its slots.
type router struct {
	shape *shape
	slots []Message // by requester: the places of its queue; the local input's message is in its first

	// registers
	valid     uint32 // link outputs that hold a message
	local     uint32 // delivery registers that do
	queued    uint32 // link inputs with a message in their slots
	full      uint32 // link inputs without a free slot
	carried   uint32 // ports that have taken their group's message
	continued uint32 // link inputs whose continuation has been made
	delivered uint32 // link inputs whose delivery has been made
	// wires that follow from registers of others
	linkValid uint32 // link inputs with a message on the link
	linkReady uint32 // link outputs whose receivers are ready
	malformed uint32 // link inputs whose message on the link is malformed; none in a network

	// decided in the cycle
	popLocal  uint32 // delivery registers whose messages leave; set before evaluate
	comes     uint32 // link inputs that complete a handshake
	leaves    uint32 // link outputs whose messages leave
	asking    uint32 // requesters with a message that may ask
	going     uint32 // link inputs that ask for their continuation
	bad       uint32 // link inputs whose message is malformed
	enterable uint32 // ports that take a message that enters
	loads     uint32 // link outputs that take a message
	granted   uint32 // those of them that take their group's
	ringAsks  uint32 // ports with an arbiter that their group asks
	rings     uint32 // ports with an arbiter that somebody asks
	passes    uint32 // link inputs whose continuation is made
	asked     uint32 // groups that somebody asks, as dimension - 1
	completed uint32 // those of them that are completed
	delivers  uint32 // link inputs whose delivery is made
	waiting   uint32 // requesters with a copy still to be made
	done      uint32 // requesters all of whose copies are made

	head  [maxDegree + 1]uint8 // by requester: place of the oldest message of its queue
	tail  [maxDegree + 1]uint8 // by requester: place for what the link brings next, in a network
	count [maxDegree + 1]uint8 // by requester: messages in its slots

	group       [maxDegree]group // by dimension - 1
	deliverTurn tree             // of the delivery arbiter, if there is one
	deliverWho  uint8            // whom it selects; 0 if nobody asks
	ringTurn    [maxDegree]turn  // by port: of its arbiter
	ringNext    [maxDegree]turn  // by port: its turn at the end of the cycle
	selected    [maxDegree]uint8 // by group: the requester
	sent        []Message        // by port: what it loads
	handed      []Message        // by delivery register: its message
}

// group is the state of the group of a dimension besides the ports that have taken its
// message.
type group struct {
	turn tree   // of its arbiter
	made uint32 // requesters whose copy for the group has been made
}

// messages is the number of messages kept for a router.
func (s *shape) messages() int {
	return (s.degree+1)*int(s.places) + s.degree + s.plan.Deliveries
}

// init sets the state after reset. memory is of shape.messages.
func (r *router) init(s *shape, node int, memory []Message) {
	slots := (s.degree + 1) * int(s.places)
	*r = router{shape: s, slots: memory[:slots], sent: memory[slots : slots+s.degree], handed: memory[slots+s.degree:], linkReady: 1<<s.degree - 1}
	r.slots[0].Source = uint32(node)
}

// place returns a place of the queue of a requester, counted without end.
func (r *router) place(who int, at uint8) *Message {
	places := r.shape.places
	return &r.slots[who*int(places)+int(at&(places-1))]
}

// message returns the message of a requester, which must have one.
func (r *router) message(who int) *Message { return r.place(who, r.head[who&31]) }

// held is the number of messages in all registers and slots.
func (r *router) held() int {
	n := bits.OnesCount32(r.valid) + bits.OnesCount32(r.local)
	for _, c := range r.count {
		n += int(c)
	}
	return n
}

// evaluate decides everything that happens in the cycle. offers is 1 if the local input
// has a message and may ask, else 0.
func (r *router) evaluate(offers uint32) {
	r.comes, r.leaves = r.linkValid&^r.full, r.valid&r.linkReady
	present := r.queued | r.linkValid&r.shape.wayPast
	r.loads, r.rings, r.asked, r.completed, r.passes, r.delivers, r.done, r.deliverWho = 0, 0, 0, 0, 0, 0, 0, 0
	if present|offers == 0 {
		return
	}
	r.present(present, offers)
	r.selectGroups()
	if rings := r.ringAsks | r.going; rings != 0 {
		r.enterRings()
		r.continueRings()
	}
	r.waiting = (r.going &^ r.passes) << 1
	r.completeGroups()
	r.deliver(present &^ r.delivered)
	r.done = r.asking &^ (r.waiting | r.bad<<1)
}

// present finds out what the messages of the inputs ask for, and which outputs are free.
func (r *router) present(present, offers uint32) {
	s := r.shape
	r.asking = present<<1 | offers
	r.bad = r.malformed &^ r.queued & present
	r.going = 0
	for v := present & s.continues &^ r.continued; v != 0; v &= v - 1 {
		p := lowest(v)
		r.going |= all(r.message(p+1).WC > 1) & (1 << p)
	}
	// the bubble rule: nothing enters where a message asks to continue
	r.enterable = (^r.valid | r.linkReady) &^ s.across(r.going&s.ring)
}

// load makes an output register take a message.
func (r *router) load(p int, m *Message, wc uint32) {
	r.sent[p] = Message{Source: m.Source, Seq: m.Seq, WC: wc, WD: r.shape.ports[p].wd}
	r.loads |= 1 << p
}

// selectGroups lets every group select a requester. Its ports where nobody competes with
// the group take the message at once.
func (r *router) selectGroups() {
	s := r.shape
	r.granted, r.ringAsks = 0, 0
	for j := range s.groups {
		g, state := &s.groups[j], &r.group[j]
		asking := r.asking & g.requesters &^ state.made
		if asking == 0 {
			continue
		}
		r.asked |= 1 << j
		who := state.turn.pick(asking)
		r.selected[j] = who
		pending := g.entered &^ r.carried
		r.ringAsks |= pending & s.arbitrated
		grants := pending &^ s.arbitrated & r.enterable &^ all(r.bad<<1>>who&1 != 0)
		for v := grants; v != 0; v &= v - 1 {
			p := lowest(v)
			r.load(p, r.message(int(who)), s.ports[p].first)
		}
		r.granted |= grants
	}
}

// enterRings lets the arbiters of ring ports select who enters: the group, or a message
// that transfers from a shorter link.
func (r *router) enterRings() {
	s := r.shape
	for v := s.arbitrated; v != 0; v &= v - 1 {
		p := lowest(v)
		ps := &s.ports[p]
		asking := (r.going&ps.transfers)>>ps.transferBase<<1 | r.ringAsks>>p&1
		if asking == 0 {
			continue
		}
		sel := r.ringTurn[p].pick(asking)
		source := r.selected[ps.wd-1]
		if sel > 0 {
			source = ps.transferBase + sel // requester of the input of distance sel
		}
		enters := r.enterable>>p&1 != 0 && r.bad<<1>>source&1 == 0
		r.rings |= 1 << p
		r.ringNext[p] = after(sel, enters)
		switch m := r.message(int(source)); {
		case enters && sel == 0:
			r.load(p, m, ps.first)
			r.granted |= 1 << p
		case enters:
			r.load(p, m, m.WC-1)
			r.passes |= 1 << (source - 1)
		}
	}
}

// continueRings moves messages on along their rings.
func (r *router) continueRings() {
	s := r.shape
	free := ^r.valid | r.linkReady
	for v := s.across(r.going&^r.bad&s.ring) & free; v != 0; v &= v - 1 {
		p := lowest(v)
		from := s.ports[p].continueFrom
		m := r.message(int(from) + 1)
		r.load(p, m, m.WC-1)
		r.passes |= 1 << from
	}
}

// completeGroups finds out which groups have got all their ports.
func (r *router) completeGroups() {
	for v := r.asked; v != 0; v &= v - 1 {
		j := lowest(v)
		g := &r.shape.groups[j]
		completed := all((r.carried|r.granted)&g.entered == g.entered)
		r.completed |= completed & (1 << j)
		made := 1 << (r.selected[j] & 31) & completed
		r.waiting |= r.asking & g.requesters &^ (r.group[j].made | made)
	}
}

// deliver decides which of the link inputs that ask for delivery get it.
func (r *router) deliver(asking uint32) {
	free := ^r.local | r.popLocal
	if r.shape.perPort {
		r.delivers = asking & free &^ r.bad
	} else if asking != 0 {
		r.deliverWho = r.deliverTurn.pick(asking << 1)
		r.delivers = 1 << ((r.deliverWho - 1) & 31) & all(free&1 != 0) &^ r.bad
	}
	r.waiting |= (asking &^ r.delivers) << 1
}

// commit is the clock edge of all registers but those of the link outputs. It returns
// the link inputs whose ready changes.
func (r *router) commit() (turned uint32) {
	r.commitDelivery()
	r.commitArbiters()
	r.valid = r.valid&^r.leaves | r.loads
	links := r.done >> 1
	r.continued = (r.continued | r.passes) &^ links
	r.delivered = (r.delivered | r.delivers) &^ links

	comes := r.comes &^ r.malformed
	full := r.full
	for v := comes | links; v != 0; v &= v - 1 {
		p := lowest(v)
		left := uint8(links >> p & 1)
		r.head[p+1] += left
		count := r.count[p+1] + uint8(comes>>p&1) - left
		r.count[p+1] = count
		bit := uint32(1) << p
		r.queued = r.queued&^bit | bit&all(count != 0)
		r.full = r.full&^bit | bit&all(count == r.shape.slots)
	}
	return full ^ r.full
}

// commitDelivery is the clock edge of the delivery registers and of their arbiter.
func (r *router) commitDelivery() {
	if r.shape.perPort {
		for v := r.delivers; v != 0; v &= v - 1 {
			p := lowest(v)
			r.handed[p] = *r.message(p + 1)
		}
		r.local = r.local&^r.popLocal | r.delivers
		return
	}
	who, made := r.deliverWho, r.delivers != 0
	if made {
		r.handed[0] = *r.message(int(who))
	}
	if who != 0 {
		r.deliverTurn = r.deliverTurn.after(who, made)
	}
	r.local = r.local&^r.popLocal | all(made)&1
}

// commitArbiters is the clock edge of the groups and of the arbiters of ring ports.
func (r *router) commitArbiters() {
	for v := r.asked; v != 0; v &= v - 1 {
		j := lowest(v)
		g, who := &r.group[j], r.selected[j]
		completed := r.completed>>j&1 != 0
		entered := r.shape.groups[j].entered
		g.turn = g.turn.after(who, completed)
		g.made |= 1 << (who & 31) & all(completed)
		r.carried = (r.carried | r.granted&entered) &^ (entered & all(completed))
	}
	if r.done != 0 {
		for j := range r.shape.groups {
			r.group[j].made &^= r.done
		}
	}
	for v := r.rings; v != 0; v &= v - 1 {
		p := lowest(v)
		r.ringTurn[p] = r.ringNext[p]
	}
}

// Inputs are the wires into a router in one cycle. Bit p of a mask belongs to
// port p.
type Inputs struct {
	LinkValid  uint32             // s_axis_link_tvalid
	Link       [maxDegree]Message // s_axis_link_tdata, read where LinkValid is set
	LinkReady  uint32             // m_axis_link_tready
	LocalValid bool               // s_axis_local_tvalid
	LocalSeq   uint32             // names the payload on s_axis_local_tdata
	LocalReady uint32             // m_axis_local_tready, by delivery register: bit 0 alone if there is one
	LinkPace   uint64             // link_pace: 2 bits for each port, port 0 lowest
}

// Outputs are the wires out of a router in one cycle.
type Outputs struct {
	LinkReady   uint32             // s_axis_link_tready
	LinkValid   uint32             // m_axis_link_tvalid
	Link        [maxDegree]Message // m_axis_link_tdata, meaningful where LinkValid is set
	LocalReady  bool               // s_axis_local_tready
	LocalValid  uint32             // m_axis_local_tvalid, by delivery register
	Local       [maxDegree]Message // m_axis_local_tdata, meaningful where LocalValid is set
	HeaderError uint32             // header_error
	Pace        uint8              // pace
}

// Router is one router on its own, stepped cycle by cycle: Evaluate, then Step.
type Router struct {
	router
	clock    clock
	dropped  uint32             // header_error
	register [maxDegree]Message // of the link outputs
	in       struct {           // of the cycle evaluated
		linkPace uint64
		offered  bool
	}
}

// NewRouter returns the router of the given node (its address fills the source
// field of messages injected there) as it is after reset.
func NewRouter(p *plan.Plan, node int) *Router {
	r := &Router{clock: resetClock()}
	s := newShape(p)
	r.init(s, node, make([]Message, s.messages()))
	return r
}

// Evaluate computes all outputs of a cycle from the state and the inputs, and
// remembers what the clock edge will do. It may be called more than once in a
// cycle; the last call counts.
func (r *Router) Evaluate(in *Inputs, out *Outputs) {
	s := r.shape
	r.linkValid, r.linkReady, r.popLocal = in.LinkValid, in.LinkReady, in.LocalReady&r.local
	r.in.linkPace, r.in.offered = in.LinkPace, in.LocalValid
	r.malformed = 0
	for v := in.LinkValid; v != 0; v &= v - 1 {
		p := lowest(v)
		m := &in.Link[p]
		*r.place(p+1, r.head[p+1]+r.count[p+1]) = *m
		if ps := &s.ports[p]; m.WD != ps.wd || m.WC == 0 || m.WC > ps.d {
			r.malformed |= 1 << p
		}
	}
	r.slots[0].Seq = in.LocalSeq
	r.evaluate(all(in.LocalValid && r.clock.open()) & 1)

	out.LinkReady = (1<<s.degree - 1) &^ r.full
	out.LocalReady = r.done&1 != 0
	out.LinkValid, out.LocalValid = r.valid, r.local
	out.HeaderError, out.Pace = r.dropped, r.clock.pace
	for v := r.valid; v != 0; v &= v - 1 {
		p := lowest(v)
		out.Link[p] = r.register[p]
	}
	for v := r.local; v != 0; v &= v - 1 {
		q := lowest(v)
		out.Local[q] = r.handed[q]
	}
}

// Step is the clock edge that ends the cycle last evaluated.
func (r *Router) Step() {
	r.clock.step(r.in.linkPace, r.shape.degree, r.in.offered, r.done&1 != 0)
	r.dropped = r.comes & r.malformed
	for v := r.loads; v != 0; v &= v - 1 {
		p := lowest(v)
		r.register[p] = r.sent[p]
	}
	r.commit()
}
