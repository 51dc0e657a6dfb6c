// SPDX-License-Identifier: Apache-2.0

package model

import "github.com/hcgen/hcgen/sim"

// delivery is a delivery register.
type delivery struct {
	// Registers.
	message sim.Message
	valid   bool

	// Wires of the cycle evaluated.
	leaves bool // the message leaves
	takes  bool
	taken  sim.Message
}

// takeDeliveries decides which messages the delivery registers take.
func (r *Router) takeDeliveries(in *sim.Inputs) {
	for d := range r.deliveries {
		o := &r.deliveries[d]
		o.leaves = o.valid && in.LocalReady>>d&1 != 0
		o.takes = false
	}
	if r.plan.PerPort() {
		for d := range r.deliveries {
			r.deliver(d, linkInput(d))
		}
		return
	}
	for p := range r.outputs {
		r.deliveryRequests[linkInput(p)] = r.inputs[linkInput(p)].requests[deliveryTarget]
	}
	if r.deliverySelected = r.deliveryArbiter.selects(r.deliveryRequests); r.deliverySelected != none {
		r.deliver(0, r.deliverySelected)
	}
}

// deliver lets delivery register d take the head of input k if the head requests delivery and the register is free.
func (r *Router) deliver(d, k int) {
	o, i := &r.deliveries[d], &r.inputs[k]
	free := !o.valid || o.leaves
	if free && i.requests[deliveryTarget] && i.wellFormed() {
		o.takes, o.taken = true, *i.head
		i.taken[deliveryTarget] = true
	}
}

// stepDeliveries is the clock edge of the delivery registers and their arbiter.
func (r *Router) stepDeliveries() {
	for d := range r.deliveries {
		o := &r.deliveries[d]
		if o.takes {
			o.message = o.taken
		}
		o.valid = o.takes || o.valid && !o.leaves
	}
	if !r.plan.PerPort() {
		r.deliveryArbiter.update(r.deliverySelected, r.deliveries[0].takes)
	}
}
