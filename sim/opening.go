// SPDX-License-Identifier: Apache-2.0

package sim

import "github.com/hcgen/hcgen/gen/plan"

// openingCycles is the least length of the opening: until all messages of cycle 0
// have left, deliveries have paid for two more injections, and the feed has ended.
func openingCycles(p *plan.Plan) int {
	// while the gate closes a delivery every deliverEvery cycles pays too
	cycles := burst(p)*3/2 + deliverEvery*(p.Degree+2) + 4*margin
	if capReachable(p) {
		cycles += 4 * p.Gate.Cost
	}
	return cycles
}

// deliverEvery is the number of cycles after which the local output moves in the
// opening: too few to raise the level.
const deliverEvery = 8

// The opening shows the state after reset before anything has changed it. In cycle
// 0 every link input gets a message of the largest weight, which asks for all that
// it can ask for, and the local input one: every arbiter serves them in its initial
// order. A message is on offer from then on and no cycle is quiet. Little is
// delivered until the gate has closed, then deliveries open it.
func (s *stimulus) open() {
	local := s.plan.Degree
	s.full = s.passed == 0
	if s.full {
		s.sources(1, 1)
	}
	s.rate[local] = 1
	// At the cap a delivery would lift a balance that is too low after reset. Later
	// the gate must be seen to close.
	closed := s.injected >= burst(s.plan)-1 && s.since >= deliverEvery-2
	s.flows = s.flows || closed
	if !s.flows && s.passed%deliverEvery != deliverEvery-1 {
		s.manner[local] = blocked
	}
	// The feed begins when the inputs are empty. The last message that has left
	// them is on the local output then, so the cycle is not quiet.
	if s.passed > 0 && s.in.LinkValid&^1 == 0 {
		s.weight[0] = 1
		if s.passed < s.now.cycles-margin {
			s.rate[0] = 1
		}
	}
}
