// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"slices"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
)

// generalized is a generalized hypercube GH(n,k): n digits, links between all nodes that
// differ in one. Its symbols are those of GH: R, necklace, period P, displacement D.
type generalized struct {
	*addresses
	graph     *hypercycle.Graph
	n, k      int
	necklaces []necklace // nonzero ones, by distance and label of the generator
	at        []place    // by node
	port      []int32    // by offset of a neighbour
}

// necklace is an orbit under R, by displacement: R takes [i] to [i-1], cyclically.
type necklace []int32

// place is where a node is: at a displacement in a necklace.
type place struct{ necklace, displacement int }

// complete reports whether a machine is a generalized hypercube.
func complete(g *hypercycle.Graph) bool {
	_, _, ok := cube(g)
	for i := 1; i <= g.Rank(); i++ {
		ok = ok && g.Dimension(i).D() == 1
	}
	return ok
}

func newGeneralized(g *hypercycle.Graph) *generalized {
	k, n, _ := cube(g)
	h := &generalized{addresses: newAddresses(g), graph: g, n: n, k: k, at: make([]place, g.Nodes()), port: make([]int32, g.Nodes())}
	for p, x := range h.shift {
		h.port[x] = int32(p)
	}
	seen := make([]bool, g.Nodes())
	for v := int32(1); int(v) < len(seen); v++ {
		if seen[v] {
			continue
		}
		var orbit necklace
		for x := v; !seen[x]; x = h.rotate(x) {
			seen[x] = true
			orbit = append(orbit, x)
		}
		first := 0
		for i, x := range orbit {
			if h.pattern(x) > h.pattern(orbit[first]) || h.pattern(x) == h.pattern(orbit[first]) && x > orbit[first] {
				first = i
			}
		}
		list := make(necklace, len(orbit))
		for i, x := range orbit { // R^i(first) has displacement -i
			list[(first-i+len(orbit))%len(orbit)] = x
		}
		h.necklaces = append(h.necklaces, list)
	}
	slices.SortStableFunc(h.necklaces, func(a, b necklace) int { return h.distance(a[0]) - h.distance(b[0]) })
	for c, list := range h.necklaces {
		for i, x := range list {
			h.at[x] = place{c, i}
		}
	}
	return h
}

// rotate is R(v) = v_{n-2} .. v_0 r(v_{n-1}) with r(0) = 0 and r(i) = i mod (k-1) + 1.
func (h *generalized) rotate(v int32) int32 {
	top := h.unit[h.n-1]
	last := v / top
	if last > 0 {
		last = last%int32(h.k-1) + 1
	}
	return v%top*int32(h.k) + last
}

// pattern has a 1 for every nonzero digit.
func (h *generalized) pattern(v int32) int {
	p := 0
	for i := range h.n {
		p |= b2i(h.digit(v, i) != 0) << i
	}
	return p
}

// distance is the number of nonzero digits.
func (h *generalized) distance(v int32) int { return h.graph.Distance(0, int(v)) }

// parent is that of a node in the tree of a displacement: its first nonzero digit strictly to the left
// of position (n-1-i) mod n, cyclically, becomes 0.
func (h *generalized) parent(v int32, i int) int32 {
	q := ((h.n-1-i)%h.n + h.n) % h.n
	for p := q + 1; ; p++ {
		if x := h.digit(v, p%h.n); x != 0 {
			return v - int32(x)*h.unit[p%h.n]
		}
	}
}

// way lists the nodes from 0 to v in the tree of a displacement. It is the hop rule of GH: set the first digit that differs,
// scanning from the position to the right, cyclically.
func (h *generalized) way(v int32, i int) []int32 {
	list := []int32{v}
	for v != 0 {
		v = h.parent(v, i)
		list = append(list, v)
	}
	slices.Reverse(list)
	return list
}

// unit is the smallest M for which BSG splits evenly: the largest divisor of n that has no divisor in common with k-1.
func unitPackets(n, k int) int {
	for m := n; ; m-- {
		if n%m == 0 && gcd(m, k-1) == 1 {
			return m
		}
	}
}

