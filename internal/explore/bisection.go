// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"math/big"
	"slices"
	"strconv"

	"github.com/hcgen/hcgen/hypercycle"
)

// Bisection bounds the bisection width: the fewest links between two halves of the
// nodes whose sizes differ by one at most. Low and High are equal if it is known.
type Bisection struct {
	Low  int // proved: no two halves have fewer links between them
	High int // links between two halves that are known
}

// Exact reports whether the bisection width is known.
func (b Bisection) Exact() bool { return b.Low == b.High }

// String is the width, or both bounds.
func (b Bisection) String() string {
	if b.Exact() {
		return strconv.Itoa(b.Low)
	}
	return strconv.Itoa(b.Low) + ".." + strconv.Itoa(b.High)
}

// BisectionWidth bounds the bisection width of a product of rings.
//
// One ring: half of it, as an arc, has rho (rho+1) links to the other half, less rho
// if 2 rho = m, and no half has fewer. (Reflect the ring about an axis and replace
// every node of the half whose image is not in it by that of the two which lies on the
// side of some fixed point: the links within the half never become fewer, and
// such moves end at an arc.)
//
// From above, products: an even ring is cut in two halves; of an odd one (m-1)/2
// nodes go to each side, and the slab between them is bisected in the other rings. High
// is the best order of doing so.
//
// From below: let c_i = B_i / floor(m_i^2/4), where B_i is the width of ring i. A set of
// s nodes of the ring has c_i s (m_i - s) links to the others at least. The
// variance of the indicator of a set S of nodes is at most the sum over the dimensions of
// its mean variance along them (the inequality of Efron and Stein), so at least
// min(c_i m_i) |S| (N - |S|) / N links leave S. The links that leave S are as even or odd
// as degree |S|.
//
// Known from the literature, and then the bound from above: products of complete graphs
// (J. H. Lindsey, Assignment of numbers to vertices, 1964) and tori, that is rho = 1 and m
// >= 3 in all dimensions (J. Arjona Aroca and A. Fernandez Anta, Bisection (Band)Width of
// Product Networks, 2012). Two dimensions of m = 2 are a ring of 4.
func BisectionWidth(rings []hypercycle.Dimension) Bisection {
	high := cut(rings)
	if allComplete(rings) || torus(rings) {
		return Bisection{high, high}
	}
	return Bisection{leastCut(rings), high}
}

// ringCut is the bisection width of a ring.
func ringCut(d hypercycle.Dimension) int {
	if 2*d.Rho == d.M {
		return d.Rho * d.Rho
	}
	return d.Rho * (d.Rho + 1)
}

// cut is the bound from above.
func cut(rings []hypercycle.Dimension) int {
	nodes := 1
	var odd []hypercycle.Dimension
	var even *hypercycle.Dimension // that which cuts the fewest links of a slab
	for i, d := range rings {
		nodes *= d.M
		if d.M%2 == 1 {
			odd = append(odd, d)
		} else if even == nil || ringCut(d)*even.M < ringCut(*even)*d.M {
			even = &rings[i]
		}
	}
	// best[set] is that of the slab in which the odd rings of the set are left
	best := make([]int, 1<<len(odd))
	size := nodes
	for _, d := range odd {
		size /= d.M
	}
	for set := range best {
		n := size
		for i, d := range odd {
			if set>>i&1 == 1 {
				n *= d.M
			}
		}
		least := -1
		if even != nil {
			least = n / even.M * ringCut(*even)
		} else if set == 0 {
			least = 0 // one node
		}
		for i, d := range odd {
			if set>>i&1 == 1 {
				if c := n/d.M*ringCut(d) + best[set&^(1<<i)]; least < 0 || c < least {
					least = c
				}
			}
		}
		best[set] = least
	}
	return best[len(best)-1]
}

// leastCut is the bound from below: of |S| (N - |S|) / N min(c_i m_i), rounded up to
// the next number of the right parity.
func leastCut(rings []hypercycle.Dimension) int {
	nodes, degree := int64(1), 0
	var least *big.Rat
	for _, d := range rings {
		nodes *= int64(d.M)
		degree += d.Degree()
		m := int64(d.M)
		if c := big.NewRat(int64(ringCut(d))*m, m*m/4); least == nil || c.Cmp(least) < 0 {
			least = c
		}
	}
	half := nodes / 2
	bound := new(big.Rat).Mul(least, new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(half), big.NewInt(nodes-half)), big.NewInt(nodes)))
	up := new(big.Int).Add(bound.Num(), new(big.Int).Sub(bound.Denom(), big.NewInt(1)))
	n := int(up.Quo(up, bound.Denom()).Int64())
	if (n-degree*int(half))%2 != 0 {
		n++
	}
	return n
}

func allComplete(rings []hypercycle.Dimension) bool {
	return !slices.ContainsFunc(rings, func(d hypercycle.Dimension) bool { return d.Rho != d.M/2 })
}

func torus(rings []hypercycle.Dimension) bool {
	twos := 0
	for _, d := range rings {
		if d.Rho > 1 {
			return false
		}
		if d.M == 2 {
			twos++
		}
	}
	return twos%2 == 0
}
