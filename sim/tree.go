// SPDX-License-Identifier: Apache-2.0

package sim

import "math/bits"

// tree is the state of a tree arbiter of docs/architecture.md whose requesters are in a mask
// like those of a group: bit 0 the local input, bit p+1 link input p. Bit p of the state is
// the turn of the node whose upper half begins with link p, bit 0 that of the node of the local
// input and the links; set: of the upper half. Bits of nodes that the machine does not have
// change, too: pick does not look at them.
type tree uint32

// pick returns the requester selected. Somebody must ask. The largest node at which both
// halves ask is the one that has the first that asks in one and the last in the other: at those
// above only one half does, which needs no turn.
func (t tree) pick(req uint32) uint8 {
	if req&(req-1) == 0 {
		return uint8(bits.TrailingZeros32(req))
	}
	if req&1 > uint32(t)&1 {
		return 0
	}
	links := req >> 1
	for links&(links-1) != 0 {
		first, last := bits.TrailingZeros32(links), bits.Len32(links)-1
		half := bits.Len32(uint32(first^last)) - 1 // its width is 1 << half
		upper := last >> half << half
		lower := uint32(1)<<upper - 1
		links &= lower ^ all(t>>upper&1 != 0)
	}
	return uint8(bits.TrailingZeros32(links)) + 1
}

// after is the state when who was selected: at each node that he is below it is the turn of his
// half, or if he was completed of the other one.
func (t tree) after(who uint8, completed bool) tree {
	p := &paths[who&31]
	return t&^p.nodes | (p.upper ^ p.nodes&tree(all(completed)))
}

// path is what a requester is below.
type path struct {
	nodes tree
	upper tree // those of them of whose upper half he is
}

// paths are by requester.
var paths = newPaths()

func newPaths() (paths [maxDegree]path) {
	paths[0] = path{nodes: 1}
	for p := range maxDegree - 1 {
		at := path{nodes: 1, upper: 1}
		for w := 1; w < maxDegree; w *= 2 {
			node := tree(1) << (p&^(2*w-1) | w)
			at.nodes |= node
			if p&w != 0 {
				at.upper |= node
			}
		}
		paths[p+1] = at
	}
	return paths
}
