// SPDX-License-Identifier: Apache-2.0

// Package arbitrary draws random networks with rapid, which shrinks a network for which a property fails. Package
// machines draws whole descriptions; this one does not import package machine, so that every test can use it.
package arbitrary

import (
	"cmp"

	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/hypercycle"
)

// Limits bound a drawn network.
type Limits struct {
	Nodes  int // 2 or more
	Rank   int // dimensions; 0: 4
	Ring   int // nodes of a dimension, 2 or more; 0: 40
	Degree int // ports of a node; 0: those of a router, hypercycle.MaxDegree
}

// Number draws a number from lo to hi, more often a small one. rapid.IntRange draws the highest number often and cannot make it
// smaller; here it stands for the lowest.
func Number(t *rapid.T, lo, hi int, label string) int {
	return lo + rapid.IntRange(0, hi-lo+1).Draw(t, label)%(hi-lo+1)
}

// Rings draws the dimensions of a network within limits; the simplest is a ring of 2 nodes. Rings in which all nodes are
// neighbours, and those in which links reach half of them, are frequent.
func Rings(t *rapid.T, l Limits) []hypercycle.Dimension {
	dims, _ := RingsWith(t, l, func(*rapid.T) struct{} { return struct{}{} })
	return dims
}

// RingsWith draws something more with each dimension, which goes away with it when rapid makes the network smaller.
func RingsWith[T any](t *rapid.T, l Limits, more func(*rapid.T) T) (dims []hypercycle.Dimension, mores []T) {
	type drawn struct {
		m, rho, complete int
		more             T
	}
	ports, ring := cmp.Or(l.Degree, hypercycle.MaxDegree), cmp.Or(l.Ring, 40)
	nodes := l.Nodes
	for _, d := range rapid.SliceOfN(rapid.Custom(func(t *rapid.T) drawn {
		return drawn{Number(t, 0, ring-2, "m"), Number(t, 0, ring/2-1, "rho"), Number(t, 0, 3, "complete"), more(t)}
	}), 1, cmp.Or(l.Rank, 4)).Draw(t, "rings") {
		// The numbers are reduced to what the limits leave, so that they stay valid if other dimensions change.
		most := min(ring, nodes)
		if ports == 1 {
			most = min(most, 2)
		}
		if ports < 1 || most < 2 {
			break
		}
		m := 2 + d.m%(most-1)
		reach := min(m/2, ports/2)
		if ports >= m-1 {
			reach = m / 2
		}
		rho := 1 + d.rho%reach
		if d.complete == 3 {
			rho = reach
		}
		dims, mores = append(dims, hypercycle.Dimension{M: m, Rho: rho}), append(mores, d.more)
		nodes /= m
		ports -= dims[len(dims)-1].Degree()
	}
	return dims, mores
}
