// SPDX-License-Identifier: Apache-2.0

package model

import "github.com/hcgen/hcgen/sim"

// input is a link input or the local input.
type input struct {
	dimension int  // of the link; r + 1 at the local input, whose messages enter every dimension
	capacity  int  // slots of the FIFO; the local input has none
	continues bool // messages with wc > 1 continue: D >= 2
	bypass    bool // if the FIFO is empty, the head is the message on the link

	// Registers.
	slots  []sim.Message // the FIFO, oldest message first
	served []bool        // by target: it has taken the head

	// Wires of the cycle evaluated. Targets are numbered as in package plan: deliveryTarget, the dimension of a group,
	// and the dimension of the input for its continuation.
	wire      sim.Message  // on the link, or at the local input
	arrives   bool         // the message on the link completes its handshake
	malformed bool         // the message on the link is malformed
	head      *sim.Message // oldest message; nil: none
	dropped   bool         // the head is malformed: no target takes it
	requests  []bool       // by target
	taken     []bool       // by target: it takes the head in this cycle
	done      bool         // every target of the head has taken it
}

// local is the number of the local input among the inputs of a router.
const local = 0

// linkInput is the number of the link input of port p.
func linkInput(p int) int { return p + 1 }

// deliveryTarget is the target of a link input that stands for delivery.
const deliveryTarget = 0

// newInput is an input of a dimension with some slots.
func newInput(dimension, slots int) input {
	targets := make([]bool, 3*(dimension+1))
	return input{
		dimension: dimension, capacity: slots, slots: make([]sim.Message, 0, slots),
		served: targets[:dimension+1], requests: targets[dimension+1 : 2*dimension+2], taken: targets[2*dimension+2:],
	}
}

// ready is s_axis_link_tready: a slot is free at the start of the cycle.
func (i *input) ready() bool { return len(i.slots) < i.capacity }

// receive looks at the message on the link of port p, and finds the head of the input and its requests.
func (r *Router) receive(p int, in *sim.Inputs) {
	i := &r.inputs[linkInput(p)]
	i.arrives = in.LinkValid>>p&1 != 0 && i.ready()
	i.head, i.malformed, i.dropped = nil, false, false
	if i.arrives {
		i.wire = in.Link[p]
		i.malformed = r.isMalformed(p, &i.wire)
	}
	if len(i.slots) > 0 {
		i.head = &i.slots[0]
	} else if i.arrives && i.bypass {
		i.head = &i.wire
		i.dropped = i.malformed
	}
	r.request(i)
}

// isMalformed reports whether a message on the link of port p is malformed.
func (r *Router) isMalformed(p int, m *sim.Message) bool {
	q := &r.plan.Ports[p]
	return int(m.WD) != q.Dimension || m.WC == 0 || int(m.WC) > q.D || r.outOfRange(m, q.Dimension)
}

// wellFormed reports whether the input has a head that targets may take.
func (i *input) wellFormed() bool { return i.head != nil && !i.dropped }

// request lets the head request each of its targets whose served bit is 0.
func (r *Router) request(i *input) {
	clear(i.requests)
	clear(i.taken)
	if i.head == nil {
		return
	}
	r.targets(i)
	for t := range i.requests {
		i.requests[t] = i.requests[t] && !i.served[t]
	}
}

// targets sets the requests of the targets of the head.
func (r *Router) targets(i *input) {
	if i.continues && i.head.WC > 1 {
		i.requests[i.dimension] = true
	}
	if i == &r.inputs[local] || r.spreads(i.head) {
		r.spread(i)
	}
}

// finish finds whether the head of input k is done.
func (r *Router) finish(k int) {
	i := &r.inputs[k]
	i.done = i.wellFormed() && i.allServed()
}

// allServed reports whether every target of the head has taken it, in this cycle or before.
func (i *input) allServed() bool {
	for t, requested := range i.requests {
		if requested && !i.taken[t] {
			return false
		}
	}
	return true
}

// stepInput is the clock edge of input k.
func (r *Router) stepInput(k int) {
	i := &r.inputs[k]
	if i.head == nil && !i.arrives {
		return
	}
	if i.done {
		clear(i.served)
	} else {
		for t := range i.served {
			i.served[t] = i.served[t] || i.taken[t]
		}
	}
	passed := i.done && i.head == &i.wire // over the bypass: it never enters the FIFO
	if i.done && !passed {
		i.slots = i.slots[:copy(i.slots, i.slots[1:])]
	}
	if i.arrives && i.malformed {
		r.errors.header |= 1 << (k - 1)
	} else if i.arrives && !passed {
		i.slots = append(i.slots, i.wire)
	}
}
