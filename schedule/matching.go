// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"iter"

	"github.com/hcgen/hcgen/hypercycle"
)

// matching is an all-gather on any machine. In every step each port brings one offset that
// is not known yet, see matcher. The steps meet the bound if no port is idle before the
// last step. With one port the same arrivals follow one another, one in a step.
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

// spreadFrom is matching with all ports from offsets that are known at the start. Ports that look
// at the oldest offsets first make the shortest ways; where they miss the bound, ports
// that look at the newest first meet it, because the known offsets grow along long rings
// early. If need be another port chooses first.
func spreadFrom(g *hypercycle.Graph, known ...int32) *spread {
	m := newMatcher(g)
	bound := ceil(g.Nodes()-len(known), g.Degree())
	s := &spread{addresses: newAddresses(g), graph: g, algorithm: "matching", packets: 1}
	s.steps, s.arrivals = m.grow(known, bound)
	m.newest = true
	for m.first = 0; s.arrivals == nil && m.first < g.Degree(); m.first++ {
		s.steps, s.arrivals = m.grow(known, bound)
	}
	if s.arrivals == nil {
		m.first = 0
		s.steps, s.arrivals = m.grow(known, g.Nodes())
	}
	return s
}

// matcher makes more and more offsets known. In every step each port brings one offset that
// is a known one plus the port's: a maximum matching of ports and offsets. A port prefers
// offsets that so are reached in as many hops as their distance, because scatters follow
// the same ways.
type matcher struct {
	degree   int
	to       []int32      // by offset and port
	distance []int32      // by offset
	first    int          // the port that chooses first
	newest   bool         // ports look at the newest known offsets first
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

// grow makes all offsets known and returns the steps and the arrivals, or none if that takes more
// steps than allowed.
func (m *matcher) grow(known []int32, most int) (steps int, arrivals []arrival) {
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
	unknown := len(m.hops) - len(known)
	arrivals = make([]arrival, 0, unknown)
	for len(arrivals) < unknown {
		if steps+ceil(unknown-len(arrivals), m.degree) > most {
			return 0, nil
		}
		steps++
		for _, a := range m.step() {
			a.step = steps
			arrivals = append(arrivals, a)
		}
	}
	return steps, arrivals
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

// step makes one step and returns what it brings.
func (m *matcher) step() []arrival {
	list := make([]arrival, 0, m.degree)
	for k := range m.degree {
		m.mark++
		if offset, ok := m.augment(int32((m.first + k) % m.degree)); ok {
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
	m.trim(port)
	for k := range m.open[port] { // one that no port brings yet
		for from, offset := range m.candidates(port, k) {
			if m.port[offset] == 0 && m.seen[offset] != m.mark {
				m.port[offset], m.from[offset] = port+1, from
				return offset, true
			}
		}
	}
	for k := range m.open[port] {
		for from, offset := range m.candidates(port, k) {
			if m.seen[offset] == m.mark {
				continue
			}
			m.seen[offset] = m.mark
			if free, ok := m.augment(m.port[offset] - 1); ok {
				m.port[offset], m.from[offset] = port+1, from
				return free, true
			}
		}
	}
	return 0, false
}

// candidates yields the known offsets of a list, and the unknown one that the port brings from there.
func (m *matcher) candidates(port int32, list int) iter.Seq2[int32, int32] {
	return func(yield func(int32, int32) bool) {
		open := m.open[port][list]
		for k := range open {
			from := open[k]
			if m.newest {
				from = open[len(open)-1-k]
			}
			if to := m.bring(port, from); m.hops[to] < 0 && !yield(from, to) {
				return
			}
		}
	}
}

// trim drops what leads nowhere any more from the end of the lists that is looked at first.
func (m *matcher) trim(port int32) {
	for k, open := range m.open[port] {
		for len(open) > 0 && !m.newest && m.hops[m.bring(port, open[0])] >= 0 {
			open = open[1:]
		}
		for len(open) > 0 && m.newest && m.hops[m.bring(port, open[len(open)-1])] >= 0 {
			open = open[:len(open)-1]
		}
		m.open[port][k] = open
	}
}

// bring is the offset that a port brings from another one.
func (m *matcher) bring(port, from int32) int32 { return m.to[int(from)*m.degree+int(port)] }
