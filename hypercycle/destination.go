// SPDX-License-Identifier: Apache-2.0

package hypercycle

// All stands for every digit of a dimension in a Destination.
const All = -1

// Destination says which nodes an addressed message is for: for each dimension, [0] is dimension 1,
// a digit, 0..m-1, or All. Its set is every node whose digits agree with all digits given, except the source.
type Destination []int

// Everywhere is the destination of a broadcast: All in each of so many dimensions.
func Everywhere(rank int) Destination {
	d := make(Destination, rank)
	for i := range d {
		d[i] = All
	}
	return d
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
