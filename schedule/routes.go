// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"slices"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
)

// exchangePlan says by which jumps the messages of a total exchange with all ports travel in
// every ring, and so how many steps it takes.
type exchangePlan struct {
	graph     *hypercycle.Graph
	rings     []*ring    // by dimension, from 0
	split     *splitItem // nil: the schedule is translated
	dimension int        // of the split item, from 0, or -1
	steps     int
}

// translatedPlan balances every ring.
func translatedPlan(g *hypercycle.Graph) *exchangePlan {
	p := &exchangePlan{graph: g, dimension: -1}
	for i := 1; i <= g.Rank(); i++ {
		d := g.Dimension(i)
		p.rings = append(p.rings, balanced(d, g.Nodes()/d.M))
	}
	p.count()
	return p
}

// balanced is the ring with the smallest load that is found, without a split item.
func balanced(d hypercycle.Dimension, copies int) *ring {
	return balance(d, copies, ringBound(d, copies, nil), nil)
}

// alternatingPlan splits an item to the antipode so that fewer steps are needed than by the
// translated plan, as few as possible. It returns nil if there is no such item, or no such way.
func alternatingPlan(g *hypercycle.Graph) *exchangePlan {
	i := oddDimension(g)
	if i < 0 {
		return nil
	}
	d := g.Dimension(i + 1)
	copies := g.Nodes() / d.M
	var p *exchangePlan
	for goal := Bound(g, collective.TotalExchange, AllPorts, 1); goal < ringBound(d, copies, nil); goal++ {
		split, r := splitAntipode(d, copies, goal)
		if split == nil {
			continue
		}
		if p == nil {
			p = translatedPlan(g)
		}
		p.split, p.dimension, p.rings[i] = split, i, r
		if p.count(); p.steps <= goal {
			return p
		}
	}
	return nil
}

// oddDimension is the dimension, from 0, in which one item to an antipode is left over, or -1.
func oddDimension(g *hypercycle.Graph) int {
	for i := 1; i <= g.Rank(); i++ {
		if d := g.Dimension(i); oddAntipode(d, g.Nodes()/d.M) {
			return i - 1
		}
	}
	return -1
}

// count works out the steps: the messages of the busiest port, or the hops of an item.
func (p *exchangePlan) count() {
	p.steps = p.graph.Diameter()
	hops := 0
	for _, r := range p.rings {
		p.steps = max(p.steps, r.load)
		hops += r.hops
	}
	if hops > p.steps { // then it matters whether the longest ways are those of one item
		for _, hops := range p.routes() {
			p.steps = max(p.steps, len(hops))
		}
	}
}

// routes lists the ports by which the items of every offset travel, in any order; none for the split
// item. The items to an offset and to its negative mirror each other, unless the two are the same.
func (p *exchangePlan) routes() [][]int32 {
	g := p.graph
	a := newAddresses(g)
	routes := make([][]int32, g.Nodes())
	for i, r := range p.rings {
		m := int(a.m[i])
		travel := func(v int32, jumps []int, dir hypercycle.Direction) {
			for j, n := range jumps {
				for range n {
					routes[v] = append(routes[v], int32(g.PortIndex(i+1, dir, j)))
				}
			}
		}
		antipodes, alone := 0, -1 // copies to the antipode so far; the one that the next item that is its own negative mirrors
		for v := int32(1); int(v) < g.Nodes(); v++ {
			x, negative := a.digit(v, i), a.sub(0, v)
			switch {
			case x == 0 || 2*x > m:
			case 2*x < m:
				copy := v/(a.unit[i]*a.m[i])*a.unit[i] + v%a.unit[i]
				travel(v, r.jumps[x][copy], hypercycle.CW)
				travel(negative, r.jumps[x][copy], hypercycle.CCW)
			case v < negative:
				travel(v, r.jumps[x][antipodes], hypercycle.CW)
				travel(negative, r.jumps[x][antipodes], hypercycle.CCW)
				antipodes++
			case v > negative || i == p.dimension: // it has its way, or is split
			case alone < 0:
				travel(v, r.jumps[x][antipodes], hypercycle.CW)
				alone = antipodes
				antipodes++
			default:
				travel(v, r.jumps[x][alone], hypercycle.CCW)
				alone = -1
			}
		}
	}
	return routes
}

// shortestRoutes is routes by the fewest hops.
func shortestRoutes(g *hypercycle.Graph) [][]int32 {
	p := &exchangePlan{graph: g, dimension: -1}
	for i := 1; i <= g.Rank(); i++ {
		d := g.Dimension(i)
		r := &ring{jumps: make([][][]int, d.M/2+1)}
		for x := 1; 2*x <= d.M; x++ {
			jumps := make([]int, d.Rho+1)
			jumps[d.Rho] = x / d.Rho
			if x%d.Rho > 0 {
				jumps[x%d.Rho] = 1
			}
			r.jumps[x] = slices.Repeat([][]int{jumps}, g.Nodes()/d.M)
		}
		p.rings = append(p.rings, r)
	}
	return p.routes()
}
