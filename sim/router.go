// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/bits"

	"github.com/hcgen/hcgen/plan"
)

// router is the state of a router but for its neighbour clock, and what it decides in a
// cycle. evaluate reads registers of this router alone, and those that only it reads, of
// arbiters and of copies made, it changes at once; commit is the clock edge of the others. The message
// of a link output register is kept where it is read: in the queue of the link input at the
// other end, behind its slots.
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
	enters    uint32 // link outputs that take the message of their group
	continues uint32 // link outputs that take a message that continues
	transfers uint32 // link outputs that take one that transfers
	delivers  uint32 // link inputs whose delivery is made
	done      uint32 // requesters all of whose copies are made

	head places // by requester: of the oldest message of its queue
	tail places // by link output: of what it brings next in the queue at its other end

	deliverTurn tree                      // of the delivery arbiter, if there is one
	group       [maxDegree]group          // by dimension - 1
	more        [1 << maxPlaceBits]uint32 // by place: link inputs whose message there has to continue
	count       [maxDegree]uint8          // by link input: messages in its slots, if there are more than one
	ringTurn    [maxDegree]turn           // by port: of its arbiter
	transferrer [maxDegree]uint8          // by port: the requester whose message transfers
	handed      []Message                 // by delivery register: its message
}

// group is the state of the group of a dimension besides the ports that have taken its
// message.
type group struct {
	turn   tree   // of its arbiter
	made   uint32 // requesters whose copy for the group has been made
	who    uint8  // the requester selected
	single bool   // its message is not for all nodes of the ring
	weight uint32 // of it on entering, if it is not
}

// maxPlaceBits bounds the places of a queue.
const maxPlaceBits = 5

// places are numbers of places of queues, one for each bit of the masks that are their bits,
// the lowest first: so many of them advance in a few operations. All bits count; only the lowest
// matter in a queue with fewer places.
type places [maxPlaceBits]uint32

// advance counts those of a mask up. Most queues have four places.
func (c *places) advance(those uint32, bits uint8) {
	c[0], those = c[0]^those, c[0]&those
	c[1], those = c[1]^those, c[1]&those
	for i := 2; i < int(bits) && i < maxPlaceBits; i++ {
		c[i], those = c[i]^those, c[i]&those
	}
}

// at returns one of them.
func (c *places) at(who int, bits uint8) uint32 {
	place := c[0]>>(who&31)&1 | c[1]>>(who&31)&1<<1
	if bits > 2 {
		place |= c.high(who, bits)
	}
	return place
}

// high returns the bits of one of them but for the lowest two.
func (c *places) high(who int, bits uint8) (place uint32) {
	for i := 2; i < int(bits) && i < maxPlaceBits; i++ {
		place |= c[i] >> (who & 31) & 1 << i
	}
	return place
}

// messages is the number of messages kept for a router.
func (s *shape) messages() int { return (s.degree+1)<<s.placeBits + s.plan.Deliveries }

// init sets the state after reset. memory is of shape.messages.
func (r *router) init(s *shape, node int, memory []Message) {
	slots := (s.degree + 1) << s.placeBits
	*r = router{shape: s, slots: memory[:slots], handed: memory[slots:], linkReady: 1<<s.degree - 1}
	r.slots[0].Source = uint32(node)
}

// message returns the message of a requester, which must have one.
func (r *router) message(who int) *Message {
	bits := r.shape.placeBits
	return &r.slots[who<<(bits&7)|int(r.head.at(who, bits))]
}

// slotted is the number of messages in the slots of link input p.
func (r *router) slotted(p int) int {
	if r.shape.slots == 1 {
		return int(r.queued >> p & 1)
	}
	return int(r.count[p])
}

// held is the number of messages in all registers and slots.
func (r *router) held() int {
	n := bits.OnesCount32(r.valid) + bits.OnesCount32(r.local)
	for p := range r.shape.degree {
		n += r.slotted(p)
	}
	return n
}

// asks are what a router is asked for in a cycle and what it has granted so far.
type asks struct {
	asking    uint32 // requesters with a message that may ask
	bad       uint32 // those of them whose message is malformed
	going     uint32 // link inputs that ask for their continuation
	enterable uint32 // ports that take a message that enters
	passes    uint32 // link inputs whose continuation is made
	waiting   uint32 // requesters with a copy for a group still to be made

	wants   [maxDegree]uint32 // with destinations, by dimension: requesters whose message enters it
	deliver uint32            // with destinations: link inputs whose message is for this node
}

