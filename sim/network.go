// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"slices"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// Network is a network of N routers with its traffic, cycle by cycle. A router without a message in a register, on a
// link or on offer is idle: only its clock and its barrier can change.
type Network struct {
	*rules
	payload Payload
	cycle   int

	routers  []*Router
	clocks   []clock   // of the routers
	barriers []barrier // of the routers
	neighbor []int32   // [node*degree + port]
	busy     []bool    // by node: it holds a message or has one on a link
	every    bool      // no router counts as idle
	in       Inputs    // of the router that is evaluated

	offers   offers
	arrivals *arrivals // nil: the machine has no barrier
	count    counts
	underWay underWay

	received  func(node, port int32)               // if set: called at every handshake of a link input
	handed    func(node, stream int32, m *Message) // if set: called at every delivery handshake
	evaluated []int32                              // nodes that are not idle in this cycle, in order
}

// NewNetwork returns the network of the plan after reset, before cycle 0,
// with the given traffic. Its field Cycles is not used.
func NewNetwork(p *plan.Plan, t machine.Traffic) *Network {
	return newNetwork(p, t, nil)
}

// newNetwork returns a network in which only the listed nodes inject at random; nil means all.
func newNetwork(p *plan.Plan, t machine.Traffic, sources []int) *Network {
	n := &Network{
		rules:    newRules(p),
		routers:  make([]*Router, p.Nodes),
		clocks:   make([]clock, p.Nodes),
		barriers: make([]barrier, p.Nodes),
		neighbor: make([]int32, p.Nodes*p.Degree),
		busy:     make([]bool, p.Nodes),
		offers:   newOffers(p, t, sources),
		count:    newCounts(p.Nodes),
		underWay: newUnderWay(p.Nodes, p.Degree),
	}
	var seed int64
	if t.Random != nil {
		seed = t.Random.Seed
	}
	if p.Machine.Barrier {
		n.arrivals = newArrivals(p.Nodes, trafficSeed(t.Name, seed))
	}
	n.payload = NewPayload(t.Name, seed, p.PayloadBits)
	for v := range n.routers {
		n.routers[v] = newRouter(n.rules, v, &n.clocks[v], &n.barriers[v])
		for q := range p.Degree {
			n.neighbor[v*p.Degree+q] = int32(p.Machine.Graph.Neighbor(v, q))
		}
	}
	return n
}

// Cycle is the number of completed cycles, which is the index of the next one.
func (n *Network) Cycle() int { return n.cycle }

// Step runs one cycle.
func (n *Network) Step() {
	n.evaluate()
	n.commit()
}

// evaluate computes all wires of the cycle. Until commit the wires can be read.
func (n *Network) evaluate() {
	n.offers.begin(n.cycle)
	if n.arrivals != nil {
		n.arrivals.begin(n.cycle)
	}
	n.evaluated = n.evaluated[:0]
	for v, r := range n.routers {
		n.paces(v, &n.in)
		if n.idle(v) && !n.every {
			n.clocks[v].decide(n.rules, seen{}, n.in.LinkPace)
			n.barriers[v].decide(n.rules, n.in.BarrierArrive, n.in.LinkBarrierPace)
			continue
		}
		n.offered(v, &n.in)
		n.links(v, &n.in)
		r.evaluate(&n.in)
		n.evaluated = append(n.evaluated, int32(v))
		if r.offer.illegal {
			panic(fmt.Sprintf("sim: node %d offers a message to %v, which is for nobody", v, n.offers.message(int32(v)).to))
		}
		for p := range r.outputs {
			if n.received != nil && r.inputs[linkInput(p)].arrives {
				n.received(int32(v), int32(p))
			}
		}
	}
}

// idle reports whether a router has no message in a register, on a link or on offer.
func (n *Network) idle(v int) bool { return !n.busy[v] && !n.offers.on[v] }

// wires sets all inputs of the router of a node and returns all its outputs, in a cycle that has been evaluated.
func (n *Network) wires(v int, in *Inputs, out *Outputs) {
	n.paces(v, in)
	n.offered(v, in)
	n.links(v, in)
	n.routers[v].show(out)
}

