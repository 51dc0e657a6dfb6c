// SPDX-License-Identifier: Apache-2.0

package hypercycle

import (
	"fmt"
	"math"
)

// MaxDegree is the largest number of ports of a router that hcgen generates, so that
// the paces of all its neighbours fit in 64 bits. Graphs may have more, up to MaxPorts.
const MaxDegree = 30

// MaxPorts is the largest degree of a Graph. It limits the memory that a mistyped rho can take.
const MaxPorts = 1 << 16

// Direction is the sense of a link: +1 towards higher digits (clockwise), -1
// towards lower ones (counterclockwise), both mod m.
type Direction int

const (
	CW  Direction = +1 // clockwise
	CCW Direction = -1 // counterclockwise
)

// String returns "clockwise" or "counterclockwise".
func (d Direction) String() string {
	if d == CW {
		return "clockwise"
	}
	return "counterclockwise"
}

// Port is one link of a router: it leads to the node whose digit in Dimension
// differs by Direction*Distance, and messages from that node arrive on it.
type Port struct {
	Index     int       // position in the fixed order, from 0
	Dimension int       // 1..r
	Direction Direction // CW or CCW
	Distance  int       // 1..rho
}

// Graph is a hypercycle: the product of r rings, N = m_1 ... m_r nodes.
// Addresses are mixed-radix numbers whose lowest digit is dimension 1.
type Graph struct {
	dims  []Dimension
	unit  []int // unit[i] = m_1 ... m_i: address weight of dimension i+1
	ports []Port
	first []int // first[i] = index of the first port of dimension i+1; one more at the end
	nodes int
}

// New builds the graph of the given rings; dims[0] is dimension 1. It fails if
// there is no ring, a ring is illegal, N does not fit in 31 bits or the degree
// is above MaxPorts.
func New(dims ...Dimension) (*Graph, error) {
	if len(dims) == 0 {
		return nil, fmt.Errorf("a hypercycle needs at least one dimension")
	}
	g := &Graph{dims: append([]Dimension(nil), dims...), nodes: 1}
	for i, d := range dims {
		if err := d.Validate(); err != nil {
			return nil, fmt.Errorf("dimension %d: %w", i+1, err)
		}
		if g.nodes > math.MaxInt32/d.M {
			return nil, fmt.Errorf("dimension %d: more than %d nodes in all", i+1, math.MaxInt32)
		}
		if len(g.ports)+d.Degree() > MaxPorts {
			return nil, fmt.Errorf("dimension %d: more than %d ports in all", i+1, MaxPorts)
		}
		g.unit = append(g.unit, g.nodes)
		g.nodes *= d.M
		g.first = append(g.first, len(g.ports))
		for _, dir := range []Direction{CW, CCW} {
			for x := 1; x <= d.Rho; x++ {
				if dir == CCW && 2*x == d.M {
					continue // the link to the antipode is the clockwise port
				}
				g.ports = append(g.ports, Port{Index: len(g.ports), Dimension: i + 1, Direction: dir, Distance: x})
			}
		}
	}
	g.first = append(g.first, len(g.ports))
	return g, nil
}

// Rank is the number of dimensions r.
func (g *Graph) Rank() int { return len(g.dims) }

// Dimension returns ring i, 1..r.
func (g *Graph) Dimension(i int) Dimension { return g.dims[i-1] }

// Nodes is N, the number of nodes.
func (g *Graph) Nodes() int { return g.nodes }

// Degree is the number of ports of every node, the sum over the dimensions.
func (g *Graph) Degree() int { return len(g.ports) }

// Links is the number of (undirected, full-duplex) links, N degree / 2.
func (g *Graph) Links() int { return g.nodes * len(g.ports) / 2 }

// Diameter is the largest distance between two nodes, the sum of the D_i
// (equation 4). It is also the number of steps of every broadcast.
func (g *Graph) Diameter() int {
	sum := 0
	for _, d := range g.dims {
		sum += d.D()
	}
	return sum
}

// DistanceSum is the sum of the distances from a node to the N - 1 others.
func (g *Graph) DistanceSum() int {
	sum := 0
	for _, d := range g.dims {
		sum += g.nodes / d.M * d.DistanceSum()
	}
	return sum
}

