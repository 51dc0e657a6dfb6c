// SPDX-License-Identifier: Apache-2.0

package hypercycle

import "fmt"

// Send is one message of a broadcast: in step Step node From sends to node To
// over its port Port, with the header (WD, WC).
type Send struct {
	Step     int // 1..D
	From, To int // nodes
	Port     int // index of the port of From by which the message leaves
	WD       int // dimension the message travels in, 1..r; always the port's
	WC       int // hops left in that dimension, this one included, 1..D_WD
}

// Tree records the path and the steps by which a message of a source reaches its nodes. The slices are
// indexed by node.
type Tree struct {
	Source   int
	Steps    int     // step of the last delivery; of a broadcast the sum of the D_i
	Messages int     // number of messages sent; of a broadcast N - 1
	Step     []int32 // step in which the node receives; 0 for the source and nodes that are not reached
	Parent   []int32 // node it receives from; -1 likewise
	Port     []int32 // port of the parent by which the message left; -1 likewise
	Delivers []bool  // whether the message is for the node: others pass it on only. Nil: for all but the source
}

// hop holds precomputed values of a port: those of its link and those that a receiver needs.
type hop struct {
	m, unit uint32 // of the port's dimension
	shift   uint32 // added to the digit, mod m: 1..m-1
	span    uint32 // m unit, subtracted when the digit wraps
	below   int    // number of first ports (those entered) in lower dimensions
	next    int    // port on which a message that left by this port continues
}

// neighbor returns the node at the other end of the port's link.
func (h *hop) neighbor(node uint32) uint32 {
	to := node + h.shift*h.unit
	if node/h.unit%h.m+h.shift >= h.m {
		to -= h.span
	}
	return to
}

// first is a message of Case 1 of Algorithm 1, which a node sends on entering a
// dimension.
type first struct{ port, wc int }

// Sends calls visit for every message of a broadcast from source by Algorithms
// 1 and 2 of the paper, in order of the steps; within a step in the order in
// which the senders received, and for each sender the continuation first, then
// by port. It executes the distributed algorithm: the messages of a receiver
// depend only on the header and the port of the message that it received, and it
// sends them in the next step. It panics if source is not a node.
func (g *Graph) Sends(source int, p Preference, visit func(Send)) {
	g.sends(source, g.Weights(p), visit)
}

// sends is Sends with any entering weights, by port.
func (g *Graph) sends(source int, weights []int, visit func(Send)) {
	if source < 0 || source >= g.nodes {
		panic(fmt.Sprintf("hypercycle: source %d is outside 0..%d", source, g.nodes-1))
	}
	hops, firsts := g.rules(weights)
	type arrival struct {
		node uint32
		port int32 // the sender's; -1 at the source
		wc   int32
	}
	// The arrivals in order; the first one sends next. The capacity suffices for a
	// correct tree, so the slice never grows.
	queue := make([]arrival, 1, g.nodes)
	queue[0] = arrival{node: uint32(source), port: -1}
	for step, head := 1, 0; head < len(queue); step++ {
		for end := len(queue); head < end; head++ {
			a := queue[head]
			enter := firsts // the source enters every dimension
			if a.port >= 0 {
				h := &hops[a.port]
				if a.wc > 1 {
					to := hops[h.next].neighbor(a.node)
					queue = append(queue, arrival{to, int32(h.next), a.wc - 1})
					visit(Send{Step: step, From: int(a.node), To: int(to), Port: h.next, WD: g.ports[h.next].Dimension, WC: int(a.wc) - 1})
				}
				enter = firsts[:h.below]
			}
			for _, f := range enter {
				to := hops[f.port].neighbor(a.node)
				queue = append(queue, arrival{to, int32(f.port), int32(f.wc)})
				visit(Send{Step: step, From: int(a.node), To: int(to), Port: f.port, WD: g.ports[f.port].Dimension, WC: f.wc})
			}
		}
	}
}

// rules precomputes the values that sends needs of every port, and lists the
// messages that the source sends, by port.
func (g *Graph) rules(weights []int) ([]hop, []first) {
	hops := make([]hop, len(g.ports))
	firsts := make([]first, 0, len(g.ports))
	below, dimension := 0, 0
	for i, port := range g.ports {
		d, unit := g.dims[port.Dimension-1], g.unit[port.Dimension-1]
		if port.Dimension != dimension {
			below, dimension = len(firsts), port.Dimension
		}
		shift := port.Distance
		if port.Direction == CCW {
			shift = d.M - port.Distance
		}
		hops[i] = hop{
			m: uint32(d.M), unit: uint32(unit), shift: uint32(shift), span: uint32(d.M * unit),
			below: below, next: g.PortIndex(port.Dimension, port.Direction, d.Rho),
		}
		if weights[i] > 0 {
			firsts = append(firsts, first{i, weights[i]})
		}
	}
	return hops, firsts
}

// Broadcast returns the tree of a broadcast from source. It panics if source
// is not a node, and if a node were reached twice or not at all, which the
// tests of this package exclude.
func (g *Graph) Broadcast(source int, p Preference) *Tree {
	t := &Tree{Source: source, Step: make([]int32, g.nodes), Parent: make([]int32, g.nodes), Port: make([]int32, g.nodes)}
	g.Sends(source, p, func(s Send) {
		if s.To == source || t.Step[s.To] != 0 {
			panic(fmt.Sprintf("hypercycle: node %d is reached twice", s.To))
		}
		t.Step[s.To], t.Parent[s.To], t.Port[s.To] = int32(s.Step), int32(s.From), int32(s.Port)
		t.Steps = s.Step
		t.Messages++
	})
	if t.Messages != g.nodes-1 {
		panic(fmt.Sprintf("hypercycle: %d of %d nodes are reached", t.Messages, g.nodes-1))
	}
	t.Parent[source], t.Port[source] = -1, -1 // here, not before: a bad source is reported by Sends
	return t
}
