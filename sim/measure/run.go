// SPDX-License-Identifier: Apache-2.0

// Package measure runs networks of the reference model under a traffic and counts: the figures of a run, the waits of
// sources, and the time that messages take.
package measure

import (
	"fmt"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/model"
	"github.com/hcgen/hcgen/sim/traffic"
)

// Run is a network under a traffic, with the figures of its completed cycles. In each cycle Network.Evaluate comes first, and
// Finish ends it; in between, all wires can be read.
type Run struct {
	Network *model.Network
	Nodes   *traffic.Nodes

	count    counts
	underWay underWay
}

// NewRun returns a network under a traffic, before cycle 0. The field Cycles of the traffic is not used.
func NewRun(p *plan.Plan, t machine.Traffic, o model.Options) *Run {
	return newRun(p, traffic.New(p, t, nil), o)
}

func newRun(p *plan.Plan, nodes *traffic.Nodes, o model.Options) *Run {
	return &Run{
		Network: model.NewNetwork(p, nodes, o), Nodes: nodes, count: newCounts(p.Nodes), underWay: newUnderWay(p.Nodes, p.Degree),
	}
}

// Cycle is the number of completed cycles.
func (r *Run) Cycle() int { return r.Network.Cycle() }

// Step runs one cycle.
func (r *Run) Step() {
	r.Network.Evaluate()
	r.Finish()
}

// Finish counts the cycle that has been evaluated, and ends it.
func (r *Run) Finish() {
	for _, v := range r.Network.Evaluated() {
		router := r.Network.Router(int(v))
		r.follow(int(v), router)
		r.countNode(int(v), router)
	}
	r.Network.Step()
}

// countNode counts the handshakes of the local streams of a node.
func (r *Run) countNode(v int, router *model.Router) {
	cycle := r.Network.Cycle()
	for d := range r.Network.Plan().Deliveries {
		if m := router.Delivered(d); m != nil {
			r.count.deliver(cycle - r.Nodes.Start(int(m.Source), m.Seq))
		}
	}
	if router.Injects() {
		r.count.inject(v, cycle-r.Nodes.Start(v, r.count.injections[v]))
	}
}

// Drained reports whether no router and no link holds a message and none is on offer or due.
func (r *Run) Drained() bool { return r.Network.Empty() && r.Nodes.Exhausted() }

// LocalOutputs are the names of the local outputs of a router.
func LocalOutputs(p *plan.Plan) (names []string) {
	if p.Machine.Delivery == machine.Merged {
		return []string{"m_local"}
	}
	for q := range p.Deliveries {
		names = append(names, fmt.Sprintf("m_local%02d", q))
	}
	return names
}

// progressEvery is the number of cycles between two reports of progress, if the network is not large.
const progressEvery = 256

// ProgressEvery is the number of cycles between two reports of progress.
func ProgressEvery(p *plan.Plan) int { return min(progressEvery, max(1, 1<<17/p.Nodes)) }
