// SPDX-License-Identifier: Apache-2.0

package model

import "github.com/hcgen/hcgen/sim"

// output is a link output.
type output struct {
	// Registers.
	message sim.Message
	valid   bool
	arbiter Arbiter // of a ring port with rho > 1
	marks   marks   // of a ring port

	// Wires of the cycle evaluated.
	requests []bool // of the arbiter: 0 is the group, x the head of the link of distance x
	selected int    // requester that the arbiter selects, or none
	leaves   bool   // the message leaves
	takes    way    // how the register takes a message
	taken    sim.Message
}

// way is how a link output takes a message.
type way uint8

const (
	noWay     way = iota
	enters        // from the group
	continues     // from the link of distance rho
	transfers     // from a shorter link
)

// takeOutput decides which message the link output of port p = (j, s, x) takes.
func (r *Router) takeOutput(p int, in *sim.Inputs) {
	o, q := &r.outputs[p], &r.plan.Ports[p]
	o.leaves = o.valid && in.LinkReady>>p&1 != 0
	o.takes = noWay
	free := !o.valid || o.leaves
	entrant := r.entrant(p) // the arbiter selects in every cycle
	switch {
	case q.Ring && r.requestsToContinue(q.ContinueFrom): // then nothing enters
		r.goOn(p, q.ContinueFrom, continues, free)
	case entrant == 0:
		r.enterOutput(p, free)
	case entrant > 0:
		r.goOn(p, q.TransferFrom[entrant-1], transfers, free)
	}
}

// requestsToContinue reports whether the head of the link input of port p requests its continuation.
func (r *Router) requestsToContinue(p int) bool {
	i := &r.inputs[linkInput(p)]
	return i.requests[i.dimension]
}

// entrant is the requester whose message may enter or transfer at port p, numbered as in the arbiter of a ring port: 0
// is the group, x the link of distance x. Other ports have only the group.
func (r *Router) entrant(p int) int {
	o, q := &r.outputs[p], &r.plan.Ports[p]
	o.requests[0] = r.groups[q.Dimension-1].offers(p)
	for x, from := range q.TransferFrom {
		o.requests[1+x] = r.requestsToContinue(from)
	}
	o.selected = o.arbiter.Selects(o.requests)
	return o.selected
}

// enterOutput lets port p take the message that its group offers, if it is free.
func (r *Router) enterOutput(p int, free bool) {
	o, j := &r.outputs[p], r.plan.Ports[p].Dimension
	g := &r.groups[j-1]
	i := &r.inputs[g.selected]
	if !free || !i.wellFormed() {
		return
	}
	o.takes, g.taken[p] = enters, true
	o.taken = *i.head
	o.taken.WD, o.taken.WC = uint8(j), uint32(g.weight[p])
	o.taken.Spread, o.taken.Route = r.entered(i.head, j)
}

// goOn lets port p take the head of the link input of port from, if it is free.
func (r *Router) goOn(p, from int, by way, free bool) {
	o, i := &r.outputs[p], &r.inputs[linkInput(from)]
	if !free || !i.wellFormed() {
		return
	}
	o.takes, i.taken[i.dimension] = by, true
	o.taken = *i.head
	o.taken.WC--
	o.taken.Route = r.below(i.head.Route, i.dimension)
}

// step is the clock edge of a link output.
func (o *output) step() {
	if o.takes != noWay {
		o.message = o.taken
	}
	o.valid = o.takes != noWay || o.valid && !o.leaves
	o.arbiter.Update(o.selected, o.takes == enters || o.takes == transfers)
}
