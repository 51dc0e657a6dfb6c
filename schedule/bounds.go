// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
)

// Bound is a lower bound on the steps of an operation whose items have that many packets.
// docs/collectives.md derives it.
//
//   - Diameter: an item needs D steps to the farthest node.
//   - Receive and send: N - 1 items go into a node, or out of one, by its ports. A sum needs
//     N - 1 messages to be complete at one node, and another N - 1 to be so at all.
//   - Load: of total exchange, see RingLoad.
//   - Growth: of a broadcast with one port, see growth.
func Bound(g *hypercycle.Graph, operation string, ports Ports, packets int) int {
	width := 1
	if ports == AllPorts {
		width = g.Degree()
	}
	moved := packets * (g.Nodes() - 1)
	switch operation {
	case collective.Broadcast:
		if ports == AllPorts {
			return g.Diameter()
		}
		return max(g.Diameter(), growth(g))
	case collective.AllReduce:
		return max(g.Diameter(), ceil(2*moved, width))
	case collective.TotalExchange:
		if ports == OnePort {
			return packets * g.DistanceSum()
		}
		bound := g.Diameter()
		for i := 1; i <= g.Rank(); i++ {
			d := g.Dimension(i)
			load, per := RingLoad(d)
			bound = max(bound, ceil(packets*(g.Nodes()/d.M)*load, per))
		}
		return bound
	}
	return max(g.Diameter(), ceil(moved, width))
}

// growth is the least number of steps in which a broadcast with one port can reach all
// nodes. A node that has the message informs one neighbour in every step, until it has
// informed all but the one it has the message from; the root informs all. This makes a tree
// that has g(T, l) nodes at depth l after T steps, a binomial tree if the degree is T or more.
// A node at distance l has a depth of l or more. So no more nodes may lie at a distance
// of l or more than the tree has at such a depth, for every l.
func growth(g *hypercycle.Graph) int {
	far := distances(g)
	for l := len(far) - 2; l >= 0; l-- {
		far[l] += far[l+1]
	}
	below := [][]int{} // [t][l]: nodes at depth l below a node but the root, t steps after it received
	for t := 0; ; t++ {
		grow := func(sends int) []int {
			n := make([]int, t+1)
			n[0] = 1
			for k := 1; k <= min(sends, t); k++ {
				for l, more := range below[t-k] {
					n[l+1] = min(n[l+1]+more, g.Nodes())
				}
			}
			return n
		}
		sum, enough := 0, true
		root := grow(g.Degree())
		for l := max(t, len(far)-1); l >= 0 && enough; l-- {
			if l < len(root) {
				sum = min(sum+root[l], g.Nodes())
			}
			enough = l >= len(far) || sum >= far[l]
		}
		if enough {
			return t
		}
		below = append(below, grow(g.Degree()-1))
	}
}

// distances counts the nodes at every distance from a node, 0..D: the product of the
// polynomials of the rings.
func distances(g *hypercycle.Graph) []int {
	all := []int{1}
	for i := 1; i <= g.Rank(); i++ {
		d := g.Dimension(i)
		next := make([]int, len(all)+d.D())
		for x := range d.M {
			for l, n := range all {
				next[l+d.Distance(x)] += n
			}
		}
		all = next
	}
	return all
}

// RingLoad bounds the messages of the busiest port of a ring in which every node sends one
// message to every other from below, by load/per. Let every link of distance j have the
// length min(j, c). A message to offset x travels at least the distance of x in these
// lengths; so the sum of the distances is at most the busiest port's load times the sum of
// the lengths of the ports. The best c of 1..rho counts: c = 1 is the sum of distances over
// the degree, c = rho the bound of the bisection.
func RingLoad(d hypercycle.Dimension) (load, per int) {
	load, per = 0, 1
	for c := 1; c <= d.Rho; c++ {
		sum, lengths := 0, 0
		for x := 1; x < d.M; x++ {
			sum += length(min(x, d.M-x), d.Rho, c)
		}
		for j := 1; j <= d.Rho; j++ {
			lengths += min(j, c)
			if 2*j != d.M {
				lengths += min(j, c)
			}
		}
		if sum*per > load*lengths {
			load, per = sum, lengths
		}
	}
	return load, per
}

// ringBound bounds the busiest port of a ring for some copies of every message, as RingLoad
// does. An odd copy to an antipode goes clockwise, so that the clockwise ports are the
// busiest; or if split is not nil, it has the messages that load each
// direction, by distance.
func ringBound(d hypercycle.Dimension, copies int, split []int) int {
	if !oddAntipode(d, copies) {
		load, per := RingLoad(d)
		return ceil(copies*load, per)
	}
	bound := 0
	for c := 1; c <= d.Rho; c++ {
		half, lengths := length(d.M/2, d.Rho, c), 0
		sum := copies / 2 * half
		if split == nil {
			sum += half
		}
		for j, n := range split {
			sum += n * min(j, c)
		}
		for x := 1; 2*x < d.M; x++ {
			sum += copies * length(x, d.Rho, c)
		}
		for j := 1; j <= d.Rho; j++ {
			lengths += min(j, c)
		}
		bound = max(bound, ceil(sum, lengths))
	}
	return bound
}

// oddAntipode reports whether an odd number of copies goes to an antipode that is no neighbour.
func oddAntipode(d hypercycle.Dimension, copies int) bool {
	return d.M%2 == 0 && d.D() > 1 && copies%2 == 1
}

// length is the distance of offset x, 0..m/2, with links of length min(j, c): jumps of
// rho, and one link for the rest, which is shorter.
func length(x, rho, c int) int { return x/rho*c + min(x%rho, c) }
