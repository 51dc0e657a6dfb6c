// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
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
	met       []arrival // of an all-reduce, between the reduction and the gather: the exchange of a meeting
}

// schedule is the schedule of an operation. Root is that of a rooted one.
func (s *spread) schedule(operation string, root int) *Schedule {
	to := &Schedule{
		Graph: s.graph, Operation: operation, Algorithm: s.algorithm, Ports: s.ports, Packets: s.packets, Steps: s.steps,
		Period: ones(s.graph), Bound: Bound(s.graph, operation, s.ports, s.packets),
	}
	switch operation {
	case collective.AllGather:
		to.Transfers = s.gathered(0)
	case collective.ReduceScatter:
		to.Transfers = s.reduced()
	case collective.AllReduce:
		to.Steps = 2 * s.steps
		if s.met != nil {
			to.Steps++
		}
		to.Transfers = append(s.reduced(), s.gathered(to.Steps-s.steps)...)
		exchange := &spread{addresses: s.addresses, arrivals: s.met}
		to.Transfers = append(to.Transfers, added(exchange.gathered(s.steps+1))...)
	case collective.Gather, collective.Scatter:
		to.Root, to.Period = root, radices(s.graph)
		to.Transfers = s.rooted(operation, int32(root))
	}
	to.sort()
	return to
}

// gathered is the all-gather by the transfers of node 0, a number of steps later. The
// offset o arrives by port p at node p, so the item is that of node p - o.
func (s *spread) gathered(later int) []collective.Transfer {
	list := make([]collective.Transfer, 0, len(s.arrivals))
	for _, a := range s.arrivals {
		p := s.shift[a.port]
		list = append(list, collective.Transfer{Step: int32(a.step + later), From: 0, To: p, Item: collective.Item{Node: s.sub(p, a.offset), For: -1, Packet: a.packet}})
	}
	return list
}

// reduced is the all-gather with time reversed: what went from x to y in step t brings the
// sum from y to x in step steps + 1 - t.
func (s *spread) reduced() []collective.Transfer {
	list := make([]collective.Transfer, 0, len(s.arrivals))
	for _, a := range s.arrivals {
		p := s.shift[a.port]
		list = append(list, collective.Transfer{Step: int32(s.steps + 1 - a.step), From: 0, To: s.sub(0, p), Item: collective.Item{Node: s.sub(0, a.offset), For: -1, Packet: a.packet}, Add: true})
	}
	return list
}

// rooted is the gather: of the all-gather, the transfers on the ways to the root. Scatter
// has time reversed.
func (s *spread) rooted(operation string, root int32) []collective.Transfer {
	nodes := s.graph.Nodes()
	by := make([]arrival, nodes*s.packets) // how a node knows an offset
	for _, a := range s.arrivals {
		by[int(a.offset)*s.packets+int(a.packet)] = a
	}
	var list []collective.Transfer
	for o := range int32(nodes) {
		for packet := range int32(s.packets) {
			item := collective.Item{Node: s.sub(root, o), For: -1, Packet: packet}
			for at := o; at != 0; {
				a := by[int(at)*s.packets+int(packet)]
				before := s.sub(at, s.shift[a.port])
				from, to, step := s.add(item.Node, before), s.add(item.Node, at), a.step
				if operation == collective.Scatter {
					from, to, step = to, from, s.steps+1-step
				}
				list = append(list, collective.Transfer{Step: int32(step), From: from, To: to, Item: item})
				at = before
			}
		}
	}
	return list
}
