// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"slices"

	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
)

// Nodes are the nodes of a network: they drive the local ports of its routers.
type Nodes interface {
	Begin(cycle int)             // a cycle begins; before the calls of all other methods
	Offering(v int) bool         // s_axis_local_tvalid of node v
	Offer(v int, in *sim.Inputs) // sets the other signals of s_axis_local of a node that is offering
	Ready(v, delivery int) bool  // m_axis_local_tready of a delivery register
	Arrived(v int) bool          // barrier_arrive
	Taken(v int)                 // the offered message completes its handshake in this cycle
	Released(v int)              // barrier_release in this cycle
}

// Network is a network of N routers with its nodes, cycle by cycle. A router without a message in a register, at a link input
// or on offer is idle: only its clock and its barrier can change.
type Network struct {
	*rules
	nodes Nodes
	cycle int

	routers  []*Router
	clocks   []clock    // of the routers
	barriers []barrier  // of the routers
	neighbor []int32    // [node*degree + port]
	queues   []queue    // likewise: that of the link that leaves the port; nil: a wire
	long     []int      // places in queues of those that are not wires
	busy     []bool     // by node: it holds a message or has one at a link input
	every    bool       // no router counts as idle
	in       sim.Inputs // of the router that is evaluated

	outside []Link // likewise: nil where the plan says what the link is

	pastPaces        past // of the clocks
	pastBarrierPaces past

	// linkPaces, if set, replaces the paces of the neighbours of a node, by port. Tests have links that no plan has.
	linkPaces func(v int, paces []uint8)

	evaluated []int32 // nodes that are not idle in this cycle, in order
}

// NewNetwork returns the network of the plan after reset, before cycle 0.
func NewNetwork(p *plan.Plan, nodes Nodes, o Options) *Network {
	n := &Network{
		rules:    newRules(p, o),
		nodes:    nodes,
		routers:  make([]*Router, p.Nodes),
		clocks:   make([]clock, p.Nodes),
		barriers: make([]barrier, p.Nodes),
		neighbor: make([]int32, p.Nodes*p.Degree),
		queues:   make([]queue, p.Nodes*p.Degree),
		busy:     make([]bool, p.Nodes),
		outside:  make([]Link, p.Nodes*p.Degree),

		pastPaces:        newPast(p.Latency(), p.Nodes),
		pastBarrierPaces: newPast(p.Latency(), p.Nodes),
	}
	for v := range n.routers {
		n.routers[v] = newRouter(n.rules, v, &n.clocks[v], &n.barriers[v])
		for q := range p.Degree {
			n.neighbor[v*p.Degree+q] = int32(p.Machine.Graph.Neighbor(v, q))
			l := newQueue(p.Ports[q].Queue)
			if o.Links != nil {
				if n.outside[v*p.Degree+q] = o.Links.Link(v, q); n.outside[v*p.Degree+q] != nil {
					l = outside{n.outside[v*p.Degree+q]}
				}
			}
			if l != nil {
				n.queues[v*p.Degree+q] = l
				n.long = append(n.long, v*p.Degree+q)
			}
		}
	}
	return n
}

// Plan is the plan of the network.
func (n *Network) Plan() *plan.Plan { return n.plan }

// Cycle is the number of completed cycles, which is the index of the next one.
func (n *Network) Cycle() int { return n.cycle }

// Router is the router of a node.
func (n *Network) Router(v int) *Router { return n.routers[v] }

// Evaluate computes all wires of the cycle. Until Step the wires can be read.
func (n *Network) Evaluate() {
	n.nodes.Begin(n.cycle)
	n.evaluated = n.evaluated[:0]
	for v, r := range n.routers {
		n.paces(v, &n.in)
		if n.Idle(v) && !n.every {
			n.clocks[v].decide(n.rules, seen{}, n.in.LinkPace[:])
			n.barriers[v].decide(n.rules, n.in.BarrierArrive, n.in.LinkBarrierPace[:])
			continue
		}
		n.offered(v, &n.in)
		n.links(v, &n.in)
		r.evaluate(&n.in)
		n.evaluated = append(n.evaluated, int32(v))
		if r.offer.illegal {
			panic(fmt.Sprintf("model: node %d offers a message with the illegal destination %#x", v, n.in.LocalDest))
		}
	}
}

// Evaluated lists the nodes whose routers are not idle in this cycle, in order.
func (n *Network) Evaluated() []int32 { return n.evaluated }

// Idle reports whether a router has no message in a register, at a link input or on offer.
func (n *Network) Idle(v int) bool { return !n.busy[v] && !n.nodes.Offering(v) }

// Empty reports whether no router and no link holds a message.
func (n *Network) Empty() bool { return !slices.Contains(n.busy, true) && n.inQueues() == 0 }

// Held is the number of messages in the registers of all routers and links.
func (n *Network) Held() (messages int) {
	for _, r := range n.routers {
		messages += r.Held()
	}
	return messages + n.inQueues()
}

// inQueues is the number of messages in the registers of all links.
func (n *Network) inQueues() (messages int) {
	for _, at := range n.long {
		messages += n.queues[at].held()
	}
	return messages
}

// Wires sets all inputs of the router of a node and returns all its outputs, in a cycle that has been evaluated.
func (n *Network) Wires(v int, in *sim.Inputs, out *sim.Outputs) {
	n.paces(v, in)
	n.offered(v, in)
	n.links(v, in)
	n.routers[v].show(out)
}

