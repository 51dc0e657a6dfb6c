// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/hcgen/hcgen/gen/plan"

// reachableCost is the largest cost of an injection that deliveries pay in a trace of
// reasonable length.
const reachableCost = 256

func costReachable(p *plan.Plan) bool { return p.Gate.Cost <= reachableCost }

// openingCycles is the least length of the opening: until all messages of cycle 0
// have left, deliveries have paid for two more injections, and the feed has ended.
func openingCycles(p *plan.Plan) int {
	// while the gate closes a delivery every deliverEvery cycles pays too
	cycles := firstBurst(p)*3/2 + deliverEvery*(p.Degree+2) + 4*margin
	if costReachable(p) {
		cycles += 4 * p.Gate.Cost
	}
	return cycles
}

// firstBurst is the number of injections that the balance after reset lets through if
// they follow each other: the last one is made before the one before it is paid.
func firstBurst(p *plan.Plan) int { return firstBalance/p.Gate.Cost + 2 }

// deliverEvery is the number of cycles after which the local output moves while the gate
// closes in the opening, which is in the cycle before the last but one of a window: so
// there is no standstill, and an output is blocked in the cycle before each end of a
// window, so that none is low.
const deliverEvery = 1 << plan.StandstillBits

// The opening shows the state after reset before anything has changed it. In cycle
// 0 every link input gets a message of the largest weight, which asks for all that
// it can ask for, and the local input one: every arbiter serves them in its initial
// order. A message is on offer from then on. Little is delivered until the gate has
// closed, then deliveries open it.
func (s *stimulus) open() {
	local := s.plan.Degree
	s.full = s.passed == 0
	if s.full {
		s.sources(1, 0)
	}
	// which asks together with what the links have brought
	if s.passed >= s.plan.Stages-1 && s.passed < s.now.cycles-margin {
		s.rate[local] = 1
	}
	closed := s.injected >= firstBurst(s.plan)-1 && s.since >= deliverEvery
	s.flows = s.flows || closed
	if !s.flows && s.passed%deliverEvery != 1 {
		s.receivers(always, blocked)
	}
	// The feed begins when the inputs are empty. It has gaps, so that the messages are too
	// few to lower a level that is wrong after reset.
	if s.passed > 0 && s.in.LinkValid&^1 == 0 {
		s.weight[0] = 1
		if s.passed < s.now.cycles-margin && s.passed%3 != 0 {
			s.rate[0] = 1
		}
	}
}