// evaluate decides everything that happens in the cycle. offers is 1 if the local input
// has a message and may ask, else 0.
func (r *router) evaluate(offers uint32) {
	s := r.shape
	r.comes, r.leaves = r.linkValid&^r.full, r.valid&r.linkReady
	r.enters, r.continues, r.transfers, r.delivers, r.done = 0, 0, 0, 0, 0
	present := r.queued | r.linkValid&s.wayPast
	if present|offers == 0 {
		return
	}
	a := asks{
		asking: present<<1 | offers,
		bad:    (r.malformed &^ r.queued & present) << 1,
		going:  present & r.toContinue() &^ r.continued,
	}
	// Messages move on along their rings, and the bubble rule keeps out those that enter.
	free, onward := ^r.valid|r.linkReady, s.across(a.going&s.ring)
	a.enterable = free &^ onward
	r.continues = onward & free
	if a.bad != 0 {
		r.continues &^= s.across(a.bad >> 1 & s.ring)
	}
	a.passes = s.across(r.continues)
	undelivered := present &^ r.delivered
	if s.address != nil {
		r.spread(&a)
		undelivered &= a.deliver
	}
	for j := range s.groups {
		g := &s.groups[j]
		asking := a.asking & g.requesters &^ r.group[j&(maxDegree-1)].made
		if s.address != nil {
			asking &= a.wants[g.index&(maxDegree-1)]
		}
		if asking|a.going&g.transfers != 0 {
			r.enterDimension(&a, g, &r.group[j&(maxDegree-1)], asking)
		}
	}
	r.deliver(&a, undelivered)
	r.done = a.asking &^ (a.waiting | a.bad | (a.going&^a.passes|undelivered&^r.delivers)<<1)
	r.copied(&a)
}

// toContinue returns the link inputs whose message, if there is one, has to continue.
func (r *router) toContinue() uint32 {
	h0, h1 := r.head[0]>>1, r.head[1]>>1
	if r.shape.placeBits == 2 {
		return (r.more[0]&^h0|r.more[1]&h0)&^h1 | (r.more[2]&^h0|r.more[3]&h0)&h1
	}
	var more uint32
	for v := r.queued | r.linkValid; v != 0; v &= v - 1 {
		p := lowest(v)
		more |= r.more[r.head.at(p+1, r.shape.placeBits)&(1<<maxPlaceBits-1)] & (1 << p)
	}
	return more
}

// spread finds which requesters' messages enter which dimension, and which are for this node.
func (r *router) spread(a *asks) {
	address := r.shape.address
	for v := a.asking; v != 0; v &= v - 1 {
		who := bits.TrailingZeros32(v)
		m := r.message(who)
		from := len(address.dims) + 1
		if who > 0 {
			if m.WC > 1 && !m.Spread {
				continue
			}
			from = int(r.shape.ports[who-1].wd)
		}
		targets := address.targets(m.Route, from)
		a.deliver |= targets & 1 << who >> 1
		for t := targets >> 1; t != 0; t &= t - 1 {
			a.wants[bits.TrailingZeros32(t)+1] |= 1 << who
		}
	}
}

// enterDimension lets the group of a dimension select one of those that ask, offers its message to the
// ports, and lets messages transfer from shorter links.
func (r *router) enterDimension(a *asks, g *groupShape, state *group, asking uint32) {
	var granted, pending uint32
	entered := g.entered // the ports that the message enters
	if asking != 0 {
		state.who = state.turn.pick(asking)
		if address := r.shape.address; address != nil {
			ports, weight, everybody := address.enter(r.message(int(state.who)).Route, g.index)
			entered, state.weight, state.single = ports, weight, !everybody
		}
		pending = entered &^ r.carried
		granted = pending &^ r.shape.arbitrated & a.enterable &^ all(a.bad>>(state.who&31)&1 != 0)
	}
	for v := g.arbitrated; v != 0; v &= v - 1 {
		granted |= r.enterRing(a, lowest(v), state.who, pending)
	}
	if asking == 0 {
		return
	}
	r.enters |= granted
	carried := r.carried | granted
	completed := carried&entered == entered
	made := 1 << (state.who & 31) & all(completed)
	r.carried = carried &^ (g.entered & all(completed))
	state.turn = state.turn.after(state.who, completed)
	state.made |= made
	a.waiting |= asking &^ made
}

// enterRing lets the arbiter of a ring port select who enters: the group with the message of a
// requester, if it offers that to the port, or a message that transfers from a shorter link. It returns
// the port if it takes the message of the group.
func (r *router) enterRing(a *asks, p int, who uint8, pending uint32) (granted uint32) {
	ps := &r.shape.ports[p]
	asking := (a.going&ps.transfers)>>ps.transferBase<<1 | pending>>p&1
	if asking == 0 {
		return 0
	}
	sel := r.ringTurn[p].pick(asking)
	if sel > 0 {
		who = ps.transferBase + sel // the requester that is the input of distance sel
	}
	enters := a.enterable>>p&1 != 0 && a.bad>>who&1 == 0
	r.ringTurn[p] = after(sel, enters)
	if enters && sel == 0 {
		return 1 << p
	}
	if enters {
		r.transferrer[p] = who
		r.transfers |= 1 << p
		a.passes |= 1 << (who - 1)
	}
	return 0
}

