// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math/bits"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// set is a set of nodes.
type set []uint64

func (s set) add(n int32)      { s[n>>6] |= 1 << (n & 63) }
func (s set) remove(n int32)   { s[n>>6] &^= 1 << (n & 63) }
func (s set) has(n int32) bool { return s.bit(n) != 0 }

// bit is 1 if a node is in the set, else 0.
func (s set) bit(n int32) uint32 { return uint32(s[n>>6] >> (n & 63) & 1) }

// Network is a network of N routers with its traffic, cycle by cycle. Only routers with a
// message in a register, in a slot, on a link or on offer are evaluated; the clocks of all advance
// in every cycle.
type Network struct {
	plan    *plan.Plan
	shape   *shape
	payload Payload
	cycle   int

	routers  []router
	clocks   clocks
	neighbor []int32 // [node*degree + port]
	active   set     // superset of the nodes that must be evaluated

	prepared []uint32 // with destinations or tlast, by node: messages that the local input has had on offer

	barriers *barriers // nil: there are none

	offers offers
	count  counts

	received  func(node, port int32)               // if set: called at every handshake of a link input
	handed    func(node, stream int32, m *Message) // if set: called at every delivery handshake
	evaluated []int32                              // nodes evaluated in this cycle, in order
}

// NewNetwork returns the network of the plan after reset, in front of cycle 0,
// with the given traffic. Its field Cycles is not used.
func NewNetwork(p *plan.Plan, t machine.Traffic) *Network {
	return newNetwork(p, t, nil)
}

// newNetwork lets only the listed nodes inject at random; nil means all.
func newNetwork(p *plan.Plan, t machine.Traffic, sources []int) *Network {
	s := newShape(p)
	n := &Network{
		plan:     p,
		shape:    s,
		routers:  make([]router, p.Nodes),
		neighbor: make([]int32, p.Nodes*p.Degree),
		active:   make(set, (p.Nodes+63)/64),
		offers:   newOffers(p, t, sources),
		count:    newCounts(p.Nodes),
	}
	var seed int64
	if t.Random != nil {
		seed = t.Random.Seed
	}
	if p.Machine.Barrier {
		n.barriers = newBarriers(p, n.neighbor, trafficSeed(t.Name, seed))
	}
	n.payload = NewPayload(t.Name, seed, p.PayloadBits)
	size := s.messages()
	memory := make([]Message, size*p.Nodes)
	for v := range n.routers {
		n.routers[v].init(s, v, memory[v*size:(v+1)*size:(v+1)*size])
		for q := range p.Degree {
			n.neighbor[v*p.Degree+q] = int32(p.Machine.Graph.Neighbor(v, q))
		}
	}
	n.clocks = newClocks(p.Nodes, p.Degree, n.neighbor)
	if s.address != nil {
		n.clocks.parts = newParts(p.Nodes)
	}
	if s.address != nil || p.LastBits > 0 {
		n.prepared = make([]uint32, p.Nodes)
	}
	return n
}

// Cycle is the number of cycles done, which is the index of the next one.
func (n *Network) Cycle() int { return n.cycle }

// Step runs one cycle.
func (n *Network) Step() {
	n.evaluate()
	n.commit()
}

// evaluate computes all wires of the cycle. Until commit the wires can be read.
func (n *Network) evaluate() {
	n.offers.begin(n.cycle)
	if n.barriers != nil {
		n.barriers.begin(n.cycle)
	}
	n.evaluated = n.evaluated[:0]
	for w := range n.active {
		offered, open := n.offers.on[w], n.clocks.open[w]
		n.active[w] |= offered
		for word := n.active[w]; word != 0; word &= word - 1 {
			b := bits.TrailingZeros64(word)
			v := int32(w<<6 + b)
			r := &n.routers[v]
			offers := uint32(offered >> b & 1)
			if r.linkValid|r.queued|r.valid|r.local|offers == 0 {
				n.active[w] &^= 1 << b
				continue
			}
			if offers != 0 && n.prepared != nil {
				n.prepare(v, r)
			}
			if t := n.clocks.parts; t == nil {
				offers &= uint32(open >> b)
			} else {
				offers &= all(t.free || t.rest[v] >= t.cost[v])
			}
			n.evaluateNode(v, r, offers)
			n.evaluated = append(n.evaluated, v)
		}
	}
}

