// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"slices"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
)

// The scatter in which nothing waits. The root sends along a tree, by each port first the items that go farthest, one in
// a step, and every node sends an item on as it arrives. Items of one port never meet, as they are sent one
// after the other, nor do those of different ports, as they go to different nodes. So all that matters is
// that the subtrees of the ports are of the same size. A gather has time reversed.

// subtrees is a spanning tree of node 0 in parts, one for each port.
type subtrees struct {
	parent []int32   // by offset
	depth  []int     // by offset
	nodes  [][]int32 // by port: the offsets below it
}

// growSubtrees lets the subtrees grow, the smallest one first, each by an offset that is as near as possible. The choice is
// random otherwise.
func growSubtrees(g *hypercycle.Graph, to []int32, r *random) *subtrees {
	n, d := g.Nodes(), g.Degree()
	t := &subtrees{make([]int32, n), make([]int, n), make([][]int32, d)}
	for v := range t.parent {
		t.parent[v] = -1
	}
	ports := identity(d)
	shuffle(r, ports)
	for _, p := range ports {
		v := to[p]
		t.parent[v], t.depth[v], t.nodes[p] = 0, 1, []int32{v}
	}
	for left := n - 1 - d; left > 0; left-- {
		shuffle(r, ports)
		slices.SortStableFunc(ports, func(p, q int32) int { return len(t.nodes[p]) - len(t.nodes[q]) })
		for _, p := range ports {
			if t.grow(p, d, to, r) {
				break
			}
		}
	}
	return t
}

// grow adds an offset to the subtree of a port, if one is left next to it.
func (t *subtrees) grow(p int32, degree int, to []int32, r *random) bool {
	from, best, ties := int32(-1), int32(-1), 0
	for _, u := range t.nodes[p] {
		if from >= 0 && t.depth[u] > t.depth[from] {
			continue
		}
		for _, v := range to[int(u)*degree : int(u+1)*degree] {
			switch {
			case v == 0 || t.parent[v] >= 0:
			case from < 0 || t.depth[u] < t.depth[from]:
				from, best, ties = u, v, 1
			default:
				if ties++; r.below(ties) == 0 {
					from, best = u, v
				}
			}
		}
	}
	if from < 0 {
		return false
	}
	t.parent[best], t.depth[best] = from, t.depth[from]+1
	t.nodes[p] = append(t.nodes[p], best)
	return true
}

// steps orders the offsets of every port, the farthest first, and returns the steps of the scatter.
func (t *subtrees) steps() int {
	steps := 0
	for _, list := range t.nodes {
		slices.SortStableFunc(list, func(u, v int32) int { return t.depth[v] - t.depth[u] })
		for k, v := range list {
			steps = max(steps, k+t.depth[v])
		}
	}
	return steps
}

// rooted makes a scatter or a gather: that with the fewest steps of some trees, or what follows from an
// all-gather if that is better.
func (f *flow) rooted(operation string, root int) *Schedule {
	g, r := f.graph, random(f.seed)
	bound := Bound(g, operation, AllPorts, 1)
	to := neighbours(g)
	var best *subtrees
	steps := 0
	for tries := max(10, f.effort*grownOffsets/(g.Nodes()*g.Degree())); tries > 0 && (best == nil || steps > bound); tries-- {
		t := growSubtrees(g, to, &r)
		if n := t.steps(); best == nil || n < steps {
			best, steps = t, n
		}
	}
	s := &Schedule{Graph: g, Operation: operation, Algorithm: "streaming", Root: root, Packets: 1, Steps: steps, Period: radices(g), Bound: bound}
	a := newAddresses(g)
	for _, list := range best.nodes {
		for k, v := range list {
			item := collective.Item{Node: a.add(v, int32(root)), For: -1}
			for at := v; at != 0; at = best.parent[at] {
				from, to := a.add(best.parent[at], int32(root)), a.add(at, int32(root))
				s.Transfers = append(s.Transfers, collective.Transfer{Step: int32(k + best.depth[at]), From: from, To: to, Item: item})
			}
		}
	}
	if operation == collective.Gather {
		s.Transfers = reversed(s.Transfers, steps)
	}
	s.sort()
	if steps > bound {
		return better(f.gather(operation, root), s)
	}
	return s
}
