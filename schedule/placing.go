// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"slices"

	"github.com/hcgen/hcgen/hypercycle"
)

// The total exchange in which nothing waits. An item makes its hops in successive steps. So each offset needs an
// order of its hops and a first step, and no two may use a port in the same step. A local search looks for
// them: it moves an offset that shares a port and step with another to where it shares the fewest, and does not move
// it back for some time.
//
// A symmetry of the machine that exchanges ports makes this much easier: the offsets that it exchanges start
// in the same step, and the search places them as one. On a torus of equal rings a quarter turn
// exchanges all four ports, so that four offsets fill the ports in all steps of their journey.

// placer is a state of the search.
type placer struct {
	steps    int
	oneLane  bool // whether a node gives no more than one word in a step, and gets no more
	random   random
	groups   []group
	busy     []int32 // by port and step: hops; with one lane also, behind the ports, words that a node gives, and that it gets
	clashes  int     // hops that are too many
	work     int     // hops that may still be looked at
	clashing []int   // groups
}

// group is a set of offsets that are placed as one.
type group struct {
	offset  int32 // the first
	offsets []int32
	ports   [][]int32 // by number of the offset and port: the port that takes its place
	orders  [][]int32 // of the hops of the first offset: ports
	order   int
	start   int // the step before the first hop
	left    [2]int
	until   int // the turn before which the group does not go back to where it left
}

// placing says what the search may do.
type placing struct {
	symmetry []int32 // of the ports
	turns    bool    // whether hops may have any order, not dimension after dimension alone
	oneLane  bool
	seed     uint64
	work     int // hops that may be looked at
}

// place places the hops of the offsets that have a route in that many steps, or returns nil. A route lists the ports
// of an offset in any order.
func (c placing) place(g *hypercycle.Graph, routes [][]int32, steps int) [][]hop {
	p := &placer{steps: steps, oneLane: c.oneLane, random: random(c.seed), busy: make([]int32, (g.Degree()+2)*steps), work: c.work}
	p.groups = groupsOf(g, routes, c.symmetry)
	slices.SortStableFunc(p.groups, func(x, y group) int { return len(routes[y.offset]) - len(routes[x.offset]) })
	for k := range p.groups {
		w := &p.groups[k]
		w.orders = ordersOf(g, routes[w.offset], c.turns, &p.random)
		if len(w.orders[0]) > steps || p.work < 0 {
			return nil
		}
		w.order, w.left = -1, [2]int{-1, -1}
		p.settle(w, true, 0)
	}
	for turn := 0; p.clashes > 0; turn++ {
		if p.work < 0 {
			return nil
		}
		p.move(turn)
	}
	return p.hops(g)
}

// inTurn is place where the symmetry takes each port to every other. Then offsets that it exchanges fill all
// ports in the steps of their journey, so that they go one after the other. The search places the rest at the end: the offsets
// that are not exchanged with as many others as there are ports, and the nearest others, until they have this
// many times the diameter to travel by each port. It exchanges the rest by a symmetry of its own.
func (c placing) inTurn(g *hypercycle.Graph, routes [][]int32, steps, tail int, symmetry []int32) [][]hop {
	degree := g.Degree()
	rest, hops := make([][]int32, len(routes)), 0
	var full []group
	for _, w := range groupsOf(g, routes, c.symmetry) {
		if len(w.ports) == degree && degree > 1 {
			full = append(full, w)
			continue
		}
		for _, v := range w.offsets {
			rest[v] = routes[v]
			hops += len(routes[v])
		}
	}
	slices.SortStableFunc(full, func(x, y group) int { return len(routes[y.offset]) - len(routes[x.offset]) })
	for len(full) > 0 && hops < tail*g.Diameter()*degree {
		w := full[len(full)-1]
		full = full[:len(full)-1]
		for k, v := range w.offsets {
			rest[v] = mapped(routes[w.offset], w.ports[k])
		}
		hops += len(routes[w.offset]) * degree
	}
	first := 0
	for k := range full {
		w := &full[k]
		w.orders, w.start = ordersOf(g, routes[w.offset], false, nil), first
		first += len(routes[w.offset])
	}
	if len(full) == 0 || steps-first < g.Diameter() {
		return nil
	}
	c.symmetry = symmetry
	list := c.place(g, rest, steps-first)
	for _, hops := range list {
		for k := range hops {
			hops[k].step[0] += int32(first)
			hops[k].step[1] += int32(first)
		}
	}
	if list == nil {
		return nil
	}
	p := &placer{groups: full}
	for v, hops := range p.hops(g) {
		if hops != nil {
			list[v] = hops
		}
	}
	return list
}