// prepare makes the route and the cost of the message that a node has on offer.
func (n *Network) prepare(v int32, r *router) {
	local := &r.slots[0]
	if n.prepared[v] == local.Seq+1 {
		return
	}
	n.prepared[v] = local.Seq + 1
	o := n.offers.message(v)
	local.Last = o.last
	if n.shape.address == nil {
		return
	}
	route, unicast, legal := n.shape.address.route(int(v), n.shape.address.tdest(o.to))
	if !legal {
		panic(fmt.Sprintf("sim: node %d offers a message to %v, which is for nobody", v, o.to))
	}
	local.Route, n.clocks.parts.cost[v] = route, plan.TurnCost
	if unicast {
		n.clocks.parts.cost[v] = plan.UnicastCost
	}
}

// evaluateNode evaluates the router of a node. offers is 1 if its local input may ask.
func (n *Network) evaluateNode(v int32, r *router, offers uint32) {
	r.popLocal = 0
	for i := r.local; i != 0; i &= i - 1 {
		q := lowest(i)
		r.popLocal |= n.offers.sinkReady(v, q, n.cycle) << q
	}
	r.evaluate(offers)
	if r.done&1 != 0 {
		n.clocks.injected.add(v)
	}
	if n.received != nil {
		for i := r.comes; i != 0; i &= i - 1 {
			n.received(v, int32(lowest(i)))
		}
	}
}

// output returns the message in link output register p of a node, which must hold one.
func (n *Network) output(v, p int) *Message {
	bits := n.shape.placeBits
	at := (n.routers[v].tail.at(p, bits) - 1) & (1<<bits - 1)
	to := &n.routers[n.neighbor[v*n.shape.degree+p]]
	return to.place(int(n.shape.opposite[p]), at)
}

// onLink returns the message on link input p of a node, which must have one.
func (n *Network) onLink(v, p int) *Message {
	return n.output(int(n.neighbor[v*n.shape.degree+p]), int(n.shape.opposite[p]))
}

// commit is the clock edge.
func (n *Network) commit() {
	n.clocks.step(n.offers.on)
	if n.barriers != nil {
		n.barriers.commit()
	}
	for _, v := range n.evaluated {
		r := &n.routers[v]
		n.countNode(v, r)
		n.commitNode(v, r)
	}
	n.cycle++
}

// countNode counts the handshakes of the local streams of a node.
func (n *Network) countNode(v int32, r *router) {
	for i := r.popLocal; i != 0; i &= i - 1 {
		q := lowest(i)
		m := &r.handed[q]
		n.count.deliver(n.cycle - n.offers.start(int32(m.Source), m.Seq))
		if n.handed != nil {
			n.handed(v, int32(q), m)
		}
	}
	if r.done&1 != 0 {
		n.count.inject(v, n.cycle-n.offers.start(v, n.count.injections[v]))
		n.offers.taken(v)
	}
}

// commitNode is the clock edge of a router that has been evaluated, with that of the links
// it feeds.
func (n *Network) commitNode(v int32, r *router) {
	s := n.shape
	degree := s.degree
	first := int(v) * degree
	neighbors := n.neighbor[first : first+degree : first+degree]
	sent := r.loads()
	for i := r.leaves | sent; i != 0; i &= i - 1 {
		p := lowest(i)
		q, u := int(s.opposite[p]), neighbors[p]
		to := &n.routers[u]
		to.linkValid = to.linkValid&^(1<<(q&31)) | sent>>(p&31)&1<<(q&31)
		// into a free place, to no effect if nothing is sent
		at := r.tail.at(p, s.placeBits)
		m := to.place(q, at)
		r.load(p, m)
		to.arrived(q, at, m)
		n.active.add(u)
	}
	r.slots[0].Seq += r.done & 1
	for i := r.commit(); i != 0; i &= i - 1 {
		p := lowest(i)
		n.routers[neighbors[p]].linkReady ^= 1 << (s.opposite[p] & 31)
	}
}

// Summary returns the figures of the cycles done so far.
func (n *Network) Summary() Summary {
	return n.count.summary(n)
}