// links sets the wires of the links of a node and of its receivers.
func (n *Network) links(v int, in *sim.Inputs) {
	in.LinkValid, in.LinkReady, in.LocalReady = 0, 0, 0
	for p, u := range n.neighbors(v) {
		if m := n.far(int(u), n.plan.Ports[p].Opposite); m != nil {
			in.LinkValid |= 1 << p
			in.Link[p] = *m
		}
		if n.ready(v, p) {
			in.LinkReady |= 1 << p
		}
	}
	for d := range n.routers[v].deliveries {
		if n.routers[v].deliveries[d].valid && n.nodes.Ready(v, d) {
			in.LocalReady |= 1 << d
		}
	}
}

// far returns the message at the far end of the link that leaves port p of node v, or nil.
func (n *Network) far(v, p int) *sim.Message {
	if q := n.queues[v*n.plan.Degree+p]; q != nil {
		return q.offered()
	}
	if o := &n.routers[v].outputs[p]; o.valid {
		return &o.message
	}
	return nil
}

// ready reports whether the near end of the link that leaves port p of node v is ready.
func (n *Network) ready(v, p int) bool {
	if q := n.queues[v*n.plan.Degree+p]; q != nil {
		return q.ready()
	}
	return n.receiver(v, p).ready()
}

// receiver is the link input to which port p of node v leads.
func (n *Network) receiver(v, p int) *input {
	return &n.routers[n.neighbors(v)[p]].inputs[linkInput(n.plan.Ports[p].Opposite)]
}

// paces sets the wires of the clock and of the barrier of a node. The paces of a neighbour are those of L cycles ago, or what its
// link says.
func (n *Network) paces(v int, in *sim.Inputs) {
	for p, u := range n.neighbors(v) {
		in.LinkPace[p] = n.clocks[u].pace
		if l := n.outside[int(u)*n.plan.Degree+n.plan.Ports[p].Opposite]; l != nil {
			in.LinkPace[p], _ = l.Paces()
		} else if l := n.plan.Ports[p].Queue.Latency; l > 0 {
			in.LinkPace[p] = n.pastPaces[l-1][u]
		}
	}
	if n.linkPaces != nil {
		n.linkPaces(v, in.LinkPace[:n.plan.Degree])
	}
	if !n.plan.Machine.Barrier {
		return
	}
	for p, u := range n.neighbors(v) {
		in.LinkBarrierPace[p] = n.barriers[u].pace
		if l := n.outside[int(u)*n.plan.Degree+n.plan.Ports[p].Opposite]; l != nil {
			_, in.LinkBarrierPace[p] = l.Paces()
		} else if l := n.plan.Ports[p].Queue.Latency; l > 0 {
			in.LinkBarrierPace[p] = n.pastBarrierPaces[l-1][u]
		}
	}
	in.BarrierArrive = n.nodes.Arrived(v)
}

// offered sets the wires of the local input of a node.
func (n *Network) offered(v int, in *sim.Inputs) {
	if in.LocalValid = n.nodes.Offering(v); in.LocalValid {
		n.nodes.Offer(v, in)
	}
}

// neighbors are the nodes at the other ends of the links of a node, by port.
func (n *Network) neighbors(v int) []int32 { return n.neighbor[v*n.plan.Degree:][:n.plan.Degree] }

// Step is the clock edge that ends the cycle evaluated.
func (n *Network) Step() {
	for _, v := range n.evaluated {
		if n.routers[v].Injects() {
			n.nodes.Taken(int(v))
		}
	}
	n.stepQueues()
	n.pastPaces.step(func(v int) uint8 { return n.clocks[v].pace })
	n.pastBarrierPaces.step(func(v int) uint8 { return n.barriers[v].pace })
	for v := range n.routers {
		if n.barriers[v].release {
			n.nodes.Released(v)
		}
		n.clocks[v].step(n.rules)
		n.barriers[v].step(n.rules)
	}
	for _, v := range n.evaluated {
		n.routers[v].stepMessages()
		n.busy[v] = false
	}
	n.keepBusy()
	n.cycle++
}

// stepQueues is the clock edge of all queues.
func (n *Network) stepQueues() {
	for _, at := range n.long {
		q, v, p := n.queues[at], at/n.plan.Degree, at%n.plan.Degree
		var enters *sim.Message
		if o := &n.routers[v].outputs[p]; o.valid && q.ready() {
			enters = &o.message
		}
		q.step(enters, q.offered() != nil && n.receiver(v, p).ready())
	}
	if n.options.Links != nil {
		n.options.Links.Step(func(v int) (pace, barrierPace uint8) { return n.clocks[v].pace, n.barriers[v].pace })
	}
}

// keepBusy marks the nodes that are not idle because they hold a message or have one at a link input.
func (n *Network) keepBusy() {
	for _, v := range n.evaluated {
		r := n.routers[v]
		n.busy[v] = n.busy[v] || r.Held() > 0
		for p, u := range n.neighbors(int(v)) {
			n.busy[u] = n.busy[u] || n.far(int(v), p) != nil
		}
	}
	for _, at := range n.long {
		u := n.neighbor[at]
		n.busy[u] = n.busy[u] || n.queues[at].offered() != nil
	}
}