func gcd(a, b int) int {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// stream is how the packets of one necklace travel: the packets first .. first + count - 1 to a node by the tree of a displacement.
type stream struct {
	node         int32
	tree         int
	first, count int32
}

// streams lists those of a necklace. With BST it is a packet to each node by its own tree. With BSG the
// trees are as many as ports, tree i leads to node R^-i of the generator, and the M packets are divided among
// the trees that lead to the same node.
func (h *generalized) streams(list necklace, packets int, bsg bool) []stream {
	var all []stream
	if !bsg {
		for i, v := range list {
			all = append(all, stream{v, i, 0, 1})
		}
		return all
	}
	c := packets * len(list) / len(h.shift)
	for i := range h.shift {
		all = append(all, stream{list[i%len(list)], i, int32(i / len(list) * c), int32(c)})
	}
	return all
}

// spread is the multinode broadcast: necklace after necklace, those near 0 first.
func (h *generalized) spread(algorithm string, packets int, bsg bool) *spread {
	s := &spread{addresses: h.addresses, graph: h.graph, algorithm: algorithm, ports: AllPorts, packets: packets}
	for _, list := range h.necklaces {
		streams := h.streams(list, packets, bsg)
		for _, x := range streams {
			port := h.port[h.sub(x.node, h.parent(x.node, x.tree))]
			for j := range x.count {
				s.arrivals = append(s.arrivals, arrival{step: s.steps + 1 + int(j), offset: x.node, port: port, packet: x.first + j})
			}
		}
		s.steps += int(streams[0].count)
	}
	return s
}

// exchange is the multinode scatter: necklace after necklace, hop after hop.
func (h *generalized) exchange(algorithm string, packets int, bsg bool) *Schedule {
	s := &Schedule{Graph: h.graph, Operation: collective.TotalExchange, Algorithm: algorithm, Packets: packets, Period: ones(h.graph), Bound: Bound(h.graph, collective.TotalExchange, AllPorts, packets)}
	for _, list := range h.necklaces {
		streams := h.streams(list, packets, bsg)
		for hop := range h.distance(list[0]) {
			for _, x := range streams {
				way := h.way(x.node, x.tree)
				source := h.sub(0, way[hop])
				for j := range x.count {
					s.Transfers = append(s.Transfers, collective.Transfer{
						Step: int32(s.Steps+1) + j, From: 0, To: h.sub(way[hop+1], way[hop]),
						Item: collective.Item{Node: source, For: h.add(source, x.node), Packet: x.first + j},
					})
				}
			}
			s.Steps += int(streams[0].count)
		}
	}
	s.sort()
	return s
}

// scatter is the single-node scatter on BSG: the farthest nodes first; a packet goes on in every step.
func (h *generalized) scatter(packets, root int) *Schedule {
	s := &Schedule{Graph: h.graph, Operation: collective.Scatter, Algorithm: "bsg", Root: root, Packets: packets, Period: radices(h.graph), Bound: Bound(h.graph, collective.Scatter, AllPorts, packets)}
	for _, list := range slices.Backward(h.necklaces) {
		streams := h.streams(list, packets, true)
		for _, x := range streams {
			way := h.way(x.node, x.tree)
			for j := range x.count {
				for hop := range len(way) - 1 {
					s.Transfers = append(s.Transfers, collective.Transfer{
						Step: int32(s.Steps+1+hop) + j, From: h.add(way[hop], int32(root)), To: h.add(way[hop+1], int32(root)),
						Item: collective.Item{Node: h.add(x.node, int32(root)), For: -1, Packet: x.first + j},
					})
				}
			}
		}
		s.Steps += int(streams[0].count)
	}
	s.sort()
	return s
}

// bst is the balanced spanning tree: every node by the tree of its displacement.
func (h *generalized) bst() tree {
	t := make(tree, len(h.at))
	t[0] = -1
	for v := 1; v < len(t); v++ {
		t[v] = h.parent(int32(v), h.at[v].displacement)
	}
	return t
}
