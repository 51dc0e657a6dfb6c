// SPDX-License-Identifier: Apache-2.0

package model

// clock is the neighbour clock of a router (docs/architecture.md, "Pace"; with destinations docs/addressed-messages.md,
// "Pace").
type clock struct {
	// Registers.
	pace   uint8
	credit int
	paid   int // cost of the message that completed its handshake at the local input in the previous cycle; 0 if none

	// Wires of the cycle evaluated.
	seen seen
	tick bool // pace advances
}

// seen holds the inputs of the clock from its router in a cycle.
type seen struct {
	offered bool // the local input has a legal message
	pays    int  // cost of the message that completes its handshake at the local input; 0 if none
	held    bool // a ring port has `twice` set
}

// newClock is the clock after reset, with the credit of one broadcast.
func newClock(x *rules) clock { return clock{credit: x.cost} }

// rest is the credit, less the cost of the message whose handshake was in the previous cycle.
func (c *clock) rest() int { return c.credit - c.paid }

// mayStart reports whether the local input may request groups for a message of this cost.
func (c *clock) mayStart(x *rules, cost int) bool { return x.options.NoPace || c.rest() >= cost }

// decide finds whether the pace advances: the router is done with its tick, no neighbour is behind, and the clock is not
// held.
func (c *clock) decide(x *rules, s seen, linkPace []uint8) {
	c.seen = s
	done := c.rest() <= x.doneRest || !s.offered
	c.tick = done && !x.behind(linkPace, x.before(c.pace)) && !s.held
}

// before is the pace of a neighbour that is behind: the router's own minus the lead.
func (x *rules) before(pace uint8) uint8 { return (pace - x.lead) & x.paceMask }

// behind reports whether a neighbour is behind: the pace at a port is that of a neighbour behind the router.
func (x *rules) behind(linkPace []uint8, before uint8) bool {
	for p := range x.plan.Degree {
		if linkPace[p] == before {
			return true
		}
	}
	return false
}

// step is the clock edge.
func (c *clock) step(x *rules) {
	c.credit = c.rest()
	if c.tick {
		c.pace = (c.pace + 1) & x.paceMask
		c.credit = min(c.credit+x.refill, x.cap)
	}
	c.paid = c.seen.pays
}
