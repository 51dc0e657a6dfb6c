// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"slices"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
)

// Tree is the tree of a broadcast: how and when every node receives. It panics if the schedule is of another
// operation.
func (s *Schedule) Tree() *hypercycle.Tree {
	if s.Operation != collective.Broadcast {
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

// family lists the children of every node and the nodes, parents before children. Those children
// come first whose subtrees take longest. It also returns the steps until the subtree of node 0 has
// the item. With all ports a node sends to all its children one step after it received; with
// one port to one child after the other, for which that order is the best.
func (t tree) family(ports Ports) (children [][]int32, order []int32, steps int) {
	children = make([][]int32, len(t))
	for v, p := range t {
		if p >= 0 {
			children[p] = append(children[p], int32(v))
		}
	}
	order = append(make([]int32, 0, len(t)), 0)
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
	return children, order, takes[0]
}

// broadcast is the broadcast along a tree, translated to a root.
func (t tree) broadcast(g *hypercycle.Graph, algorithm string, ports Ports, root int) *Schedule {
	children, order, steps := t.family(ports)
	s := &Schedule{Graph: g, Operation: collective.Broadcast, Algorithm: algorithm, Ports: ports, Root: root, Packets: 1, Steps: steps, Period: radices(g), Bound: Bound(g, collective.Broadcast, ports, 1)}
	a := newAddresses(g)
	has := make([]int, len(t)) // step in which a node receives
	for _, v := range order {
		for k, c := range children[v] {
			has[c] = has[v] + 1 + k*int(ports)
			s.Transfers = append(s.Transfers, collective.Transfer{Step: int32(has[c]), From: a.add(v, int32(root)), To: a.add(c, int32(root)), Item: collective.Item{Node: int32(root), For: -1}})
		}
	}
	s.sort()
	return s
}
