// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math/bits"

	"github.com/hcgen/hcgen/gen/plan"
	"github.com/hcgen/hcgen/machine"
)

// set is a set of nodes.
type set []uint64

func (s set) add(n int32)      { s[n>>6] |= 1 << (n & 63) }
func (s set) has(n int32) bool { return s[n>>6]>>(n&63)&1 != 0 }

// each visits the members in order and removes those for which visit is false.
func (s set) each(visit func(n int32) bool) {
	for w := range s {
		for word := s[w]; word != 0; word &= word - 1 {
			b := bits.TrailingZeros64(word)
			if !visit(int32(w<<6 + b)) {
				s[w] &^= 1 << b
			}
		}
	}
}

// Network is a network of N routers with its traffic, cycle by cycle. Routers
// without anything to do cost nothing: only nodes with a valid link input, link
// output or local output, a message that waits or one on offer are evaluated. The others are
// idle and have nothing that could be stuck, so that their gates can be advanced
// over many cycles at once when they are looked at again.
type Network struct {
	plan    *plan.Plan
	shape   *shape
	payload Payload
	cycle   int

	routers  []Router
	neighbor []int32   // [node*degree + port]
	behind   []Message // [node*degree + port]: the second slots of the queues of link inputs, if there are any
	active   set       // superset of the nodes that must be evaluated

	offers offers
	count  counts

	received  func(node, port int32, m *Message)   // if set: called at every handshake of a link input
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
	words := (p.Nodes + 63) / 64
	n := &Network{
		plan:     p,
		shape:    s,
		routers:  make([]Router, p.Nodes),
		neighbor: make([]int32, p.Nodes*p.Degree),
		active:   make(set, words),
		offers:   newOffers(p, t, sources),
		count:    newCounts(p.Nodes),
	}
	var seed int64
	if t.Random != nil {
		seed = t.Random.Seed
	}
	n.payload = NewPayload(t.Name, seed, p.PayloadBits)
	if s.queued {
		n.behind = make([]Message, p.Nodes*p.Degree)
	}
	slots := make([]Message, s.slots*p.Nodes)
	from := make([]Message, (p.Degree+1)*p.Nodes)
	for v := range n.routers {
		r := &n.routers[v]
		r.init(s, v, slots[v*s.slots:(v+1)*s.slots])
		r.from = from[v*(p.Degree+1) : (v+1)*(p.Degree+1)]
		for q := 0; q < p.Degree; q++ {
			n.neighbor[v*p.Degree+q] = int32(p.Machine.Graph.Neighbor(v, q))
		}
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

// evaluate computes all wires of the cycle. Until commit the wires can be read:
// link output p of node v is valid if bit p of routers[v].valid is set, and
// ready if bit p of routers[v].pop is.
func (n *Network) evaluate() {
	n.offers.begin(n.cycle, n.active)
	n.evaluated = n.evaluated[:0]
	degree := n.shape.degree
	n.active.each(func(v int32) bool {
		r := &n.routers[v]
		offered := n.offers.on.has(v)
		if r.arriving.valid|r.valid|r.waitsIn|r.local == 0 && !offered {
			return false
		}
		if idle := n.cycle - r.gateAt; idle > 0 {
			r.gate.skip(&n.plan.Gate, idle)
		}
		r.evaluate(r.arriving, r.from, offered, n.count.injections[v])
		r.popLocal = 0
		for i := r.local; i != 0; i &= i - 1 {
			q := lowest(i)
			r.popLocal |= n.offers.sinkReady(v, q, n.cycle) << q
		}
		if n.shape.queued {
			n.send(v)
			n.evaluated = append(n.evaluated, v)
			return true
		}
		for i := r.ready; i != 0; i &= i - 1 {
			p := lowest(i)
			n.routers[n.neighbor[int(v)*degree+p]].pop |= 1 << n.shape.opposite[p]
			if n.received != nil {
				n.received(v, int32(p), &r.from[p+1])
			}
		}
		n.evaluated = append(n.evaluated, v)
		return true
	})
}

// send lets the link outputs of node v move that end in a queue with a free slot.
func (n *Network) send(v int32) {
	r := &n.routers[v]
	for i := r.valid; i != 0; i &= i - 1 {
		p := lowest(i)
		to, q := n.neighbor[int(v)*n.shape.degree+p], n.shape.opposite[p]
		if n.routers[to].arriving.full>>q&1 != 0 {
			continue
		}
		r.pop |= 1 << p
		if n.received != nil {
			n.received(to, int32(q), r.front(p))
		}
	}
}

// second returns the second slots of the queues of the link inputs of a node.
func (n *Network) second(v int32) []Message {
	degree := n.shape.degree
	return n.behind[int(v)*degree:][:degree]
}

// moveInputs is the clock edge of all queues of link inputs.
func (n *Network) moveInputs() {
	for _, v := range n.evaluated {
		r := &n.routers[v]
		r.arriving.leave(n.shape, r.from, n.second(v), r.ready)
	}
	for _, v := range n.evaluated {
		r := &n.routers[v]
		for i := r.pop; i != 0; i &= i - 1 {
			p := lowest(i)
			to := n.neighbor[int(v)*n.shape.degree+p]
			next := &n.routers[to]
			next.arriving.join(n.shape, next.from, n.second(to), int(n.shape.opposite[p]), r.front(p))
			n.active.add(to)
		}
	}
}

// commit is the clock edge.
func (n *Network) commit() {
	degree := n.shape.degree
	if n.shape.queued {
		n.moveInputs()
	}
	// whose message was taken had a valid output, so it has been evaluated
	for _, v := range n.evaluated {
		r := &n.routers[v]
		for i := r.popLocal; i != 0; i &= i - 1 {
			q := lowest(i)
			m := r.frontLocal(q)
			n.count.deliver(n.cycle - n.offers.start(int32(m.Source), m.Seq))
			if n.handed != nil {
				n.handed(v, int32(q), m)
			}
		}
		if r.localReady {
			n.count.inject(v, n.cycle-n.offers.start(v, n.count.injections[v]))
			n.offers.taken(v)
		}
		if r.next.headerError != 0 {
			n.count.dropped += bits.OnesCount32(r.next.headerError)
		}
		r.stepControl()
		r.gateAt = n.cycle + 1
		changed := r.moveLinks()
		for i := changed; i != 0; i &= i - 1 {
			p := lowest(i)
			m := r.show(p)
			if n.shape.queued {
				continue
			}
			// The message may be the same as before. Copying it takes less time than
			// finding that out.
			to, q := n.neighbor[int(v)*degree+p], int(n.shape.opposite[p])
			next := &n.routers[to]
			next.from[q+1] = *m
			next.arriving.set(n.shape, q, m, r.valid>>p&1)
			n.active.add(to)
		}
	}
	n.cycle++
}

// Summary returns the figures of the cycles done so far.
func (n *Network) Summary() Summary {
	return n.count.summary(n)
}
