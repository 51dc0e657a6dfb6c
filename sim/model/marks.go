// SPDX-License-Identifier: Apache-2.0

package model

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
}

// hasEntrant reports whether ring port p has a well-formed entrant: the message that its group offers, or a message that
// requests to transfer.
func (r *Router) hasEntrant(p int) bool {
	q := &r.plan.Ports[p]
	g := &r.groups[q.Dimension-1]
	if g.offers(p) && r.inputs[g.selected].wellFormed() {
		return true
	}
	for _, from := range q.TransferFrom {
		if r.requestsToContinue(from) && r.inputs[linkInput(from)].wellFormed() {
			return true
		}
	}
	return false
}

// step is the clock edge of the marks of a port.
func (m *marks) step(tick bool) {
	passed := m.passed || m.passes
	switch {
	case !m.waiting:
		m.passed, m.once, m.twice = false, false, false
	case tick:
		m.twice = m.twice || m.once && passed
		m.once = m.once || passed
		m.passed = false
	default:
		m.passed = m.passed || m.passes
	}
}

// isHeld reports whether the clock is held: a ring port has `twice` set.
func (r *Router) isHeld() bool {
	for p := range r.outputs {
		if r.outputs[p].marks.twice && !r.options.NoMarks {
			return true
		}
	}
	return false
}
