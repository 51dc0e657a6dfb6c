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
	m := newMatcher(g)
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
// is a known one plus the port's: a maximum matching of ports and offsets. A port prefers
// offsets that so are reached in as many hops as their distance, so that scatters, which
// follow the same ways, make few hops. It looks at the newest known offsets first: then they
// grow along long rings early, and no port lacks an offset to bring later.
type matcher struct {
	degree   int
	to       []int32      // by offset and port
	distance []int32      // by offset
	hops     []int32      // by offset: from 0; -1 if it is not known
	open     [][2][]int32 // by port: known offsets that may lead it to an unknown one, the preferred ones, and the others
	port     []int32      // by offset: 1 + the port that brings it in this step, or 0
	from     []int32      // by offset: the known offset before
	seen     []int32      // by offset: the last search that met it
	mark     int32        // number of this search
}

func newMatcher(g *hypercycle.Graph) *matcher {
	n := g.Nodes()
	m := &matcher{degree: g.Degree(), to: neighbours(g), distance: make([]int32, n), hops: make([]int32, n), open: make([][2][]int32, g.Degree()),
		port: make([]int32, n), from: make([]int32, n), seen: make([]int32, n)}
	for v := range m.distance {
		m.distance[v] = int32(g.Distance(0, v))
	}
	return m
}

// begin makes all offsets unknown but some.
func (m *matcher) begin(known []int32) {
	for v := range m.hops {
		m.hops[v] = -1
	}
	for p := range m.open {
		for k := range m.open[p] {
			m.open[p][k] = m.open[p][k][:0]
		}
	}
	for _, offset := range known {
		m.know(offset, m.distance[offset])
	}
}

func (m *matcher) know(offset, hops int32) {
	m.hops[offset] = hops
	for p := range m.open {
		to := m.to[int(offset)*m.degree+p]
		if m.hops[to] < 0 {
			list := &m.open[p][b2i(hops >= m.distance[to])]
			*list = append(*list, offset)
		}
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
		a.port = m.port[a.offset] - 1
		m.port[a.offset] = 0
		m.know(a.offset, m.hops[m.from[a.offset]]+1)
	}
	return list
}

// augment finds an offset for a port, and other ones for other ports if need be, along an
// alternating path. It returns the offset that is brought in addition.
func (m *matcher) augment(port int32) (int32, bool) {
	bring := func(from, offset int32) { m.port[offset], m.from[offset] = port+1, from }
	for k := range m.open[port] { // one that no port brings yet
		for _, from := range slices.Backward(m.open[port][k]) {
			offset := m.to[int(from)*m.degree+int(port)]
			if m.hops[offset] < 0 && m.port[offset] == 0 && m.seen[offset] != m.mark {
				bring(from, offset)
				return offset, true
			}
		}
	}
	for k := range m.open[port] {
		open := slices.DeleteFunc(m.open[port][k], func(from int32) bool { return m.hops[m.to[int(from)*m.degree+int(port)]] >= 0 })
		m.open[port][k] = open
		for _, from := range slices.Backward(open) {
			offset := m.to[int(from)*m.degree+int(port)]
			if m.seen[offset] == m.mark {
				continue
			}
			m.seen[offset] = m.mark
			if free, ok := m.augment(m.port[offset] - 1); ok {
				bring(from, offset)
				return free, true
			}
		}
	}
	return 0, false
}
