// SPDX-License-Identifier: Apache-2.0

package hypercycle

import "fmt"

// field is the part of a route for one dimension.
type field struct {
	distance  int       // left in the dimension; 0: see all
	direction Direction // of the distance
	all       bool      // every digit; if false, a distance of 0 means the digit of the source
}

// route returns the fields of a message from source to d, [0] of dimension 1.
func (g *Graph) route(source int, d Destination) []field {
	fields := make([]field, len(d))
	for i, digit := range d {
		if digit == All {
			fields[i].all = true
			continue
		}
		own, ring := g.Digit(source, i+1), g.dims[i]
		clockwise := ring.offset(digit - own)
		fields[i] = field{distance: clockwise, direction: CW}
		other := ring.M - clockwise
		// Half of the nodes reach their antipodes in each direction.
		if other < clockwise || other == clockwise && own%2 == 1 {
			fields[i] = field{distance: other, direction: CCW}
		}
	}
	return fields
}

// entry returns the port by which a message enters a dimension to travel the distance of a field, above 0,
// in the fewest hops, and how many these are.
func (g *Graph) entry(dimension int, f field) first {
	ring := g.dims[dimension-1]
	hops := ceil(f.distance, ring.Rho)
	return first{g.PortIndex(dimension, f.direction, f.distance-(hops-1)*ring.Rho), hops}
}

// Multicast returns the tree of a message from source to d. It executes the distributed algorithm, Algorithm 2 of
// the paper with one addition; the actions of a receiver depend only on the header and the port of its message. A
// message enters a dimension whose destination is All as a broadcast does. It enters any other dimension on the
// shortest way to its digit, and spreads to lower dimensions only at its last node there.
//
// Every node of the set is reached in the step that its digits need, a single destination in the step of its
// distance, and the last node in step Farthest. The tree includes the nodes that the message only passes. It is
// empty if the set is empty. Multicast panics if source is not a node or d is not a destination in this graph.
func (g *Graph) Multicast(source int, d Destination, p Preference) *Tree {
	if source < 0 || source >= g.nodes {
		panic(fmt.Sprintf("hypercycle: source %d is outside 0..%d", source, g.nodes-1))
	}
	if len(d) != len(g.dims) {
		panic(fmt.Sprintf("hypercycle: destination %v has not %d digits", d, len(g.dims)))
	}
	for i, digit := range d {
		if digit != All && (digit < 0 || digit >= g.dims[i].M) {
			panic(fmt.Sprintf("hypercycle: digit %d of destination %v is outside 0..%d", i+1, d, g.dims[i].M-1))
		}
	}
	t := &Tree{Source: source, Step: make([]int32, g.nodes), Parent: make([]int32, g.nodes), Port: make([]int32, g.nodes), Delivers: make([]bool, g.nodes)}
	for v := range t.Parent {
		t.Parent[v], t.Port[v] = -1, -1
	}
	weights := g.Weights(p)
	route := g.route(source, d) // every copy carries it

	type arrival struct {
		node, port, wc int
		spread         bool // the destination has all digits of the dimension of the port
	}
	queue := []arrival{}
	send := func(step, from, port, wc int, spread bool) {
		to := g.Neighbor(from, port)
		if to == source || t.Step[to] != 0 {
			panic(fmt.Sprintf("hypercycle: node %d is reached twice", to))
		}
		t.Step[to], t.Parent[to], t.Port[to] = int32(step), int32(from), int32(port)
		t.Messages++
		queue = append(queue, arrival{to, port, wc, spread})
	}
	// spread puts a message on the dimensions below top. It returns whether the node is in the set.
	spread := func(step, node, top int) bool {
		for j := top - 1; j >= 1; j-- {
			switch f := route[j-1]; {
			case f.all:
				for port := g.first[j-1]; port < g.first[j]; port++ {
					if weights[port] > 0 {
						send(step, node, port, weights[port], true)
					}
				}
			case f.distance > 0:
				enter := g.entry(j, f)
				send(step, node, enter.port, enter.wc, false)
				return false
			}
		}
		return true
	}
	spread(1, source, len(g.dims)+1)
	for step, head := 2, 0; head < len(queue); step++ {
		for end := len(queue); head < end; head++ {
			a := queue[head]
			port := g.ports[a.port]
			if a.wc > 1 {
				send(step, a.node, g.PortIndex(port.Dimension, port.Direction, g.dims[port.Dimension-1].Rho), a.wc-1, a.spread)
			}
			if a.wc == 1 || a.spread {
				t.Delivers[a.node] = spread(step, a.node, port.Dimension)
			}
			if t.Delivers[a.node] {
				t.Steps = step - 1
			}
		}
	}
	return t
}
