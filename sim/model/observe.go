// SPDX-License-Identifier: Apache-2.0

package model

import "github.com/hcgen/hcgen/sim"

// The methods of this file show a router to those who drive it and count. Registers can be read at any time; what happens in
// a cycle is known from its evaluation to its clock edge.

// Pace is the register pace.
func (r *Router) Pace() uint8 { return r.clock.pace }

// BarrierPace is the register barrier_pace.
func (r *Router) BarrierPace() uint8 { return r.barrier.pace }

// Released is the register barrier_release.
func (r *Router) Released() bool { return r.barrier.release }

// Held is the number of messages in all registers.
func (r *Router) Held() (n int) {
	for k := range r.inputs {
		n += len(r.inputs[k].slots)
	}
	for p := range r.outputs {
		if r.outputs[p].valid {
			n++
		}
	}
	for i := range r.deliveries {
		if r.deliveries[i].valid {
			n++
		}
	}
	return n
}

// Ticks reports whether the pace advances.
func (r *Router) Ticks() bool { return r.clock.tick }

// Arrives reports whether a message on the link input of port p completes its handshake.
func (r *Router) Arrives(p int) bool { return r.inputs[linkInput(p)].arrives }

// Offers returns the message in a delivery register, or nil.
func (r *Router) Offers(d int) *sim.Message {
	if o := &r.deliveries[d]; o.valid {
		return &o.message
	}
	return nil
}

// Delivered returns the message that completes its handshake at a delivery register, or nil.
func (r *Router) Delivered(d int) *sim.Message {
	if o := &r.deliveries[d]; o.leaves {
		return &o.message
	}
	return nil
}

// Injects reports whether the message at the local input completes its handshake.
func (r *Router) Injects() bool { return r.inputs[local].done }

// Pays is the cost in credit of the message that completes its handshake at the local input, 0 without one.
func (r *Router) Pays() int { return r.clock.seen.pays }

// CopiesLocal reports whether a port takes a copy of the message at the local input.
func (r *Router) CopiesLocal() bool {
	for p := range r.outputs {
		if r.outputs[p].takes == enters && r.groups[r.plan.Ports[p].Dimension-1].selected == local {
			return true
		}
	}
	return false
}

// Passes reports whether a well-formed entrant waits at ring port p, and whether the port takes a message that continues.
func (r *Router) Passes(p int) (waiting, passes bool) {
	m := &r.outputs[p].marks
	return m.waiting, m.passes
}
