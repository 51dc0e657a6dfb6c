// SPDX-License-Identifier: Apache-2.0

// Package model is the cycle-accurate reference model of the broadcast router and of networks of such routers.
//
// It is written from docs/architecture.md. It shares no text with the Verilog that it is compared with, but its widths,
// weights and ports come from package plan, as those of the Verilog do. The model of one cycle has two phases, as hardware
// has: every output is a function of the state and the inputs (Evaluate), then the clock edge changes the state (Step).
package model

import (
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
)

// Router is one router, stepped cycle by cycle: Evaluate, then Step. Each section of docs/architecture.md is a file:
// linkinput.go, group.go, linkoutput.go, marks.go, delivery.go, localinput.go, arbiter.go, tree.go and pace.go;
// docs/addressed-messages.md is destination.go, docs/barrier.md is barrier.go, and docs/links.md is queue.go.
type Router struct {
	*rules
	node   int
	digits []int // of node, dimension 1 first

	inputs          []input    // [local], and [linkInput(p)] for port p
	groups          []group    // [j-1] is the group of dimension j
	outputs         []output   // link outputs, by port
	deliveries      []delivery // one, or one per link input
	deliveryArbiter tree       // of a single delivery register
	clock           *clock
	barrier         *barrier
	errors          struct { // registers
		header      uint32 // by port
		destination bool
	}

	// Wires of the cycle evaluated.
	offer struct { // at the local input
		illegal bool // a message with an illegal destination
		legal   bool // any other message
		cost    int  // of the message, in credit
	}
	deliveryRequests []bool // by input
	deliverySelected int    // input that the delivery arbiter selects, or none
}

// NewRouter returns the router of the given node, whose address fills the source
// field of messages injected there, in its state after reset.
func NewRouter(p *plan.Plan, node int) *Router {
	return newRouter(newRules(p, Options{}), node, &clock{}, &barrier{})
}

func newRouter(x *rules, node int, c *clock, b *barrier) *Router {
	p := x.plan
	r := &Router{
		rules:           x,
		node:            node,
		inputs:          make([]input, 1+p.Degree),
		groups:          make([]group, len(p.Dims)),
		outputs:         make([]output, p.Degree),
		deliveries:      make([]delivery, p.Deliveries),
		deliveryArbiter: newTree(1 + p.Degree),
		clock:           c,
		barrier:         b,

		deliveryRequests: make([]bool, 1+p.Degree),
	}
	*c = newClock(x)
	for i := range p.Dims {
		r.digits = append(r.digits, p.Machine.Graph.Digit(node, i+1))
		r.groups[i] = newGroup(p, i+1)
	}
	r.inputs[local] = newInput(len(p.Dims)+1, 0)
	for i, q := range p.Ports {
		r.inputs[linkInput(i)] = newInput(q.Dimension, p.InputSlots)
		r.inputs[linkInput(i)].continues, r.inputs[linkInput(i)].bypass = q.Continues(), p.Bypass()
		r.outputs[i].requests = make([]bool, q.Rho)
	}
	return r
}

// Evaluate computes all outputs of a cycle from the state and the inputs, and
// stores the wires for the clock edge. It may be called more than once in a
// cycle; the last call counts.
func (r *Router) Evaluate(in *sim.Inputs, out *sim.Outputs) {
	r.evaluate(in)
	r.show(out)
}

// evaluate computes all wires of a cycle. Registers stay as they are.
func (r *Router) evaluate(in *sim.Inputs) {
	r.offerLocal(in)
	for p := range r.outputs {
		r.receive(p, in)
	}
	for j := range r.groups {
		r.offerGroup(j + 1)
	}
	for p := range r.outputs {
		r.takeOutput(p, in)
	}
	for p := range r.outputs {
		if r.plan.Ports[p].Ring {
			r.watchEntrants(p)
		}
	}
	for j := range r.groups {
		r.completeGroup(j + 1)
	}
	r.takeDeliveries(in)
	for k := range r.inputs {
		r.finish(k)
	}
	r.clock.decide(r.rules, seen{offered: r.offer.legal, pays: r.paid(), held: r.isHeld()}, in.LinkPace[:])
	r.barrier.decide(r.rules, in.BarrierArrive, in.LinkBarrierPace[:])
}

// Step is the clock edge that ends the cycle last evaluated.
func (r *Router) Step() {
	r.stepMessages()
	r.clock.step(r.rules)
	r.barrier.step(r.rules)
}

// stepMessages is the clock edge of all registers except those of the clock and of the barrier.
func (r *Router) stepMessages() {
	r.errors.header = 0
	for k := range r.inputs {
		r.stepInput(k)
	}
	for j := range r.groups {
		r.groups[j].step()
	}
	for p := range r.outputs {
		r.outputs[p].step()
		r.outputs[p].marks.step(r.clock.tick)
	}
	r.stepDeliveries()
	r.errors.destination = r.offer.illegal
}

// show returns the outputs of the router.
func (r *Router) show(out *sim.Outputs) {
	out.LinkReady, out.LinkValid, out.LocalValid = 0, 0, 0
	for p := range r.outputs {
		if r.inputs[linkInput(p)].ready() {
			out.LinkReady |= 1 << p
		}
		if r.outputs[p].valid {
			out.LinkValid |= 1 << p
			out.Link[p] = r.outputs[p].message
		}
	}
	for i := range r.deliveries {
		if r.deliveries[i].valid {
			out.LocalValid |= 1 << i
			out.Local[i] = r.deliveries[i].message
		}
	}
	out.LocalReady = r.localReady()
	out.HeaderError, out.DestError = r.errors.header, r.errors.destination
	out.Pace = r.clock.pace
	out.BarrierRelease, out.BarrierPace = r.barrier.release, r.barrier.pace
}