// mapped is a list of ports with others in their places.
func mapped(list, ports []int32) []int32 {
	list = slices.Clone(list)
	for k, p := range list {
		list[k] = ports[p]
	}
	return list
}

// hops lists the hops of all offsets.
func (p *placer) hops(g *hypercycle.Graph) [][]hop {
	list := make([][]hop, g.Nodes())
	for _, w := range p.groups {
		for i, offset := range w.offsets {
			for k, port := range mapped(w.orders[w.order], w.ports[i]) {
				step := int32(w.start + k + 1)
				list[offset] = append(list[offset], hop{port, [2]int32{step, step}})
			}
		}
	}
	return list
}

// put adds the hops of a group, or with -1 takes them away.
func (p *placer) put(w *group, by int32) {
	for _, ports := range w.ports {
		for k, port := range w.orders[w.order] {
			p.count(&p.busy[int(ports[port])*p.steps+w.start+k], by)
		}
		if p.oneLane {
			gives, gets := p.lane(len(ports), w.start, len(w.orders[w.order]))
			p.count(gives, by)
			p.count(gets, by)
		}
	}
}

func (p *placer) count(n *int32, by int32) {
	*n += by
	if by > 0 && *n > 1 {
		p.clashes++
	}
	if by < 0 && *n > 0 {
		p.clashes--
	}
}

// lane is where words that begin their journey and words that end it are counted.
func (p *placer) lane(degree, start, hops int) (gives, gets *int32) {
	return &p.busy[degree*p.steps+start], &p.busy[(degree+1)*p.steps+start+hops-1]
}

// shared counts the hops of others at the ports and steps of a group.
func (p *placer) shared(w *group, order []int32, start int) int {
	n := 0
	for _, ports := range w.ports {
		p.work -= len(order)
		for k, port := range order {
			n += int(p.busy[int(ports[port])*p.steps+start+k])
		}
		if p.oneLane {
			gives, gets := p.lane(len(ports), start, len(order))
			n += int(*gives + *gets)
		}
	}
	return n
}

// move moves one of the groups that share a port and step.
func (p *placer) move(turn int) {
	p.clashing = p.clashing[:0]
	for k := range p.groups {
		w := &p.groups[k]
		if p.shared(w, w.orders[w.order], w.start) > len(w.ports)*(len(w.orders[0])+2*b2i(p.oneLane)) {
			p.clashing = append(p.clashing, k)
		}
	}
	w := &p.groups[p.clashing[p.random.below(len(p.clashing))]]
	p.put(w, -1)
	here := [2]int{w.order, w.start}
	p.settle(w, false, turn)
	w.left, w.until = here, turn+len(p.clashing)+p.random.below(10)
}

// settle puts a group where it shares the fewest ports and steps: the first such place, or any, but neither where it is nor where it must not
// go back to.
func (p *placer) settle(w *group, first bool, turn int) {
	here, least, ties := [2]int{w.order, w.start}, -1, 0
	for start := 0; start+len(w.orders[0]) <= p.steps && !(first && least == 0); start++ {
		for order := range w.orders {
			there := [2]int{order, start}
			if there == here || there == w.left && turn < w.until {
				continue
			}
			switch n := p.shared(w, w.orders[order], start); {
			case least < 0 || n < least:
				least, ties, w.order, w.start = n, 1, order, start
			case n == least && !first:
				if ties++; p.random.below(ties) == 0 {
					w.order, w.start = order, start
				}
			}
		}
	}
	p.put(w, 1)
}

// groupsOf groups the offsets with a route that repeated use of a symmetry exchanges. Offsets that fewer uses bring
// back than it takes to bring back every port are alone.
func groupsOf(g *hypercycle.Graph, routes [][]int32, symmetry []int32) []group {
	a := newAddresses(g)
	powers := [][]int32{identity(g.Degree())}
	for next := symmetry; !slices.Equal(next, powers[0]); next = mapped(next, symmetry) {
		powers = append(powers, next)
	}
	var list []group
	done := make([]bool, g.Nodes())
	for v, route := range routes {
		if done[v] || len(route) == 0 {
			continue
		}
		w := group{offset: int32(v), ports: powers}
		for _, ports := range powers {
			offset := int32(0)
			for _, port := range mapped(route, ports) {
				offset = a.add(offset, a.shift[port])
			}
			w.offsets = append(w.offsets, offset)
		}
		if slices.Contains(w.offsets[1:], w.offset) {
			w.offsets, w.ports = w.offsets[:1], powers[:1]
		}
		for _, offset := range w.offsets {
			done[offset] = true
		}
		list = append(list, w)
	}
	return list
}

