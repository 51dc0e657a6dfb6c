// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"slices"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
)

// Progress is called when done of total parts of some work are complete.
type Progress func(done, total int)

// exchange is the translated total exchange. The hops of an item may be made in any order,
// because the group is abelian. So with all ports the schedule is an edge colouring of the
// bipartite multigraph of offsets and ports, whose edges are hops and whose colours are
// steps. By Koenig's theorem it takes as many steps as the busiest port has messages, or as
// an item has hops if that is more. With one port a step has one hop of one offset.
func exchange(g *hypercycle.Graph, ports Ports, progress Progress) *Schedule {
	s := newExchange(g, "colouring", ports)
	var steps [][]int32 // by offset and hop, from 0
	var routes [][]int32
	if ports == AllPorts {
		p := translatedPlan(g)
		routes, s.Steps = p.routes(), p.steps
		steps = colourEdges(routes, g.Degree(), s.Steps, progress)
	} else {
		routes = shortestRoutes(g)
		steps = make([][]int32, len(routes))
		for v, hops := range routes {
			for range hops {
				steps[v] = append(steps[v], int32(s.Steps))
				s.Steps++
			}
		}
	}
	a := newAddresses(g)
	for v, ports := range routes {
		var hops []hop
		for k, port := range ports {
			hops = append(hops, hop{port, [2]int32{steps[v][k] + 1}})
		}
		s.Transfers = append(s.Transfers, carry(a, int32(v), hops, 0, 0)...)
	}
	s.sort()
	return s
}

// newExchange is a translated total exchange without transfers.
func newExchange(g *hypercycle.Graph, algorithm string, ports Ports) *Schedule {
	return &Schedule{Graph: g, Operation: collective.TotalExchange, Algorithm: algorithm, Ports: ports, Packets: 1, Period: ones(g), Bound: Bound(g, collective.TotalExchange, ports, 1)}
}

// hop is one hop of an item: its port, and the steps, from 1, in which nodes of even and of
// odd digit make it. They only differ in alternating schedules.
type hop struct {
	port int32
	step [2]int32
}

// carry lists the transfers by which a node, of even or odd digit, takes part in carrying the
// items of an offset: hop k of the item whose source lies k hops before the node.
func carry(a *addresses, offset int32, hops []hop, node int32, parity int) []collective.Transfer {
	slices.SortFunc(hops, func(x, y hop) int { return int(x.step[parity] - y.step[parity]) })
	list := make([]collective.Transfer, 0, len(hops))
	source := node
	for _, h := range hops {
		list = append(list, collective.Transfer{Step: h.step[parity], From: node, To: a.add(node, a.shift[h.port]), Item: collective.Item{Node: source, For: a.add(source, offset)}})
		source = a.sub(source, a.shift[h.port])
	}
	return list
}
