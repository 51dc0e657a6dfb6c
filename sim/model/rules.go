// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim"
)

var _ [sim.MaskBits - hypercycle.MaxDegree]struct{} // there is a bit for every port

// none stands for no requester.
const none = -1

// Options switch rules of the contract off, to measure their effect, and replace links. The zero value is the contract.
type Options struct {
	NoPace  bool // the local input may request groups whatever its credit
	NoMarks bool // the marks of ring ports hold no clock

	Links Links // in place of those of the plan; nil: none
}

// rules holds the data that all routers of a machine share.
type rules struct {
	plan    *plan.Plan
	options Options

	// Numbers of the pace, in credit.
	cost        int // of a broadcast, and of every message that is not for a single node
	unicastCost int // of a message for a single node
	refill      int // that a tick adds
	cap         int // largest credit
	doneRest    int // largest rest with which the router is done while a legal message is offered

	lead     uint8 // ticks that a router may be ahead of a neighbour, as it knows the neighbour's pace
	paceMask uint8 // the pace counts modulo paceMask + 1
}

// newRules panics if the plan has more ports than a router can have, which package machine excludes.
func newRules(p *plan.Plan, o Options) *rules {
	if p.Degree > hypercycle.MaxDegree {
		panic(fmt.Sprintf("model: degree %d is above %d", p.Degree, hypercycle.MaxDegree))
	}
	return &rules{
		plan: p, options: o, cost: p.Turn, unicastCost: plan.UnicastCost,
		refill: p.Turn, cap: p.CreditCap(), doneRest: p.DoneRest(),
		lead: uint8(p.Lead), paceMask: uint8(1<<p.PaceBits - 1),
	}
}

// addressed reports whether messages have a destination.
func (x *rules) addressed() bool { return x.plan.Destination != nil }
