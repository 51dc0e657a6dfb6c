// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"slices"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
)

// flowing makes a schedule for hardware, in which nothing waits if one is found: an item that arrives in a
// step is sent on in the next one, or never. The search is bounded, and finds the same for the same seed.
//
// It begins with the bound. If it finds nothing there, it allows more steps, and compares what it finds with a
// schedule at the bound in which items wait. The better one has the smaller product of steps and registers, those of
// links and those that hold what waits.
func flowing(g *hypercycle.Graph, r Request) *Schedule {
	f := &flow{g, max(1, r.Effort), r.Seed}
	if r.OneLane {
		return f.oneLane(r.Operation, r.Root)
	}
	switch r.Operation {
	case collective.Broadcast:
		return treeOf(g, hypercycle.Clockwise).broadcast(g, "streaming", AllPorts, r.Root)
	case collective.TotalExchange:
		return f.exchange()
	case collective.Scatter, collective.Gather:
		return f.rooted(r.Operation, r.Root)
	}
	return f.gather(r.Operation, 0)
}

// flow is a search.
type flow struct {
	graph  *hypercycle.Graph
	effort int
	seed   uint64
}

// Work of the searches for one number of steps, times the effort.
const (
	grownOffsets = 1_000_000 // offsets times ports of the trees that are grown, for each rule
	placedHops   = 2_000_000
	firstHops    = 500_000_000
)

// better is the schedule of two with the smaller product of steps and registers; the first if they are the same.
func better(s, t *Schedule) *Schedule {
	if t == nil || s != nil && s.registers() <= t.registers() {
		return s
	}
	return t
}

// registers is the product of the steps and the registers of a node.
func (s *Schedule) registers() int {
	streaming, err := s.Streaming()
	if err != nil {
		panic(err) // it is for hardware
	}
	return s.Steps * (s.Graph.Degree() + streaming.Registers - streaming.Accumulators)
}

// gather makes an all-gather and what follows from it.
func (f *flow) gather(operation string, root int) *Schedule {
	bound := Bound(f.graph, collective.AllGather, AllPorts, 1)
	for more := 0; more <= bound; more = max(more+1, 2*more) {
		steps := bound + more
		for _, turns := range [][][]int32{straight(f.graph), anyTurns(f.graph)} {
			if s := f.grown(steps, turns, false); s != nil && more == 0 {
				return f.frugal(s, operation).schedule(operation, root)
			} else if s != nil {
				return better(f.frugal(s, operation).schedule(operation, root), f.waiting(bound).schedule(operation, root))
			}
		}
	}
	return f.waiting(bound).schedule(operation, root)
}

// waiting is an all-gather in which items wait, as few as are found.
func (f *flow) waiting(steps int) *spread {
	s := f.grown(steps, anyTurns(f.graph), true)
	if s == nil {
		s = matching(f.graph, AllPorts)
		s.algorithm = "streaming"
	}
	return s
}

// grown is an all-gather by a grower, or nil: the first one, or if items may wait that in which the fewest do.
func (f *flow) grown(steps int, turns [][]int32, waiting bool) *spread {
	w := newGrower(f.graph, turns, waiting, f.seed)
	var best []arrival
	fewest := f.graph.Nodes()
	for tries := max(10, f.effort*grownOffsets/(f.graph.Nodes()*f.graph.Degree())); tries > 0; tries-- {
		if w.grow(steps) && w.waits < fewest {
			best, fewest = slices.Clone(w.arrivals), w.waits
			if fewest == 0 {
				break
			}
		}
	}
	if best == nil {
		return nil
	}
	return &spread{addresses: w.addresses, graph: f.graph, algorithm: "streaming", packets: 1, steps: best[len(best)-1].step, arrivals: best}
}

// exchange makes a total exchange.
func (f *flow) exchange() *Schedule {
	plan := translatedPlan(f.graph)
	routes := plan.routes()
	try := func(steps int) *Schedule {
		if hops := f.placed(routes, steps); hops != nil {
			return exchangeOf(f.graph, hops)
		}
		return nil
	}
	best, missed := try(plan.steps), plan.steps // steps for which nothing is found
	if best != nil {
		return best
	}
	for more := 1; best == nil && more <= plan.steps; more *= 2 {
		if best = try(plan.steps + more); best == nil {
			missed = plan.steps + more
		}
	}
	if best == nil { // of large machines the search has hardly begun: the first places that it finds
		c := placing{symmetries(f.graph)[0], false, false, f.seed, f.effort * firstHops}
		if hops := c.place(f.graph, routes, 2*plan.steps); hops != nil {
			return better(exchangeOf(f.graph, hops), f.coloured())
		}
	}
	for best != nil && best.Steps > missed+1 {
		middle := (missed + best.Steps) / 2
		if s := try(middle); s != nil {
			best = s
		} else {
			missed = middle
		}
	}
	return better(best, f.coloured())
}

// coloured is the general total exchange, in which items wait.
func (f *flow) coloured() *Schedule {
	s := exchange(f.graph, AllPorts, nil)
	s.Algorithm = "streaming"
	return s
}

// placed places the hops of a total exchange, by the simplest rules that work.
func (f *flow) placed(routes [][]int32, steps int) [][]hop {
	list := symmetries(f.graph)
	for _, tail := range []int{1, 2} {
		for _, turns := range []bool{false, true} {
			for _, after := range list[max(0, len(list)-2):] {
				c := placing{list[0], turns, false, f.seed, f.effort * placedHops}
				if hops := c.inTurn(f.graph, routes, steps, tail, after); hops != nil {
					return hops
				}
			}
		}
	}
	for _, part := range []int{20, 1} {
		for _, symmetry := range list {
			for _, turns := range []bool{false, true} {
				c := placing{symmetry, turns, false, f.seed, f.effort * placedHops / part}
				if hops := c.place(f.graph, routes, steps); hops != nil {
					return hops
				}
			}
		}
	}
	return nil
}

// exchangeOf is the total exchange with these hops.
func exchangeOf(g *hypercycle.Graph, hops [][]hop) *Schedule {
	s := newExchange(g, "streaming", AllPorts)
	a := newAddresses(g)
	for v, list := range hops {
		s.Transfers = append(s.Transfers, carry(a, int32(v), list, 0, 0)...)
	}
	s.sort()
	s.Steps = int(s.Transfers[len(s.Transfers)-1].Step)
	return s
}
