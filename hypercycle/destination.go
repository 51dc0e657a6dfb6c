// SPDX-License-Identifier: Apache-2.0

package hypercycle

import (
	"strconv"
	"strings"
)

// All stands for every digit of a dimension in a Destination.
const All = -1

// Destination selects the nodes of an addressed message: for each dimension, [0] is dimension 1, a digit,
// 0..m-1, or All. Its set is every node that has all these digits, except the source.
type Destination []int

// Everywhere is the destination of a broadcast: All in each of the given number of dimensions.
func Everywhere(rank int) Destination {
	d := make(Destination, rank)
	for i := range d {
		d[i] = All
	}
	return d
}

// To is the destination of a message to one node.
func (g *Graph) To(node int) Destination {
	d := make(Destination, len(g.dims))
	for i := range d {
		d[i] = g.Digit(node, i+1)
	}
	return d
}

// Row is the destination of all nodes that differ from node in dimension 1 only, itself included.
func (g *Graph) Row(node int) Destination {
	d := g.To(node)
	d[0] = All
	return d
}

// Destination is the inverse of Digits, with All permitted, highest dimension first. It fails as Node does.
func (g *Graph) Destination(digits ...int) (Destination, error) {
	fixed := make([]int, len(digits)) // All counts as 0
	for i, x := range digits {
		if x != All {
			fixed[i] = x
		}
	}
	if _, err := g.Node(fixed...); err != nil {
		return nil, err
	}
	d := make(Destination, len(digits))
	for i, x := range digits {
		d[len(digits)-1-i] = x
	}
	return d, nil
}

// String writes the destination as an address, highest dimension first, with * for All: 2,*.
func (d Destination) String() string {
	parts := make([]string, len(d))
	for i, digit := range d {
		part := "*"
		if digit != All {
			part = strconv.Itoa(digit)
		}
		parts[len(d)-1-i] = part
	}
	return strings.Join(parts, ",")
}

// Broadcast reports whether the destination fixes no digit.
func (d Destination) Broadcast() bool {
	for _, digit := range d {
		if digit != All {
			return false
		}
	}
	return true
}

// Unicast reports whether the destination fixes every digit.
func (d Destination) Unicast() bool {
	for _, digit := range d {
		if digit == All {
			return false
		}
	}
	return true
}

// Contains reports whether node is in the set of a message from source to d.
// The destination must have a digit or All for every dimension.
func (g *Graph) Contains(d Destination, source, node int) bool {
	if node == source {
		return false
	}
	for i, digit := range d {
		if digit != All && digit != g.Digit(node, i+1) {
			return false
		}
	}
	return true
}

// Farthest is the largest distance from source to a node of its destination set, in hops: 0 if the set is empty.
func (g *Graph) Farthest(d Destination, source int) int {
	sum := 0
	for i, digit := range d {
		if digit == All {
			sum += g.dims[i].D()
		} else {
			sum += g.dims[i].Distance(digit - g.Digit(source, i+1))
		}
	}
	return sum
}

// Size is the number of nodes in the set of a message from source to d.
func (g *Graph) Size(d Destination, source int) int {
	size, own := 1, 1
	for i, digit := range d {
		if digit == All {
			size *= g.dims[i].M
		} else if digit != g.Digit(source, i+1) {
			own = 0
		}
	}
	return size - own
}

// Nobody reports whether the set of a message from source to d is empty: d fixes every digit, to those of source.
func (g *Graph) Nobody(d Destination, source int) bool {
	for i, digit := range d {
		if digit != g.Digit(source, i+1) { // true for All: every dimension has two nodes or more
			return false
		}
	}
	return true
}
