// SPDX-License-Identifier: Apache-2.0

package model

import "math/bits"

// tree is a tree arbiter of docs/architecture.md. Its requesters are inputs: the local input and the link inputs.
type tree struct {
	// upper is set if the pointer of a node is its upper half. A node has the number of the first input of its upper
	// half; for the largest node, whose upper half is all links, that is the first link.
	upper []bool
	width int // of both halves of the largest node of links
}

// newTree is the arbiter of the first inputs of a router, two or more.
func newTree(inputs int) tree {
	width := 1 << bits.Len(uint(inputs-2))
	return tree{upper: make([]bool, 1+width), width: width}
}

// selects returns the requester selected, or none.
func (t *tree) selects(requests []bool) int {
	lower := none
	if requests[local] {
		lower = local
	}
	return t.either(linkInput(0), lower, t.below(requests, linkInput(0), t.width))
}

// below returns the requester selected among a number of inputs, a power of two, from first on.
func (t *tree) below(requests []bool, first, width int) int {
	if first >= len(requests) {
		return none
	}
	if width == 1 {
		if requests[first] {
			return first
		}
		return none
	}
	middle := first + width/2
	return t.either(middle, t.below(requests, first, width/2), t.below(requests, middle, width/2))
}

// either takes the half of a node that requests; if both do, the half of its pointer.
func (t *tree) either(node, lower, upper int) int {
	if lower == none || upper != none && t.upper[node] {
		return upper
	}
	return lower
}

// update is the end of a cycle in which a requester, or none, was selected.
func (t *tree) update(selected int, completed bool) {
	if selected == none {
		return
	}
	t.pass(linkInput(0), selected, completed)
	for first, width := linkInput(0), t.width; width > 1 && selected != local; width /= 2 {
		middle := first + width/2
		t.pass(middle, selected, completed)
		if selected >= middle {
			first = middle
		}
	}
}

// pass moves the pointer of a node to the half of the selected requester, or to the other half if that was completed.
func (t *tree) pass(node, selected int, completed bool) {
	t.upper[node] = (selected >= node) != completed
}
