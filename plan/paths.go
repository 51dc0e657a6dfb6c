// SPDX-License-Identifier: Apache-2.0

package plan

import "slices"

// Local is the local input, where a path names an input.
const Local = -1

// Delivery is the target of a link input that stands for delivery.
const Delivery = 0

// Path is a connection from an input to an output.
type Path struct {
	Input int // port of the link input, or Local

	// Target is the number of the output among the targets of the input: Delivery, the index
	// of a dimension whose group the message enters, or Continuation.
	Target int
}

// Targets is the number of targets of the link input: delivery, the groups of the lower
// dimensions and, if D >= 2, the continuation, in this order.
func (q Port) Targets() int {
	if q.Continues() {
		return q.Dimension + 1
	}
	return q.Dimension
}

// Continues reports whether messages of the link input can continue in their dimension.
func (q Port) Continues() bool { return q.ContinueTo >= 0 }

// Continuation is the target of the link input for messages that continue in their dimension. It
// comes after the groups of the lower dimensions.
func (q Port) Continuation() int { return q.Dimension }

// Continuing is the path of the messages that continue on the port; only of a ring port.
func (q Port) Continuing() Path { return Path{q.ContinueFrom, q.Continuation()} }

// Transferring lists the paths of the messages that transfer onto the port.
func (q Port) Transferring() (paths []Path) {
	for _, input := range q.TransferFrom {
		paths = append(paths, Path{input, q.Continuation()})
	}
	return paths
}

// Entering lists the paths of the messages that enter the dimension, that of the local input
// first.
func (d Dim) Entering() []Path {
	paths := []Path{{Local, d.Index}}
	for _, input := range d.Sources {
		paths = append(paths, Path{input, d.Index})
	}
	return paths
}

// Place is the position of a port among those that get a copy of every message that enters the
// dimension; -1 if it gets none.
func (d Dim) Place(port int) int { return slices.Index(d.Entered, port) }

// Delivering lists the paths of the messages in delivery register i: from all link inputs, or with a
// register for each link from link input i.
func (p *Plan) Delivering(i int) (paths []Path) {
	for _, q := range p.Ports {
		if !p.PerPort() || q.Index == i {
			paths = append(paths, Path{q.Index, Delivery})
		}
	}
	return paths
}
