// SPDX-License-Identifier: Apache-2.0

// Package hypercycle is the mathematics of hypercycles: products of circulant
// rings C_m<1..rho>, their ports, distances and broadcast trees.
//
// It follows "Broadcasting in Hypercycles" by V. V. Dimakopoulos and
// N. J. Dimopoulos (below: the paper) and uses its symbols m, rho, D, a and k.
// The package does no input or output and knows neither HCL nor Verilog.
package hypercycle

import "fmt"

// Dimension is one circulant ring C_m<1..rho>: M nodes, each linked to its Rho
// nearest neighbours on both sides. Legal values are M >= 2 and
// 1 <= Rho <= floor(M/2).
type Dimension struct {
	M   int // nodes of the ring, 2 or more
	Rho int // reach of a link, 1..floor(M/2)
}

// Validate reports why the dimension is not a legal ring, or nil.
func (d Dimension) Validate() error {
	if d.M < 2 {
		return fmt.Errorf("m = %d: a ring needs at least 2 nodes", d.M)
	}
	if d.Rho < 1 || d.Rho > d.M/2 {
		return fmt.Errorf("rho = %d: with m = %d it must lie in 1..%d, half the ring", d.Rho, d.M, d.M/2)
	}
	return nil
}

// Degree is the number of links of a node within the ring (equation 2):
// 2 rho, or 2 rho - 1 if 2 rho = m, where the antipode is counted once.
func (d Dimension) Degree() int {
	if 2*d.Rho == d.M {
		return 2*d.Rho - 1
	}
	return 2 * d.Rho
}

// D is the diameter of the ring, ceil(floor(m/2)/rho) (equation 3). It is also
// the number of steps of a broadcast in the ring, whatever the preference, and
// the largest clockwise weight of Algorithm 1.
func (d Dimension) D() int { return ceil(d.M/2, d.Rho) }

// A is the weight a of the far counterclockwise neighbours, floor((m-1)/rho) - D
// (equation 6). It is never negative; 0 means that nothing is sent to them.
func (d Dimension) A() int { return (d.M-1)/d.Rho - d.D() }

// K is the number k of near counterclockwise neighbours that carry weight
// a + 1 instead of a, m - a rho - D rho - 1 (equation 6); 0 <= k < rho.
func (d Dimension) K() int { return d.M - d.A()*d.Rho - d.D()*d.Rho - 1 }

// Distance is the number of hops between two nodes whose digits differ by
// offset (any sign, taken mod m): ceil(min(x, m-x)/rho).
func (d Dimension) Distance(offset int) int {
	x := d.offset(offset)
	return ceil(min(x, d.M-x), d.Rho)
}

// DistanceSum is the sum of the distances from a node to the m - 1 others:
// D (m - 1 - (D-1) rho), because 2 rho nodes lie at each distance below D and
// the others at D.
func (d Dimension) DistanceSum() int { return d.D() * (d.M - 1 - (d.D()-1)*d.Rho) }

// Arrival is the step in which the node that lies offset (any sign, taken mod
// m) clockwise of the source receives a broadcast in this ring, 1..D; 0 for the
// source itself. It is ceil(x/rho) if the clockwise side covers the node at
// offset x, else ceil((m-x)/rho). With Balanced that is Distance; the constants describe the
// paper's preferences.
func (d Dimension) Arrival(p Preference, offset int) int {
	x := d.offset(offset)
	if x > d.clockwiseNodes(p) {
		x = d.M - x
	}
	return ceil(x, d.Rho)
}

// offset reduces a difference of digits to 0..m-1.
func (d Dimension) offset(difference int) int {
	x := difference % d.M
	if x < 0 {
		x += d.M
	}
	return x
}

// ceil is a/b rounded up, for a >= 0 and b > 0.
func ceil(a, b int) int { return (a + b - 1) / b }

// Side holds the two constants that describe one direction of a ring
// broadcast: of the rho neighbours on this side the nearest K are sent weight
// Q + 1 and the others weight Q, where weight 0 means that nothing is sent.
type Side struct {
	Q int // weight of the farther neighbours, 0 or more
	K int // number of nearest neighbours with weight Q + 1, 0 <= K < rho
}

// Weight is the weight of a message entering the link of the given distance
// (1..rho) on this side; 0 means that no message is sent.
func (s Side) Weight(distance int) int {
	if distance <= s.K {
		return s.Q + 1
	}
	return s.Q
}

// Sides returns the constants of the clockwise and the counterclockwise side.
// Clockwise covers the nodes 1..X, counterclockwise the other m - 1 - X; each
// side's pair is divmod(nodes it covers, rho). The paper's Algorithm 1 is
// X = D rho, which gives (D, 0) and (a, k); its counterclockwise version is the
// mirror image; Balanced is X = ceil((m-1)/2).
func (d Dimension) Sides(p Preference) (clockwise, counterclockwise Side) {
	side := func(nodes int) Side { return Side{Q: nodes / d.Rho, K: nodes % d.Rho} }
	x := d.clockwiseNodes(p)
	return side(x), side(d.M - 1 - x)
}

// clockwiseNodes is X, the number of nodes that are served clockwise.
func (d Dimension) clockwiseNodes(p Preference) int {
	switch p {
	case Clockwise:
		return d.D() * d.Rho // never above m - 1, because a >= 0
	case Counterclockwise:
		return d.M - 1 - d.D()*d.Rho
	case Balanced:
		return d.M / 2
	default:
		panic(fmt.Sprintf("hypercycle: no such preference: %d", int(p)))
	}
}
