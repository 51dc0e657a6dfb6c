// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"math/bits"

	"github.com/hcgen/hcgen/hypercycle"
)

// rotation is one word of the numbering of SL.
type rotation struct {
	word  int32
	local int // m(t), 1..d: the bit, counted from the right, that the parent has not
}

// rotationOrder numbers the words of d bits but 0 from 1 on, by weight, within a weight by rotation class, the
// class of 0..01..1 first and the others by their smallest member. m(t) is 1 + (n(t) - 1) mod d. A class
// begins with a word whose bit m(t) is 1; in the first class of a weight below d its bit m(t) - 1,
// cyclically, is 0. Every next word is the last one rotated left by one, so its bit m(t) is 1, too. (The
// slides' own order within a class is not causal from d = 4 on.)
func rotationOrder(d int) []rotation {
	all := int32(1)<<d - 1
	left := func(w int32) int32 { return (w<<1 | w>>(d-1)) & all }
	bit := func(w int32, i int) bool { return w>>((i-1+d)%d)&1 == 1 }
	var order []rotation
	seen := make([]bool, all+1)
	class := func(w int32, weight int, first bool) {
		local := 1 + len(order)%d
		begin := int32(-1)
		for x := w; ; {
			if bit(x, local) && (!first || weight == d || !bit(x, local-1)) && (begin < 0 || x < begin) {
				begin = x
			}
			if x = left(x); x == w {
				break
			}
		}
		for x := begin; !seen[x]; x = left(x) {
			seen[x] = true
			order = append(order, rotation{x, 1 + len(order)%d})
		}
	}
	for weight := 1; weight <= d; weight++ {
		class(1<<weight-1, weight, true)
		for w := int32(1); w <= all; w++ {
			if bits.OnesCount32(uint32(w)) == weight && !seen[w] {
				class(w, weight, false)
			}
		}
	}
	return order
}

// rotationTrees is the multinode broadcast of SL on the binary cube, repaired: d words in every step, whose
// edges have different dimensions. It meets the bound ceil((2^d - 1)/d).
func rotationTrees(g *hypercycle.Graph) *spread {
	d := g.Rank()
	s := &spread{addresses: newAddresses(g), graph: g, algorithm: "rotation-trees", ports: AllPorts, packets: 1, steps: ceil(g.Nodes()-1, d)}
	for n, r := range rotationOrder(d) {
		s.arrivals = append(s.arrivals, arrival{step: 1 + n/d, offset: r.word, port: int32(r.local - 1)})
	}
	return s
}