// links sets the wires of the links of a node and of its receivers.
func (n *Network) links(v int, in *Inputs) {
	in.LinkValid, in.LinkReady, in.LocalReady = 0, 0, 0
	for p, u := range n.neighbors(v) {
		opposite := n.plan.Ports[p].Opposite
		if o := &n.routers[u].outputs[opposite]; o.valid {
			in.LinkValid |= 1 << p
			in.Link[p] = o.message
		}
		if n.routers[u].inputs[linkInput(opposite)].ready() {
			in.LinkReady |= 1 << p
		}
	}
	for d := range n.routers[v].deliveries {
		if n.routers[v].deliveries[d].valid {
			in.LocalReady |= n.offers.sinkReady(int32(v), d, n.cycle) << d
		}
	}
}

// paces sets the wires of the clock and of the barrier of a node.
func (n *Network) paces(v int, in *Inputs) {
	in.LinkPace, in.LinkBarrierPace = 0, 0
	for p, u := range n.neighbors(v) {
		in.LinkPace |= uint64(n.clocks[u].pace) << (plan.PaceBits * p)
	}
	if n.arrivals == nil {
		return
	}
	for p, u := range n.neighbors(v) {
		in.LinkBarrierPace |= uint64(n.barriers[u].pace) << (plan.PaceBits * p)
	}
	in.BarrierArrive = n.arrivals.arrived[v]
}

// offered sets the wires of the local input of a node.
func (n *Network) offered(v int, in *Inputs) {
	in.LocalValid = n.offers.on[v]
	in.LocalSeq = n.count.injections[v]
	if !in.LocalValid || !n.addressed() && n.plan.LastBits == 0 {
		return
	}
	o := n.offers.message(int32(v))
	in.LocalLast = o.last
	if n.addressed() {
		in.LocalDest = n.tdest(o.to)
	}
}

// neighbors are the nodes at the other ends of the links of a node, by port.
func (n *Network) neighbors(v int) []int32 { return n.neighbor[v*n.plan.Degree:][:n.plan.Degree] }

// commit is the clock edge.
func (n *Network) commit() {
	for _, v := range n.evaluated {
		n.followNode(int(v), n.routers[v])
		n.countNode(v, n.routers[v])
	}
	for v := range n.routers {
		if n.barriers[v].release {
			n.arrivals.arrived[v] = false
		}
		n.clocks[v].step(n.rules)
		n.barriers[v].step(n.rules)
	}
	for _, v := range n.evaluated {
		n.routers[v].stepMessages()
		n.busy[v] = false
	}
	for _, v := range n.evaluated {
		n.keepBusy(int(v), n.routers[v])
	}
	n.cycle++
}

// keepBusy marks the nodes that are not idle because a router holds messages.
func (n *Network) keepBusy(v int, r *Router) {
	n.busy[v] = n.busy[v] || r.held() > 0
	for p, u := range n.neighbors(v) {
		n.busy[u] = n.busy[u] || r.outputs[p].valid
	}
}

// countNode counts the handshakes of the local streams of a node.
func (n *Network) countNode(v int32, r *Router) {
	for d := range r.deliveries {
		if !r.deliveries[d].leaves {
			continue
		}
		m := &r.deliveries[d].message
		n.count.deliver(n.cycle - n.offers.start(int32(m.Source), m.Seq))
		if n.handed != nil {
			n.handed(v, int32(d), m)
		}
	}
	if r.inputs[local].done {
		n.count.inject(v, n.cycle-n.offers.start(v, n.count.injections[v]))
		n.offers.taken(v)
	}
}

// drained reports whether no router holds a message and none is on offer or due.
func (n *Network) drained() bool { return !slices.Contains(n.busy, true) && n.offers.exhausted() }

// IgnoreMarks lets the clocks tick while they are held, to show the effect of the marks.
func (n *Network) IgnoreMarks() { n.ignoreMarks = true }

// Summary returns the figures of the completed cycles.
func (n *Network) Summary() Summary {
	return n.count.summary(n)
}
