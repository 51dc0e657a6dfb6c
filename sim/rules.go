// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/plan"
)

// maxDegree is above the ports of every router: a set of ports is a mask of uint32.
const maxDegree = 32

var _ [maxDegree - 1 - hypercycle.MaxDegree]struct{} // there is a bit for every port

// none stands for no requester.
const none = -1

// rules is what all routers of a machine share.
type rules struct {
	plan        *plan.Plan
	free        bool   // the local input may request groups whatever its credit
	ignoreMarks bool   // they hold no clock
	weak        weaken // nil: every line of the contract holds

	// Numbers of the pace, in credit.
	cost        int // of a broadcast, and with destinations of every message that is not for a single node
	unicastCost int // of a message for a single node
	refill      int // that a tick adds
	cap         int // largest credit
	doneRest    int // largest rest with which the router is done while a legal message is offered
}

// newRules panics if the plan has more ports than a router can have, which package machine excludes.
func newRules(p *plan.Plan) *rules {
	if p.Degree > hypercycle.MaxDegree {
		panic(fmt.Sprintf("sim: degree %d is above %d", p.Degree, hypercycle.MaxDegree))
	}
	return &rules{
		plan: p, cost: p.Turn, unicastCost: plan.UnicastCost,
		refill: p.Turn, cap: p.CreditCap(), doneRest: p.DoneRest(),
	}
}

// weaken reports whether a line of the contract is switched off at a place: a port, an input, or 0 if the line has no
// places. With it tests show that every line is needed.
type weaken func(line string, place int) bool

// without reports whether a line of the contract is switched off.
func (x *rules) without(line string, place int) bool { return x.weak != nil && x.weak(line, place) }

// addressed reports whether messages have a destination.
func (x *rules) addressed() bool { return x.plan.Destination != nil }
