// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"math/bits"
	"slices"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/schedule/check"
)

// Tree is the tree of a broadcast: how and when every node receives. It panics if the schedule is of another
// operation.
func (s *Schedule) Tree() *hypercycle.Tree {
	if s.Operation != check.Broadcast {
		panic("schedule: " + s.Operation + " has no tree")
	}
	n := s.Graph.Nodes()
	t := &hypercycle.Tree{Source: s.Root, Steps: s.Steps, Messages: len(s.Transfers),
		Step: make([]int32, n), Parent: make([]int32, n), Port: make([]int32, n)}
	t.Parent[s.Root], t.Port[s.Root] = -1, -1
	for _, sent := range s.Transfers {
		t.Step[sent.To], t.Parent[sent.To] = sent.Step, sent.From
		for p := range s.Graph.Degree() {
			if s.Graph.Neighbor(int(sent.From), p) == int(sent.To) {
				t.Port[sent.To] = int32(p)
			}
		}
	}
	return t
}

// tree is a spanning tree of node 0: parent by offset, -1 for node 0.
type tree []int32

// treeOf is the tree of Algorithm 2 of BH.
func treeOf(g *hypercycle.Graph, p hypercycle.Preference) tree { return g.Broadcast(0, p).Parent }

// broadcast is the broadcast along a tree, translated to a root. With all ports a node sends
// to all its children one step after it received; with one port to one child after the other,
// those first whose subtrees take longest, which is the best order.
func (t tree) broadcast(g *hypercycle.Graph, algorithm string, ports Ports, root int) *Schedule {
	children := make([][]int32, len(t))
	for v, p := range t {
		if p >= 0 {
			children[p] = append(children[p], int32(v))
		}
	}
	order := []int32{0} // parents before children
	for i := 0; i < len(order); i++ {
		order = append(order, children[order[i]]...)
	}
	takes := make([]int, len(t)) // steps until the subtree has the item
	for _, v := range slices.Backward(order) {
		slices.SortStableFunc(children[v], func(a, b int32) int { return takes[b] - takes[a] })
		for k, c := range children[v] {
			takes[v] = max(takes[v], takes[c]+1+k*int(ports))
		}
	}
	s := &Schedule{Graph: g, Operation: check.Broadcast, Algorithm: algorithm, Ports: ports, Root: root, Packets: 1, Steps: takes[0], Period: radices(g), Bound: Bound(g, check.Broadcast, ports, 1)}
	a := newAddresses(g)
	has := make([]int, len(t))
	for _, v := range order {
		for k, c := range children[v] {
			has[c] = has[v] + 1 + k*int(ports)
			s.Transfers = append(s.Transfers, Transfer{Step: int32(has[c]), From: a.add(v, int32(root)), To: a.add(c, int32(root)), Item: Item{Node: int32(root), For: -1}})
		}
	}
	s.sort()
	return s
}

// doubling is a broadcast with one port: in every step as many nodes that have the item as can send it
// to one neighbour each that has it not, a maximum matching that takes the nodes first that
// need it most urgently. Different orders of nodes are tried until one meets the bound.
func doubling(g *hypercycle.Graph, root int) *Schedule {
	bound := Bound(g, check.Broadcast, OnePort, 1)
	var best *Schedule
	for _, p := range []hypercycle.Preference{hypercycle.Clockwise, hypercycle.Balanced} {
		if s := treeOf(g, p).broadcast(g, "doubling", OnePort, root); best == nil || s.Steps < best.Steps {
			best = s
		}
	}
	d := &doubler{graph: g, neighbours: make([][]int32, g.Nodes())}
	for v := range d.neighbours {
		for p := range g.Degree() {
			d.neighbours[v] = append(d.neighbours[v], int32(g.Neighbor(v, p)))
		}
	}
	const work = 4_000_000 // links that are looked at, about a fifth of a second
	tries := max(4, work/(g.Nodes()*g.Degree()*bits.Len(uint(g.Nodes()))))
	for try := range tries {
		if best.Steps == bound {
			break
		}
		if t, steps := d.try(try, best.Steps); steps < best.Steps {
			s := t.broadcast(g, "doubling", OnePort, root)
			if s.Steps < best.Steps {
				best = s
			}
		}
	}
	return best
}

// doubler grows the set of nodes that have the item.
type doubler struct {
	graph      *hypercycle.Graph
	neighbours [][]int32
	by         []int32 // sender of a node in this step, or -1
	seen       []int
	mark       int
}

// try is one attempt, with its own order of nodes; it gives up after so many steps.
func (d *doubler) try(number, most int) (tree, int) {
	n := d.graph.Nodes()
	random := uint64(number)
	rank := make([]uint64, n)
	for v := range rank {
		random = random*6364136223846793005 + 1442695040888963407
		far := uint64(d.graph.Distance(0, v))
		switch number % 4 {
		case 1:
			far = uint64(d.graph.Diameter()) - far
		case 2:
			far = 0
		case 3:
			far /= 2
		}
		rank[v] = far<<32 | random>>33
		if number == 0 {
			rank[v] = far << 32
		}
	}
	t := make(tree, n)
	for v := range t {
		t[v] = -2
	}
	t[0] = -1
	d.by, d.seen = slices.Repeat([]int32{-1}, n), make([]int, n)
	have := []int32{0}
	for step := 1; step < most; step++ {
		// those that have the fewest neighbours to send to choose first
		slices.SortStableFunc(have, func(a, b int32) int { return d.left(a, t) - d.left(b, t) })
		var fresh []int32
		for _, v := range have {
			d.mark++
			if u := d.augment(v, t, rank); u >= 0 {
				fresh = append(fresh, u)
			}
		}
		for _, u := range fresh {
			t[u] = d.by[u]
			d.by[u] = -1
		}
		have = append(have, fresh...)
		if len(have) == n {
			return t, step
		}
	}
	return nil, most
}

// left counts the neighbours that have not the item.
func (d *doubler) left(v int32, t tree) int {
	n := 0
	for _, u := range d.neighbours[v] {
		n += b2i(t[u] == -2)
	}
	return n
}

// augment finds a receiver for a sender along an alternating path.
func (d *doubler) augment(v int32, t tree, rank []uint64) int32 {
	best := int32(-1)
	for _, u := range d.neighbours[v] {
		if t[u] == -2 && d.by[u] < 0 && (best < 0 || rank[u] > rank[best]) {
			best = u
		}
	}
	if best >= 0 {
		d.by[best] = v
		return best
	}
	for _, u := range d.neighbours[v] {
		if t[u] != -2 || d.seen[u] == d.mark {
			continue
		}
		d.seen[u] = d.mark
		if w := d.augment(d.by[u], t, rank); w >= 0 {
			d.by[u] = v
			return w
		}
	}
	return -1
}
