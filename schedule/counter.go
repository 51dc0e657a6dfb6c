// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
)

// Count is how many steps the general schedule of an operation takes.
type Count struct {
	Operation    string
	Ports        Ports
	Steps, Bound int
}

// Counter counts the steps of the general schedules of many machines. It makes no schedule
// where the steps follow from something else: the distances, the number of offsets, or the
// loads of the ports, by Koenig's theorem. It remembers those of rings, which many machines
// share.
type Counter struct {
	rings  map[ringKey]ringFigures
	splits map[ringKey]ringFigures // with a split item
}

type ringKey struct {
	hypercycle.Dimension
	copies, goal int
}

// ringFigures are those of a ring; load is 0 if there is no such ring.
type ringFigures struct{ load, hops int }

// NewCounter returns a Counter.
func NewCounter() *Counter {
	return &Counter{map[ringKey]ringFigures{}, map[ringKey]ringFigures{}}
}

// Count counts the steps of all operations, with all ports and with one.
func (c *Counter) Count(g *hypercycle.Graph) []Count {
	gather := matching(g, AllPorts).steps
	reduce := 2 * gather
	if s := meeting(g); s != nil {
		reduce = 2*s.steps + 1
	}
	_, doubled := doubling(g)
	var list []Count
	for _, operation := range collective.Operations() {
		all, one := gather, g.Nodes()-1
		switch operation {
		case collective.Broadcast:
			all, one = g.Diameter(), doubled
		case collective.TotalExchange:
			all, one = c.exchange(g), g.DistanceSum()
		case collective.AllReduce:
			all, one = reduce, 2*one
		}
		list = append(list, Count{operation, AllPorts, all, Bound(g, operation, AllPorts, 1)}, Count{operation, OnePort, one, Bound(g, operation, OnePort, 1)})
	}
	return list
}

// exchange counts those of a total exchange with all ports: of its plan, which is only made if it
// is in question whether the hops of one item are more than the messages of any port.
func (c *Counter) exchange(g *hypercycle.Graph) int {
	steps, hops := c.without(g, -1)
	if hops > steps {
		steps = translatedPlan(g).steps
	}
	if steps == Bound(g, collective.TotalExchange, AllPorts, 1) || !unevenAntipode(g) {
		return steps
	}
	i := oddDimension(g)
	d := g.Dimension(i + 1)
	others, otherHops := c.without(g, i)
	for goal := Bound(g, collective.TotalExchange, AllPorts, 1); goal < steps; goal++ {
		key := ringKey{d, g.Nodes() / d.M, goal}
		r, known := c.splits[key]
		if !known {
			if _, found := splitAntipode(d, key.copies, goal); found != nil {
				r = ringFigures{found.load, found.hops}
			}
			c.splits[key] = r
		}
		switch {
		case r.load == 0:
		case r.hops+otherHops > goal:
			if p := alternatingPlan(g); p != nil {
				return p.steps
			}
			return steps
		case max(r.load, others) <= goal:
			return max(r.load, others)
		}
	}
	return steps
}

// without returns the messages of the busiest port and the most hops that an item can have, all
// dimensions but one counted, from 0.
func (c *Counter) without(g *hypercycle.Graph, dimension int) (load, hops int) {
	load = g.Diameter()
	for i := range g.Rank() {
		if i == dimension {
			continue
		}
		d := g.Dimension(i + 1)
		key := ringKey{d, g.Nodes() / d.M, 0}
		r, known := c.rings[key]
		if !known {
			made := balanced(d, key.copies)
			r = ringFigures{made.load, made.hops}
			c.rings[key] = r
		}
		load, hops = max(load, r.load), hops+r.hops
	}
	return load, hops
}
