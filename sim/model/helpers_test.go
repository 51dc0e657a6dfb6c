// SPDX-License-Identifier: Apache-2.0

package model

import (
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
	"github.com/hcgen/hcgen/sim/internal/cases"
	"github.com/hcgen/hcgen/sim/traffic"
)

type (
	rings  = cases.Rings
	option = cases.Option
)

var (
	newPlan     = cases.Plan
	drawPlan    = cases.Draw
	corner      = cases.Corner
	shapes      = cases.Shapes
	variants    = cases.Variants
	preferences = cases.Preferences
	random      = cases.Random

	payloadBits = cases.PayloadBits
	sourceID    = cases.SourceID
	preference  = cases.Preference
	stages      = cases.Stages
	perPort     = cases.PerPort
	fifoDepth   = cases.FIFODepth
	registers   = cases.Registers
	destination = cases.Destination
	last        = cases.Last
	withBarrier = cases.Barrier
)

// run is a network under a traffic, with counts of its completed cycles.
type run struct {
	*Network
	offers     *traffic.Nodes
	injections []int // by node
	deliveries int
	handed     func(node, stream int, m *sim.Message) // if set: called at every delivery handshake
}

func newRun(p *plan.Plan, t machine.Traffic) *run { return newRunFrom(p, t, nil) }

// newRunFrom returns a network in which only the listed nodes inject at random; nil means all.
func newRunFrom(p *plan.Plan, t machine.Traffic, sources []int) *run {
	return newRunOf(p, traffic.New(p, t, sources))
}

func newLoaded(p *plan.Plan, l traffic.Load) *run { return newRunOf(p, l.Nodes(p)) }

func newRunOf(p *plan.Plan, nodes *traffic.Nodes) *run {
	return &run{Network: NewNetwork(p, nodes, Options{}), offers: nodes, injections: make([]int, p.Nodes)}
}

// Step runs one cycle.
func (r *run) Step() {
	r.Evaluate()
	r.finish()
}

// finish counts the cycle that has been evaluated, and ends it.
func (r *run) finish() {
	for _, v := range r.Evaluated() {
		for d := range r.plan.Deliveries {
			if m := r.routers[v].Delivered(d); m != nil {
				r.deliveries++
				if r.handed != nil {
					r.handed(int(v), d, m)
				}
			}
		}
		if r.routers[v].Injects() {
			r.injections[v]++
		}
	}
	r.Network.Step()
}

// injected is the number of messages injected by all nodes.
func (r *run) injected() (messages int) {
	for _, n := range r.injections {
		messages += n
	}
	return messages
}

// drained reports whether no router holds a message and none is on offer or due.
func (r *run) drained() bool { return r.Empty() && r.offers.Exhausted() }

// routerRun is the router of traffic.RouterNode under a stimulus, cycle by cycle.
type routerRun struct {
	router   *Router
	stimulus *traffic.Stimulus
	in       *sim.Inputs // of the cycle evaluated
	out      sim.Outputs
}

func newRouterRun(p *plan.Plan, seed int64) *routerRun {
	return &routerRun{router: NewRouter(p, traffic.RouterNode(p)), stimulus: traffic.NewStimulus(p, seed)}
}

// evaluate computes the next cycle; step, which must follow, is the clock edge that ends it.
func (r *routerRun) evaluate() {
	r.in = r.stimulus.Drive(r.router)
	r.router.Evaluate(r.in, &r.out)
}

func (r *routerRun) step() {
	r.router.Step()
	r.stimulus.Taken(&r.out)
}

// bit is 1 if a condition holds, else 0.
func bit(set bool) uint64 {
	if set {
		return 1
	}
	return 0
}
