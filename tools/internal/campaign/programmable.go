// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"math/rand/v2"

	"github.com/hcgen/hcgen/machine"
)

// programmablePorts is the largest number of ports of all nodes in a drawn machine with programmable
// routers, which take much longer to simulate than specialized routers.
const programmablePorts = 48

// drawProgrammable makes some of the machines that can be programmable so, with limits at
// or a little above what they need.
func (m *Machine) drawProgrammable(r *rand.Rand) {
	least, fits := m.leastLimits()
	if n, degree := m.nodes(); !fits || n*degree > programmablePorts || r.IntN(3) > 0 {
		return
	}
	p := *least
	p.Bus = pick(r, []string{machine.Wishbone, machine.AXI4Lite})
	p.MaxDimensions = min(p.MaxDimensions+r.IntN(2), machine.MostDimensions)
	p.MaxNodes = min(p.MaxNodes+r.IntN(3), machine.MostRing)
	usable := min(p.MaxDimensions*(p.MaxNodes-1), machine.MostDegree)
	p.MaxDegree = max(p.MaxDegree, p.MaxDimensions, min(p.MaxNodes-1, 2))
	p.MaxDegree += r.IntN(min(usable-p.MaxDegree, 3) + 1)
	m.Programmable, m.FIFODepth, m.Stages, m.Delivery = &p, 0, 0, ""
}

// leastLimits returns the lowest limits that the machine is within, and whether a
// programmable router can have them.
func (m *Machine) leastLimits() (*machine.Programmable, bool) {
	p := &machine.Programmable{Bus: machine.Wishbone, MaxDimensions: len(m.Dimensions)}
	for _, d := range m.Dimensions {
		p.MaxNodes = max(p.MaxNodes, d.M)
	}
	_, p.MaxDegree = m.nodes()
	return p, p.MaxDimensions <= machine.MostDimensions && p.MaxNodes <= machine.MostRing && p.MaxDegree <= machine.MostDegree
}

// programmable makes the router specialized or, if that does not fail, lowers its limits.
func (s *shrinker) programmable() {
	if s.m.Programmable == nil || s.first(func(m *Machine) { m.Programmable = nil }) {
		return
	}
	s.first(func(m *Machine) { m.Programmable, _ = m.leastLimits() })
}