// deliver decides which of the link inputs that ask for delivery get it.
func (r *router) deliver(a *asks, asking uint32) {
	free := ^r.local | r.popLocal
	if r.shape.perPort {
		r.delivers = asking & free &^ (a.bad >> 1)
		return
	}
	if asking == 0 {
		return
	}
	who := r.deliverTurn.pick(asking << 1)
	made := 1 << (who & 31) & all(free&1 != 0) &^ a.bad
	r.deliverTurn = r.deliverTurn.after(who, made != 0)
	r.delivers = made >> 1
}

// copied remembers the copies made of messages that are not done.
func (r *router) copied(a *asks) {
	links := r.done >> 1
	r.continued = (r.continued | a.passes) &^ links
	r.delivered = (r.delivered | r.delivers) &^ links
	for j := range r.shape.groups {
		r.group[j].made &^= r.done
	}
}

// loads returns the link outputs that take a message.
func (r *router) loads() uint32 { return r.enters | r.continues | r.transfers }

// load puts the message that link output p takes into a place, to no effect if it takes none.
func (r *router) load(p int, m *Message) {
	ps := &r.shape.ports[p&(maxDegree-1)]
	who := r.group[(ps.wd-1)&(maxDegree-1)].who
	if r.continues>>(p&31)&1 != 0 {
		who = ps.continueFrom + 1
	}
	if r.transfers>>(p&31)&1 != 0 {
		who = r.transferrer[p&(maxDegree-1)]
	}
	from, enters := r.message(int(who)), all(r.enters>>(p&31)&1 != 0)
	m.Source, m.Seq, m.Last = from.Source, from.Seq, from.Last
	m.WC, m.WD = ps.first&enters|(from.WC-1)&^enters, ps.wd
	if r.shape.address != nil {
		r.address(p, m, from)
	}
}

// address writes what the message that link output p takes says of its destination.
func (r *router) address(p int, m, from *Message) {
	m.Route = from.Route & r.shape.address.dims[m.WD-1].below
	m.Spread = from.Spread
	if r.enters>>p&1 != 0 {
		g := &r.group[m.WD-1]
		if m.Spread = !g.single; g.single {
			m.WC = g.weight
		}
	}
}

// commit is the clock edge of all registers but the messages of link outputs. It returns
// the link inputs whose ready changes.
func (r *router) commit() (turned uint32) {
	s := r.shape
	loads := r.loads()
	r.valid = r.valid&^r.leaves | loads
	r.tail.advance(loads, s.placeBits)
	if s.perPort {
		for v := r.delivers; v != 0; v &= v - 1 {
			p := lowest(v)
			r.handed[p] = *r.message(p + 1)
		}
		r.local = r.local&^r.popLocal | r.delivers
	} else {
		if r.delivers != 0 {
			r.handed[0] = *r.message(lowest(r.delivers) + 1)
		}
		r.local = r.local&^r.popLocal | all(r.delivers != 0)&1
	}

	comes, links, full := r.comes&^r.malformed, r.done>>1, r.full
	r.head.advance(links<<1, s.placeBits)
	if s.slots == 1 {
		r.queued = (r.queued | comes) &^ links
		r.full = r.queued
		return full ^ r.full
	}
	for v := comes ^ links; v != 0; v &= v - 1 {
		p := lowest(v)
		bit := uint32(1) << p
		r.count[p] += uint8(comes>>p&1) - uint8(links>>p&1)
		r.queued = r.queued&^bit | bit&all(r.count[p] != 0)
		r.full = r.full&^bit | bit&all(r.count[p] == s.slots)
	}
	return full ^ r.full
}

// place returns a place of the queue of link input p.
func (r *router) place(p int, at uint32) *Message {
	return &r.slots[(p+1)<<(r.shape.placeBits&7)|int(at)]
}

// arrived notes of a message in a place of link input p whether it has to continue.
func (r *router) arrived(p int, at uint32, m *Message) {
	more, bit := &r.more[at&(1<<maxPlaceBits-1)], uint32(1)<<(p&31)
	*more = *more&^bit | bit&r.shape.continues&all(m.WC > 1)
}

