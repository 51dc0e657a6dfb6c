// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"slices"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
)

// Schedules of one lane, in which nothing waits. In a step a node gives at most one word to the network and gets at most one, so
// that memories with one port hold its words. It may send the word that it gives by several ports. The words of others that
// it sends on use all links.

// OneLaneBound is a lower bound on the steps of an operation of one lane. docs/collectives.md derives it.
//
//   - Lane: a node gives or gets N - 1 words, in different steps.
//   - Journey: the words of a total exchange are under way for S - N + 2 steps or fewer on average, but none for fewer steps
//     than its distance.
//   - What bounds an operation that may use all lanes.
func OneLaneBound(g *hypercycle.Graph, operation string) int {
	bound, others := Bound(g, operation, AllPorts, 1), g.Nodes()-1
	switch operation {
	case collective.Broadcast: // a node gets one word
		return bound
	case collective.TotalExchange:
		return max(bound, others-1+ceil(g.DistanceSum(), others))
	}
	return max(bound, others)
}

// oneLane makes a schedule of one lane.
func (f *flow) oneLane(operation string, root int) *Schedule {
	var s *Schedule
	switch operation {
	case collective.Broadcast:
		s = treeOf(f.graph, hypercycle.Clockwise).broadcast(f.graph, "streaming", AllPorts, root)
	case collective.TotalExchange:
		s = f.exchangeOfOneLane()
	case collective.Scatter, collective.Gather:
		s = f.queue(operation, root)
	default:
		s = path(f.graph).schedule(operation, root)
	}
	s.Bound = OneLaneBound(f.graph, operation)
	return s
}

// path is the all-gather: all items go along one path through all offsets, so that a node gets one in every step. Digit i of the
// offset counts up when the lower digits have taken all their values.
func path(g *hypercycle.Graph) *spread {
	s := &spread{addresses: newAddresses(g), graph: g, algorithm: "streaming", packets: 1, steps: g.Nodes() - 1}
	at := int32(0)
	for step := 1; step < g.Nodes(); step++ {
		i, passed := 0, step
		for passed%int(s.m[i]) == 0 {
			passed /= int(s.m[i])
			i++
		}
		port := int32(g.PortIndex(i+1, hypercycle.CW, 1))
		at = s.add(at, s.shift[port])
		s.arrivals = append(s.arrivals, arrival{step: step, offset: at, port: port})
	}
	return s
}

// queue is the scatter: the root gives the items one after the other, the deepest first, and they go along a tree. They never
// meet, because one that is given later is later at every depth of the tree. A gather has time reversed.
func (f *flow) queue(operation string, root int) *Schedule {
	g, a := f.graph, newAddresses(f.graph)
	parent := treeOf(g, hypercycle.Clockwise)
	depth := make([]int, g.Nodes())
	for v := range parent {
		for at := int32(v); at != 0; at = parent[at] {
			depth[v]++
		}
	}
	order := identity(g.Nodes())[1:]
	slices.SortStableFunc(order, func(u, v int32) int { return depth[v] - depth[u] })
	s := &Schedule{Graph: g, Operation: operation, Algorithm: "streaming", Root: root, Packets: 1, Steps: g.Nodes() - 1, Period: radices(g)}
	for k, v := range order {
		item := collective.Item{Node: a.add(v, int32(root)), For: -1}
		for at := v; at != 0; at = parent[at] {
			from, to := a.add(parent[at], int32(root)), a.add(at, int32(root))
			s.Transfers = append(s.Transfers, collective.Transfer{Step: int32(k + depth[at]), From: from, To: to, Item: item})
		}
	}
	if operation == collective.Gather {
		s.Transfers = reversed(s.Transfers, s.Steps)
	}
	s.sort()
	return s
}

// laneHops bounds the search for a total exchange of one lane in a number of steps, times the effort.
const laneHops = 10_000_000

// exchangeOfOneLane makes a total exchange. The search takes the first places that it finds, and then looks for fewer
// steps between these and the bound.
func (f *flow) exchangeOfOneLane() *Schedule {
	plan := translatedPlan(f.graph)
	routes := plan.routes()
	none := identity(f.graph.Degree())
	try := func(steps, work int, turns bool) *Schedule {
		c := placing{none, turns, true, f.seed, work}
		if hops := c.place(f.graph, routes, steps); hops != nil {
			return exchangeOf(f.graph, hops)
		}
		return nil
	}
	missed := max(plan.steps, OneLaneBound(f.graph, collective.TotalExchange)) - 1
	var best *Schedule
	for more := 2; best == nil; more *= 2 {
		best = try(more*(missed+1), more*firstHops, false)
	}
	for goal := missed + 1; best.Steps > missed+1; goal = (missed + best.Steps) / 2 {
		s := try(goal, f.effort*laneHops, false)
		if s == nil {
			s = try(goal, f.effort*laneHops, true)
		}
		if s != nil {
			best = s
		} else {
			missed = goal
		}
	}
	return best
}
