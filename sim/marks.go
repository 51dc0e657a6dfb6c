// SPDX-License-Identifier: Apache-2.0

package sim

// marks record in how many ticks of its router's pace the entrants of a ring port have been passed.
type marks struct {
	// Registers.
	passed bool // since the last tick
	once   bool // in a tick
	twice  bool // in two ticks or more

	// Wires of the cycle evaluated.
	waiting bool // the port has a well-formed entrant, and takes no entrant
	passes  bool // the port takes a message that continues
}

// watchEntrants sets the wires of the marks of port p.
func (r *Router) watchEntrants(p int) {
	o := &r.outputs[p]
	entered := o.takes == enters || o.takes == transfers
	o.marks.waiting = !entered && r.hasEntrant(p)
	o.marks.passes = o.takes == continues
	if r.without("a blocked port does not pass", p) {
		o.marks.passes = r.requestsToContinue(r.plan.Ports[p].ContinueFrom)
	}
}

// hasEntrant reports whether ring port p has a well-formed entrant: the message that its group offers, or a message that
// requests to transfer.
func (r *Router) hasEntrant(p int) bool {
	q := &r.plan.Ports[p]
	g := &r.groups[q.Dimension-1]
	if g.offers(p) && r.isEntrant(g.selected, p) && !(g.selected == local && r.without("a message of the local input is an entrant", p)) {
		return true
	}
	for _, from := range q.TransferFrom {
		if r.requestsToContinue(from) && r.isEntrant(linkInput(from), p) && !r.without("a message that transfers is an entrant", p) {
			return true
		}
	}
	return false
}

// isEntrant reports whether the head of input k, which requests to enter or transfer at port p, is well-formed.
func (r *Router) isEntrant(k, p int) bool {
	return r.inputs[k].wellFormed() || r.without("a malformed message is no entrant", p)
}

// step is the clock edge of the marks of port p.
func (m *marks) step(x *rules, p int, tick bool) {
	passed := m.passed || m.passes || x.without("a tick counts only with a pass", p)
	switch {
	case !m.waiting && !x.without("an entry clears the marks", p):
		m.passed, m.once, m.twice = false, false, false
	case tick:
		m.twice = m.twice || (m.once || x.without("the first tick does not hold the clock", p)) && passed && !x.without("the second tick holds the clock", p)
		m.once = m.once || passed
		m.passed = false
	default:
		m.passed = m.passed || m.passes
	}
}

// isHeld reports whether the clock is held: a ring port has `twice` set.
func (r *Router) isHeld() bool {
	for p := range r.outputs {
		if r.outputs[p].marks.twice && !r.ignoreMarks && !r.without("the clock is held", p) {
			return true
		}
	}
	return false
}