// AverageDistance is the mean distance from a node to the N - 1 others.
func (g *Graph) AverageDistance() float64 {
	return float64(g.DistanceSum()) / float64(g.nodes-1)
}

// Ports lists the ports of a node in the fixed order: dimension 1..r, in each
// clockwise 1..rho, then counterclockwise 1..rho. The caller must not change
// the list.
func (g *Graph) Ports() []Port { return g.ports }

// PortIndex returns the index of port (dimension, direction, distance). If
// 2 distance = m both directions name the same port. It panics if the dimension
// is outside 1..r or the distance outside 1..rho.
func (g *Graph) PortIndex(dimension int, dir Direction, distance int) int {
	if dimension < 1 || dimension > len(g.dims) {
		panic(fmt.Sprintf("hypercycle: no dimension %d", dimension))
	}
	d := g.dims[dimension-1]
	if distance < 1 || distance > d.Rho {
		panic(fmt.Sprintf("hypercycle: no link of distance %d in dimension %d", distance, dimension))
	}
	if dir == CW || 2*distance == d.M {
		return g.first[dimension-1] + distance - 1
	}
	return g.first[dimension-1] + d.Rho + distance - 1
}

// Opposite returns the index by which the neighbour at the other end of the
// port's link knows that link.
func (g *Graph) Opposite(port int) int {
	p := g.ports[port]
	return g.PortIndex(p.Dimension, -p.Direction, p.Distance)
}

// Digit returns the digit of dimension i (1..r) in the address of node.
func (g *Graph) Digit(node, i int) int { return node / g.unit[i-1] % g.dims[i-1].M }

// Digits returns the address of node, 0..N-1, highest dimension first, as the
// paper writes it.
func (g *Graph) Digits(node int) []int {
	digits := make([]int, len(g.dims))
	for i := range g.dims {
		digits[len(g.dims)-1-i] = g.Digit(node, i+1)
	}
	return digits
}

// Node returns the node with the given address, highest dimension first. It
// fails if the number of digits is not r or a digit is outside 0..m-1.
func (g *Graph) Node(digits ...int) (int, error) {
	if len(digits) != len(g.dims) {
		return 0, fmt.Errorf("an address has one digit for each dimension: %d, not %d", len(g.dims), len(digits))
	}
	node := 0
	for j, x := range digits {
		i := len(g.dims) - j
		if m := g.dims[i-1].M; x < 0 || x >= m {
			return 0, fmt.Errorf("digit %d of dimension %d is outside 0..%d", x, i, m-1)
		}
		node += x * g.unit[i-1]
	}
	return node, nil
}

// Neighbor returns the node at the other end of a port's link.
func (g *Graph) Neighbor(node, port int) int {
	p := g.ports[port]
	m, unit := g.dims[p.Dimension-1].M, g.unit[p.Dimension-1]
	digit := node / unit % m
	next := (digit + int(p.Direction)*p.Distance + m) % m
	return node + (next-digit)*unit
}

// Distance is the number of hops of a shortest path between two nodes.
func (g *Graph) Distance(a, b int) int {
	sum := 0
	for i, d := range g.dims {
		sum += d.Distance(g.Digit(b, i+1) - g.Digit(a, i+1))
	}
	return sum
}

// Weights returns, for every port, the weight wc that a message entering it
// carries (Case 1 of Algorithm 1), 0..D; 0 means that no message enters. The
// weight wd is the port's dimension. It panics if p is not a preference.
func (g *Graph) Weights(p Preference) []int {
	weights := make([]int, 0, len(g.ports))
	for _, d := range g.dims {
		cw, ccw := d.Sides(p)
		for x := 1; x <= d.Rho; x++ {
			weight := cw.Weight(x)
			if 2*x == d.M {
				weight += ccw.Weight(x) // one link, and one of the two is 0
			}
			weights = append(weights, weight)
		}
		for x := 1; x <= d.Degree()-d.Rho; x++ {
			weights = append(weights, ccw.Weight(x))
		}
	}
	return weights
}