// symmetries lists permutations of the ports: for equal rings one that takes every ring to the next and turns
// the last round, then one that turns all rings round, then none.
func symmetries(g *hypercycle.Graph) [][]int32 {
	turned, next := make([]int32, g.Degree()), make([]int32, g.Degree())
	equal := g.Rank() > 1
	for p, port := range g.Ports() {
		turned[p] = int32(g.PortIndex(port.Dimension, -port.Direction, port.Distance))
		i, direction := port.Dimension+1, port.Direction
		if i > g.Rank() {
			i, direction = 1, -direction
		}
		if equal = equal && g.Dimension(i) == g.Dimension(port.Dimension); equal {
			next[p] = int32(g.PortIndex(i, direction, port.Distance))
		}
	}
	list := [][]int32{turned, identity(g.Degree())}
	if equal {
		list = append([][]int32{next}, list...)
	}
	return slices.CompactFunc(list, slices.Equal)
}

func identity(n int) []int32 {
	list := make([]int32, n)
	for k := range list {
		list[k] = int32(k)
	}
	return list
}

// maxOrders bounds the orders of an offset's hops.
const maxOrders = 24

// ordersOf lists orders of the hops of an offset: one dimension after the other, in a circle; an antipode either way
// round. With turns it adds others: one dimension after the other from any first one, and random ones.
func ordersOf(g *hypercycle.Graph, route []int32, turns bool, r *random) [][]int32 {
	by := make([][]int32, g.Rank())
	digits := make([]int, g.Rank())
	for _, p := range route {
		port := g.Ports()[p]
		by[port.Dimension-1] = append(by[port.Dimension-1], p)
		digits[port.Dimension-1] += int(port.Direction) * port.Distance
	}
	var list [][]int32
	add := func(order []int32) {
		if !slices.ContainsFunc(list, func(other []int32) bool { return slices.Equal(order, other) }) {
			list = append(list, order)
		}
	}
	for ways := range 1 << g.Rank() { // a bit for each dimension: the other way round
		if len(list) >= maxOrders {
			break
		}
		round := make([][]int32, g.Rank())
		for i, hops := range by {
			round[i] = slices.Clone(hops)
			if ways>>i&1 == 0 {
				continue
			}
			if m := g.Dimension(i + 1).M; 2*digits[i] != m && 2*digits[i] != -m {
				round = nil
				break
			}
			for k, p := range hops {
				port := g.Ports()[p]
				round[i][k] = int32(g.PortIndex(i+1, -port.Direction, port.Distance))
			}
		}
		if round == nil {
			continue
		}
		for _, order := range inCircle(g, round) {
			add(order)
		}
		for first := range round {
			if turns {
				add(slices.Concat(slices.Concat(round[first:]...), slices.Concat(round[:first]...)))
			}
		}
	}
	for plain := len(list); turns && len(list) < maxOrders && plain > 0; plain-- {
		for range maxOrders {
			order := slices.Clone(list[r.below(len(list))])
			shuffle(r, order)
			if len(list) < maxOrders {
				add(order)
			}
		}
	}
	return list
}

// inCircle lists the orders of the hops in each dimension that keep to a circle: first come the clockwise ports of each
// dimension, then the counterclockwise ones. An item leaves a dimension for one that is less than half of the
// circle further. So a port sends on what arrives from few others: on a torus of two dimensions, items that turn into
// it come from one other ring and direction.
func inCircle(g *hypercycle.Graph, hops [][]int32) (list [][]int32) {
	var blocks [][]int32 // hops in a dimension, in the order of the circle
	var at []int         // their places
	for place := range 2 * g.Rank() {
		block := hops[place%g.Rank()]
		if len(block) > 0 && (g.Ports()[block[0]].Direction < 0) == (place >= g.Rank()) {
			blocks, at = append(blocks, block), append(at, place)
		}
	}
	circle, wide := 2*g.Rank(), -1 // the block that half of the circle or more separates from the one before it
	for k := range at {
		if (at[k]-at[(k+len(at)-1)%len(at)]+circle)%circle >= g.Rank() {
			wide = k
		}
	}
	for first := range blocks {
		if wide < 0 || wide == first {
			list = append(list, slices.Concat(slices.Concat(blocks[first:]...), slices.Concat(blocks[:first]...)))
		}
	}
	return list
}