// Inputs are the wires into a router in one cycle. Bit p of a mask belongs to
// port p.
type Inputs struct {
	LinkValid  uint32             // s_axis_link_tvalid
	Link       [maxDegree]Message // s_axis_link_tdata, read where LinkValid is set
	LinkReady  uint32             // m_axis_link_tready
	LocalValid bool               // s_axis_local_tvalid
	LocalSeq   uint32             // names the payload on s_axis_local_tdata
	LocalDest  uint64             // s_axis_local_tdest
	LocalLast  bool               // s_axis_local_tlast
	LocalReady uint32             // m_axis_local_tready, by delivery register: bit 0 alone if there is one
	LinkPace   uint64             // link_pace: 2 bits for each port, port 0 lowest

	BarrierArrive   bool   // barrier_arrive
	LinkBarrierPace uint64 // link_barrier_pace, as LinkPace
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
	DestError   bool               // destination_error
	Pace        uint8              // pace

	BarrierRelease bool  // barrier_release
	BarrierPace    uint8 // barrier_pace
}

// Router is one router on its own, stepped cycle by cycle: Evaluate, then Step.
type Router struct {
	router
	clock    clock
	barrier  barrier
	next     router // after the cycle evaluated
	dropped  uint32 // header_error
	illegal  bool   // destination_error
	node     int
	register [maxDegree]Message // of the link outputs
	in       struct {           // of the cycle evaluated
		linkPace    uint64
		barrierPace uint64
		arrive      bool
		offered     bool
		cost        uint8 // of the message offered
		illegal     bool  // the local input has a message with an illegal destination
	}
}

// NewRouter returns the router of the given node (its address fills the source
// field of messages injected there) as it is after reset.
func NewRouter(p *plan.Plan, node int) *Router {
	s := newShape(p)
	r := &Router{clock: resetClock(s.unit), node: node}
	r.init(s, node, make([]Message, s.messages()))
	return r
}

// Evaluate computes all outputs of a cycle from the state and the inputs, and
// remembers what the clock edge will do. It may be called more than once in a
// cycle; the last call counts.
func (r *Router) Evaluate(in *Inputs, out *Outputs) {
	r.next.evaluate(r.drive(in))
	r.show(out)
}

// drive puts the wires into the router on its inputs. It returns 1 if the local input has a
// message and may ask, else 0.
func (r *Router) drive(in *Inputs) (offers uint32) {
	s := r.shape
	r.linkValid, r.linkReady, r.popLocal = in.LinkValid, in.LinkReady, in.LocalReady&r.local
	r.in.linkPace, r.in.barrierPace, r.in.arrive = in.LinkPace, in.LinkBarrierPace, in.BarrierArrive
	r.malformed = 0
	for v := in.LinkValid; v != 0; v &= v - 1 {
		p := lowest(v)
		m := &in.Link[p]
		at := (r.head.at(p+1, s.placeBits) + uint32(r.slotted(p))) & (1<<s.placeBits - 1)
		*r.place(p, at) = *m
		r.arrived(p, at, m)
		if ps := &s.ports[p]; m.WD != ps.wd || m.WC == 0 || m.WC > ps.d || s.address != nil && s.address.malformed(m.Route, int(ps.wd)) {
			r.malformed |= 1 << p
		}
	}
	local, cost, legal := &r.slots[0], s.unit, true
	local.Seq, local.Last = in.LocalSeq, in.LocalLast
	if s.address != nil {
		var unicast bool
		if local.Route, unicast, legal = s.address.route(r.node, in.LocalDest); unicast {
			cost = plan.UnicastCost
		}
	}
	r.in.cost, r.in.illegal = cost, in.LocalValid && !legal
	r.in.offered = in.LocalValid && legal
	r.next = r.router
	return all(r.in.offered && r.clock.open(cost)) & 1
}

// show reads the wires out of the router.
func (r *Router) show(out *Outputs) {
	out.LinkReady = (1<<r.shape.degree - 1) &^ r.full
	out.LocalReady = r.next.done&1 != 0 || r.in.illegal
	out.LinkValid, out.LocalValid = r.valid, r.local
	out.HeaderError, out.DestError, out.Pace = r.dropped, r.illegal, r.clock.pace
	out.BarrierRelease, out.BarrierPace = r.barrier.release, r.barrier.pace
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
	r.router = r.next
	if m := r.shape.plan.Machine; m.Barrier {
		r.barrier.step(r.in.barrierPace, r.shape.degree, m.Graph.Diameter(), r.in.arrive)
	}
	cost := uint8(0)
	if r.done&1 != 0 {
		cost = r.in.cost
	}
	r.clock.step(r.in.linkPace, r.shape.degree, r.in.offered, cost)
	r.dropped, r.illegal = r.comes&r.malformed, r.in.illegal
	for v := r.loads(); v != 0; v &= v - 1 {
		p := lowest(v)
		r.load(p, &r.register[p])
	}
	r.commit()
}
