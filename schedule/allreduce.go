// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"iter"
	"slices"

	"github.com/hcgen/hcgen/hypercycle"
)

// meeting is for an all-reduce with all ports. If N - 1 = q d + r, a reduction and a gather of q + 1 steps each
// use r ports only in one of them. They share that step if r + 1 nodes are neighbours of
// each other by ports that all differ: each of these nodes sums up a part of all nodes in q
// steps, then they exchange their sums, and the result spreads from all of them in q steps.
// It returns nil if there are no such nodes, or none from which that works out.
func meeting(g *hypercycle.Graph) *spread {
	const tries = 20
	r := (g.Nodes() - 1) % g.Degree()
	if r == 0 || r*(r+1) > g.Degree() {
		return nil
	}
	for try, nodes := range cliques(g, r+1) {
		if s := spreadFrom(g, nodes...); s.steps == (g.Nodes()-1)/g.Degree() {
			for _, from := range nodes {
				for _, to := range nodes {
					if from != to {
						port := slices.Index(s.shift, s.sub(to, from))
						s.met = append(s.met, arrival{offset: to, port: int32(port)})
					}
				}
			}
			return s
		}
		if try == tries {
			break
		}
	}
	return nil
}

// cliques numbers, from 1, the sets of `size` nodes in one dimension, node 0 among them, that
// are neighbours of each other by ports that all differ: of any two ordered pairs.
func cliques(g *hypercycle.Graph, size int) iter.Seq2[int, []int32] {
	a := newAddresses(g)
	return func(yield func(int, []int32) bool) {
		number := 0
		var extend func(nodes []int32, ports []int, i, next int) bool
		extend = func(nodes []int32, ports []int, i, next int) bool {
			if len(nodes) == size {
				number++
				return yield(number, nodes)
			}
			for x := next; x < int(a.m[i]); x++ {
				node := int32(x) * a.unit[i]
				more := slices.Clone(ports)
				for _, other := range nodes {
					more = append(more, slices.Index(a.shift, a.sub(node, other)), slices.Index(a.shift, a.sub(other, node)))
				}
				if distinct(more) && !extend(append(slices.Clone(nodes), node), more, i, x+1) {
					return false
				}
			}
			return true
		}
		for i := range a.m {
			if !extend([]int32{0}, nil, i, 1) {
				return
			}
		}
	}
}

// distinct sorts indices and reports whether all are there and differ.
func distinct(list []int) bool {
	slices.Sort(list)
	return list[0] >= 0 && len(slices.Compact(slices.Clone(list))) == len(list)
}
