// SPDX-License-Identifier: Apache-2.0

package hypercycle

import "fmt"

// Send is one message of a broadcast: in step Step (1..D) node From sends to
// node To over its port Port, with header (wd, wc).
type Send struct {
	Step, From, To, Port int
	WD, WC               int
}

// Tree is the broadcast tree of one source: how and when every node receives
// the message. The slices are indexed by node.
type Tree struct {
	Source   int
	Steps    int     // step of the last arrival, the sum of the D_i
	Messages int     // number of messages sent, N - 1
	Step     []int32 // step in which the node receives; 0 for the source
	Parent   []int32 // node it receives from; -1 for the source
	Port     []int32 // port of the parent by which the message left; -1 for the source
}

// Sends lists the messages of a broadcast from source by Algorithms 1 and 2 of
// the paper, step by step. It executes the distributed algorithm: each
// receiver decides from the header and the port alone.
func (g *Graph) Sends(source int, p Preference, visit func(Send)) {
	if source < 0 || source >= g.nodes {
		panic(fmt.Sprintf("hypercycle: source %d is outside 0..%d", source, g.nodes-1))
	}
	weights := g.Weights(p)
	type arrival struct{ node, port, wc int } // port: the sender's; -1 at the source
	now := []arrival{{source, -1, 0}}
	for step := 1; len(now) > 0; step++ {
		var next []arrival
		send := func(from, port, wc int) {
			to := g.Neighbor(from, port)
			visit(Send{Step: step, From: from, To: to, Port: port, WD: g.ports[port].Dimension, WC: wc})
			next = append(next, arrival{to, port, wc})
		}
		for _, a := range now {
			below := len(g.ports) // the ports of all dimensions that a message still has to enter
			if a.port >= 0 {
				dim := g.ports[a.port].Dimension
				if a.wc > 1 {
					send(a.node, g.PortIndex(dim, g.ports[a.port].Direction, g.dims[dim-1].Rho), a.wc-1)
				}
				below = g.first[dim-1]
			}
			for q := 0; q < below; q++ {
				if weights[q] > 0 {
					send(a.node, q, weights[q])
				}
			}
		}
		now = next
	}
}

// Broadcast returns the tree of a broadcast from source. It panics if source
// is not a node, and if a node were reached twice or not at all, which the
// tests of this package exclude.
func (g *Graph) Broadcast(source int, p Preference) *Tree {
	t := &Tree{Source: source, Step: make([]int32, g.nodes), Parent: make([]int32, g.nodes), Port: make([]int32, g.nodes)}
	t.Parent[source], t.Port[source] = -1, -1
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
	return t
}
