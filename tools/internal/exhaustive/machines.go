// SPDX-License-Identifier: Apache-2.0

package exhaustive

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/hcgen/hcgen/hypercycle"
)

// The range of the prototype (section 4.1 of the paper): up to MaxRank
// dimensions of up to MaxM nodes each and any legal rho, with a degree of
// MaxDegree at most.
const (
	MaxRank   = 4
	MaxM      = 15
	MaxDegree = 16
)

// Sizes of that range. The campaign fails if it has not executed exactly as many, so that
// a fault in the enumeration cannot pass as a fast run.
const (
	Machines    = 1_710_738 // ordered tuples of dimensions
	Multisets   = 94_277    // of them up to the order of the dimensions
	Preferences = 3
)

// AllSources is the largest N of the machines whose broadcasts are executed from
// every node; of larger ones one source is taken, another for each machine.
const AllSources = 128

// rings lists all dimensions in the range, by m and rho.
var rings = func() (all []hypercycle.Dimension) {
	for m := 2; m <= MaxM; m++ {
		for rho := 1; rho <= m/2; rho++ {
			all = append(all, hypercycle.Dimension{M: m, Rho: rho})
		}
	}
	return all
}()

// tuple is a machine: indices of rings, dimension 1 first.
type tuple struct {
	rank int
	ring [MaxRank]uint8
}

// first is the first machine of the range; next leads through all of them.
func first() tuple { return tuple{rank: 1} }

// next returns the machine that follows in the range: in lexicographic order, a
// machine before those that it begins. It reports false at the end.
func (t tuple) next() (tuple, bool) {
	if t.rank < MaxRank {
		// the smallest ring has one port: if it does not fit, none does
		if t.ring[t.rank] = 0; t.degree()+rings[0].Degree() <= MaxDegree {
			t.rank++
			return t, true
		}
	}
	for ; t.rank > 0; t.rank-- {
		for last := &t.ring[t.rank-1]; int(*last)+1 < len(rings); {
			// Degrees do not rise with the index, but by m: the next one may fit
			// though this one does not.
			if *last++; t.degree() <= MaxDegree {
				return t, true
			}
		}
	}
	return t, false
}

func (t tuple) degree() int {
	sum := 0
	for _, i := range t.ring[:t.rank] {
		sum += rings[i].Degree()
	}
	return sum
}

func (t tuple) nodes() int {
	n := 1
	for _, i := range t.ring[:t.rank] {
		n *= rings[i].M
	}
	return n
}

// dimensions appends the dimensions to dims.
func (t tuple) dimensions(dims []hypercycle.Dimension) []hypercycle.Dimension {
	for _, i := range t.ring[:t.rank] {
		dims = append(dims, rings[i])
	}
	return dims
}

// source is the node that broadcasts on a machine that is not executed from
// every one: another for each machine, the same in each run.
func (t tuple) source() int {
	random := rand.New(rand.NewPCG(uint64(t.rank), uint64(binary.LittleEndian.Uint32(t.ring[:]))))
	return random.IntN(t.nodes())
}
