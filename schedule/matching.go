// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"slices"

	"github.com/hcgen/hcgen/hypercycle"
)

// matching is an all-gather on any machine. In every step each port brings one offset that
// is not known yet, see matcher. The steps meet the bound if no port is idle before the
// last step; if one is, another port chooses first. With one port the same arrivals
// follow one another, one in a step.
func matching(g *hypercycle.Graph, ports Ports) *spread {
	s := spreadFrom(g, 0)
	s.ports = ports
	if ports == OnePort {
		for k := range s.arrivals {
			s.arrivals[k].step = k + 1
		}
		s.steps = len(s.arrivals)
	}
	return s
}

// spreadFrom is matching with all ports from offsets that are known at the start.
func spreadFrom(g *hypercycle.Graph, known ...int32) *spread {
	m := newMatcher(neighbours(g), g.Degree())
	unknown := g.Nodes() - len(known)
	bound := ceil(unknown, g.Degree())
	s := &spread{addresses: newAddresses(g), graph: g, algorithm: "matching", packets: 1}
	for first := 0; first < g.Degree() && (first == 0 || s.steps > bound); first++ {
		m.begin(known)
		steps, arrivals := 0, make([]arrival, 0, unknown)
		for len(arrivals) < unknown {
			steps++
			for _, a := range m.step(first) {
				a.step = steps
				arrivals = append(arrivals, a)
			}
		}
		if first == 0 || steps < s.steps {
			s.steps, s.arrivals = steps, arrivals
		}
	}
	return s
}

// matchingFromPair is for an all-reduce. If all ports but one would be idle in a step of the reduction
// and of the gather, the two share it: either half of the nodes sums up at one of two
// neighbours, these exchange their sums, and the result spreads from both. It returns nil
// if that does not fit, or does not work out.
func matchingFromPair(g *hypercycle.Graph) *spread {
	if (g.Nodes()-1)%g.Degree() != 1 {
		return nil
	}
	for p := range g.Degree() {
		if g.Opposite(p) == p {
			continue // the port would carry both sums of the node
		}
		second := int32(g.Neighbor(0, p))
		s := spreadFrom(g, 0, second)
		if s.steps > (g.Nodes()-2)/g.Degree() {
			continue
		}
		s.exchanges = true
		s.steps++
		for k := range s.arrivals {
			s.arrivals[k].step++
		}
		s.arrivals = slices.Insert(s.arrivals, 0, arrival{step: 1, offset: second, port: int32(p)})
		return s
	}
	return nil
}

// neighbours lists the neighbours of every node, by node and port.
func neighbours(g *hypercycle.Graph) []int32 {
	list := make([]int32, g.Nodes()*g.Degree())
	for p, port := range g.Ports() {
		unit := 1
		for i := 1; i < port.Dimension; i++ {
			unit *= g.Dimension(i).M
		}
		m := g.Dimension(port.Dimension).M
		jump := (int(port.Direction)*port.Distance + m) % m
		for digit := range m {
			by := (digit+jump)%m*unit - digit*unit
			for high := digit * unit; high < g.Nodes(); high += m * unit {
				for v := high; v < high+unit; v++ {
					list[v*g.Degree()+p] = int32(v + by)
				}
			}
		}
	}
	return list
}

// matcher makes more and more offsets known. In every step each port brings one offset that
// is a known one plus the port's, a maximum matching of ports and offsets. A port looks at
// the newest offsets first: then the known ones grow along long rings early, and no port
// lacks an offset to bring later.
type matcher struct {
	degree int
	to     []int32   // by offset and port
	known  []bool    // by offset
	open   [][]int32 // by port: known offsets that may lead it to an unknown one, the newest last
	by     []int32   // by offset: 1 + the port that brings it in this step, or 0
	seen   []int32   // by offset: the last search that met it
	mark   int32     // number of this search
}

func newMatcher(to []int32, degree int) *matcher {
	offsets := len(to) / degree
	return &matcher{degree: degree, to: to, known: make([]bool, offsets), open: make([][]int32, degree),
		by: make([]int32, offsets), seen: make([]int32, offsets)}
}

// begin makes all offsets unknown but some.
func (m *matcher) begin(known []int32) {
	clear(m.known)
	for p := range m.open {
		m.open[p] = m.open[p][:0]
	}
	for _, offset := range known {
		m.know(offset)
	}
}

func (m *matcher) know(offset int32) {
	m.known[offset] = true
	for p := range m.open {
		m.open[p] = append(m.open[p], offset)
	}
}

// step makes one step and returns what it brings. The ports choose in turn from the first on.
func (m *matcher) step(first int) []arrival {
	list := make([]arrival, 0, m.degree)
	for k := range m.degree {
		m.mark++
		if offset, ok := m.augment(int32((first + k) % m.degree)); ok {
			list = append(list, arrival{offset: offset})
		}
	}
	for k := range list {
		a := &list[k]
		a.port = m.by[a.offset] - 1
		m.by[a.offset] = 0
		m.know(a.offset)
	}
	return list
}

// augment finds an offset for a port, and other ones for other ports if need be, along an
// alternating path. It returns the offset that is brought in addition.
func (m *matcher) augment(port int32) (int32, bool) {
	open := m.open[port]
	for _, from := range slices.Backward(open) { // one that no port brings yet
		offset := m.to[int(from)*m.degree+int(port)]
		if !m.known[offset] && m.by[offset] == 0 && m.seen[offset] != m.mark {
			m.by[offset] = port + 1
			return offset, true
		}
	}
	open = slices.DeleteFunc(open, func(from int32) bool { return m.known[m.to[int(from)*m.degree+int(port)]] })
	m.open[port] = open
	for _, from := range slices.Backward(open) {
		offset := m.to[int(from)*m.degree+int(port)]
		if m.seen[offset] == m.mark {
			continue
		}
		m.seen[offset] = m.mark
		if free, ok := m.augment(m.by[offset] - 1); ok {
			m.by[offset] = port + 1
			return free, true
		}
	}
	return 0, false
}
