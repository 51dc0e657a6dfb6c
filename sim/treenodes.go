// SPDX-License-Identifier: Apache-2.0

package sim

// treeNode is a node of a tree arbiter: the requesters of its halves, and its bit of the state.
type treeNode struct {
	lower, upper uint32
	bit          tree
	top          bool // the largest of its tree
}

// nodesOf lists the nodes of the tree arbiter of these requesters, the largest first.
func nodesOf(requesters uint32) (nodes []treeNode) {
	add := func(lower, upper uint32, bit int) {
		if lower != 0 && upper != 0 {
			nodes = append(nodes, treeNode{lower: lower, upper: upper, bit: 1 << bit, top: len(nodes) == 0})
		}
	}
	add(requesters&1, requesters&^1, 0)
	for w := maxDegree / 2; w > 0; w /= 2 {
		half := uint32(1)<<w - 1
		for first := 0; first < maxDegree; first += 2 * w {
			lower := half << (first + 1) // bit p+1 is link p
			add(requesters&lower, requesters&(lower<<w), first+w)
		}
	}
	return nodes
}

// treesOf lists the tree arbiters of a machine by their requesters: of the groups, and last
// of delivery, if it has one.
func treesOf(s *shape) (trees []uint32) {
	for j := range s.groups {
		trees = append(trees, s.groups[j].requesters)
	}
	if !s.perPort {
		trees = append(trees, (1<<s.degree-1)<<1)
	}
	return trees
}
