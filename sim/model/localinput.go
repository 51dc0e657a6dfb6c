// SPDX-License-Identifier: Apache-2.0

package model

import "github.com/hcgen/hcgen/sim"

// offerLocal makes the message at the local input the head, if its destination is legal and the pace allows it to
// request groups.
func (r *Router) offerLocal(in *sim.Inputs) {
	i := &r.inputs[local]
	i.head = nil
	r.offer.legal, r.offer.illegal = false, false
	if in.LocalValid {
		i.wire = sim.Message{Source: uint32(r.node), Seq: in.LocalSeq, Last: in.LocalLast}
		r.offer.cost, r.offer.legal = r.cost, true
		if r.addressed() {
			i.wire.Route, r.offer.legal = r.route(in.LocalDest)
			i.wire.Scope = r.scope(in.LocalDest)
			if r.unicast(in.LocalDest) {
				r.offer.cost = r.unicastCost
			}
		}
		r.offer.illegal = !r.offer.legal
	}
	if r.offer.legal && r.clock.mayStart(r.rules, r.offer.cost) {
		i.head = &i.wire
	}
	r.request(i)
}

// localReady is s_axis_local_tready: the message is done in this cycle, or illegal.
func (r *Router) localReady() bool { return r.inputs[local].done || r.offer.illegal }

// paid is the cost of the message that completes its handshake at the local input, 0 without.
func (r *Router) paid() int {
	if r.inputs[local].done {
		return r.offer.cost
	}
	return 0
}
