// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"math/rand/v2"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/schedule/check"
)

// arrival says that in a step every node y receives, by the links that its neighbours
// know as the port, one packet of the item of node y - offset. So the neighbour has
// that packet from an earlier step.
type arrival struct {
	step   int
	offset int32
	port   int32
	packet int32
}

// spread is a translated all-gather: the arrivals at every node, in order of steps. Every
// other operation but total exchange follows from it.
type spread struct {
	*addresses
	graph     *hypercycle.Graph
	algorithm string
	ports     Ports
	packets   int
	steps     int
	arrivals  []arrival
}

// schedule is the schedule of an operation. Root is that of a rooted one.
func (s *spread) schedule(operation string, root int) *Schedule {
	to := &Schedule{
		Graph: s.graph, Operation: operation, Algorithm: s.algorithm, Ports: s.ports, Packets: s.packets, Steps: s.steps,
		Period: ones(s.graph), Bound: Bound(s.graph, operation, s.ports, s.packets),
	}
	switch operation {
	case check.AllGather:
		to.Transfers = s.gathered(0)
	case check.ReduceScatter:
		to.Transfers = s.reduced()
	case check.AllReduce:
		to.Transfers = append(s.reduced(), s.gathered(s.steps)...)
		to.Steps = 2 * s.steps
	case check.Gather, check.Scatter:
		to.Root, to.Period = root, radices(s.graph)
		to.Transfers = s.rooted(operation, int32(root))
	}
	to.sort()
	return to
}

// gathered is the all-gather by the transfers of node 0, a number of steps later. The
// offset o arrives by port p at node p, so the item is that of node p - o.
func (s *spread) gathered(later int) []Transfer {
	list := make([]Transfer, 0, len(s.arrivals))
	for _, a := range s.arrivals {
		p := s.shift[a.port]
		list = append(list, Transfer{Step: int32(a.step + later), From: 0, To: p, Item: Item{Node: s.sub(p, a.offset), For: -1, Packet: a.packet}})
	}
	return list
}

// reduced is the all-gather with time reversed: what went from x to y in step t brings the
// sum from y to x in step steps + 1 - t.
func (s *spread) reduced() []Transfer {
	list := make([]Transfer, 0, len(s.arrivals))
	for _, a := range s.arrivals {
		p := s.shift[a.port]
		list = append(list, Transfer{Step: int32(s.steps + 1 - a.step), From: 0, To: s.sub(0, p), Item: Item{Node: s.sub(0, a.offset), For: -1, Packet: a.packet}})
	}
	return list
}

// rooted is the gather: of the all-gather, the transfers on the ways to the root. Scatter
// has time reversed.
func (s *spread) rooted(operation string, root int32) []Transfer {
	nodes := s.graph.Nodes()
	by := make([]arrival, nodes*s.packets) // how a node knows an offset
	for _, a := range s.arrivals {
		by[int(a.offset)*s.packets+int(a.packet)] = a
	}
	var list []Transfer
	for o := range int32(nodes) {
		for packet := range int32(s.packets) {
			item := Item{Node: s.sub(root, o), For: -1, Packet: packet}
			for at := o; at != 0; {
				a := by[int(at)*s.packets+int(packet)]
				before := s.sub(at, s.shift[a.port])
				from, to, step := s.add(item.Node, before), s.add(item.Node, at), a.step
				if operation == check.Scatter {
					from, to, step = to, from, s.steps+1-step
				}
				list = append(list, Transfer{Step: int32(step), From: from, To: to, Item: item})
				at = before
			}
		}
	}
	return list
}

// matching grows the set of known offsets step by step. In every step as many ports as
// there can be bring one offset each that is not known yet: a maximum matching between
// ports and offsets. With one port it is one offset a step. With all ports the steps meet
// the bound if none but the last leaves a port without an offset. If one does, the ports
// choose in other orders: each of them first, then in random order, the same in every run.
func matching(g *hypercycle.Graph, ports Ports) *spread {
	const work = 8_000_000 // offsets that random orders look at, about two seconds
	var best *spread
	for try := range g.Degree() + min(20_000, work/g.Nodes()) {
		s := matchingInTurn(g, ports, try)
		if best == nil || s.steps < best.steps {
			best = s
		}
		if best.steps == Bound(g, check.AllGather, ports, 1) {
			break
		}
	}
	return best
}

// matchingInTurn is matching by ports that choose in their order, beginning with that of the try, or from
// as many tries as there are ports on in random order.
func matchingInTurn(g *hypercycle.Graph, ports Ports, try int) *spread {
	m := &matcher{
		spread: &spread{addresses: newAddresses(g), graph: g, algorithm: "matching", ports: ports, packets: 1},
		first:  try,
		known:  make([]bool, g.Nodes()), port: make([]int32, g.Nodes()), next: make([]int, g.Degree()), seen: make([]int32, g.Nodes()),
	}
	if try >= g.Degree() {
		m.random = rand.New(rand.NewPCG(1, uint64(try)))
	}
	m.know(0)
	for len(m.order) < g.Nodes() {
		m.steps++
		m.step()
	}
	return m.spread
}

// matcher is the state of matching.
type matcher struct {
	*spread
	first  int
	random *rand.Rand // of the order of ports and offsets; nil: ports go round from the first
	known  []bool
	order  []int32 // what is known, as it became known
	next   []int   // by port: all before in order are of no use to it any more
	port   []int32 // by offset: 1 + the port that brings it in this step, or 0
	seen   []int32 // by offset: the last search that met it
	mark   int32
}

// turns returns the ports in the order in which they choose in a step.
func (m *matcher) turns() []int {
	if m.random != nil {
		return m.random.Perm(len(m.shift))
	}
	turns := make([]int, len(m.shift))
	for k := range turns {
		turns[k] = (m.first + k) % len(m.shift)
	}
	return turns
}

func (m *matcher) know(offset int32) {
	m.known[offset] = true
	m.order = append(m.order, offset)
}

// step finds what the ports bring in one step.
func (m *matcher) step() {
	end := len(m.order)
	var brought []int32
	for _, p := range m.turns() {
		for m.next[p] < end && m.known[m.add(m.order[m.next[p]], m.shift[p])] {
			m.next[p]++
		}
		m.mark++
		if o, ok := m.augment(int32(p), end); ok {
			brought = append(brought, o)
			if m.ports == OnePort {
				break
			}
		}
	}
	if m.random != nil {
		m.random.Shuffle(len(brought), func(i, j int) { brought[i], brought[j] = brought[j], brought[i] })
	}
	for _, o := range brought {
		m.arrivals = append(m.arrivals, arrival{step: m.steps, offset: o, port: m.port[o] - 1})
		m.know(o)
		m.port[o] = 0
	}
}

// augment finds an offset for a port, and other ones for other ports if need be, along an
// alternating path. It returns the offset that is brought in addition.
func (m *matcher) augment(p int32, end int) (int32, bool) {
	for _, k := range m.order[m.next[p]:end] { // one that no port brings yet
		if o := m.add(k, m.shift[p]); !m.known[o] && m.port[o] == 0 && m.seen[o] != m.mark {
			m.port[o] = p + 1
			return o, true
		}
	}
	for _, k := range m.order[m.next[p]:end] {
		o := m.add(k, m.shift[p])
		if m.known[o] || m.seen[o] == m.mark {
			continue
		}
		m.seen[o] = m.mark
		if free, ok := m.augment(m.port[o]-1, end); ok {
			m.port[o] = p + 1
			return free, true
		}
	}
	return 0, false
}
