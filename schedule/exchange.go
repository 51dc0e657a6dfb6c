// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"slices"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/schedule/check"
)

// Progress is told that done of total parts of some work are done.
type Progress func(done, total int)

// exchange is the total exchange. The hops of an item may be made in any order, because
// the group is abelian. So a translated schedule is an edge colouring of the bipartite
// multigraph of offsets and ports, whose colours are the steps; by Koenig's theorem it needs
// no more colours than the largest port load, or the most hops of an item if that is more.
// With one port every step has one hop of one offset.
//
// In a ring of even m whose offsets occur an odd number of times, one item to the antipode is
// left over that loads one direction only. Then nodes of even digit send it clockwise and
// nodes of odd digit counterclockwise; see windows.
func exchange(g *hypercycle.Graph, ports Ports, progress Progress) *Schedule {
	s := &Schedule{Graph: g, Operation: check.TotalExchange, Algorithm: "colouring", Ports: ports, Packets: 1, Period: ones(g), Bound: Bound(g, check.TotalExchange, ports, 1)}
	e := &exchanger{addresses: newAddresses(g), graph: g}
	if ports == OnePort {
		e.serial()
		s.Steps = e.colours
	} else {
		e.route(-1, s.Bound)
		if i := e.uneven(); i >= 0 && e.colours > s.Bound {
			divided := &exchanger{addresses: e.addresses, graph: g}
			if divided.route(i, s.Bound); divided.divide(e.colours-1, progress) {
				e, s.Period[i] = divided, 2
			}
		}
		if e.split == nil {
			if e.begin(); !e.colour(progress) {
				panic("schedule: without windows every hop finds a colour")
			}
		}
		s.Steps = e.colours
	}
	s.Transfers = e.transfers(s.Period)
	s.sort()
	return s
}

// hop is one hop of an item.
type hop struct {
	port   int32
	colour int32 // step, from 0
	other  int32 // if the item is held up until another step: that step, else colour
}

// exchanger makes one total exchange.
type exchanger struct {
	*addresses
	graph   *hypercycle.Graph
	colours int
	hops    [][]hop // by offset
	at      [][]int32
	free    [][]int32 // by port: colours that are free
	place   [][]int32 // by port and colour: where it is in free
	split   *splitItem
}

// What at holds beside offsets.
const (
	unused = -1
	locked = -2
)

// splitItem is the item to the antipode that nodes of even digit send clockwise.
type splitItem struct {
	dimension int // from 0
	jumps     []int
	order     []int    // jumps one after the other
	steps     []int    // their steps, from 0
	windows   []window // pairs of jumps of one distance
}

// window is a pair of steps in which the split item makes a jump of one distance, in
// the first at an even digit, in the second at an odd one, of nodes that send clockwise.
// What it leaves of both carries one hop of another item in each direction.
type window struct {
	jump      int
	even, odd int // steps, from 0
}

// attempts is how many choices of items for the windows are tried.
const attempts = 40

// divide colours the hops and those of the split item, with at most so many colours. It
// reports false if that fails.
func (e *exchanger) divide(most int, progress Progress) bool {
	for ; e.colours <= most; e.colours++ {
		for try := range attempts {
			if e.begin(); e.windows(try) && e.colour(progress) {
				return true
			}
		}
	}
	return false
}

// serial makes hop after hop, by shortest ways.
func (e *exchanger) serial() {
	e.hops = make([][]hop, e.graph.Nodes())
	for v := int32(1); int(v) < e.graph.Nodes(); v++ {
		for i := range e.m {
			d := e.graph.Dimension(i + 1)
			x, dir := e.digit(v, i), hypercycle.CW
			if 2*x > d.M {
				x, dir = d.M-x, hypercycle.CCW
			}
			for x > 0 {
				jump := (x-1)%d.Rho + 1
				e.hops[v] = append(e.hops[v], hop{port: int32(e.graph.PortIndex(i+1, dir, jump)), colour: int32(e.colours)})
				e.colours++
				x -= jump
			}
		}
	}
	e.settle()
}

// settle is for hops that are not held up.
func (e *exchanger) settle() {
	for _, hops := range e.hops {
		for k := range hops {
			hops[k].other = hops[k].colour
		}
	}
}

// uneven is the dimension, from 0, in which an item to the antipode is left over, or -1.
func (e *exchanger) uneven() int {
	for i := range e.m {
		if d := e.graph.Dimension(i + 1); d.M%2 == 0 && d.D() > 1 && e.graph.Nodes()/d.M%2 == 1 {
			return i
		}
	}
	return -1
}

// route gives every item its hops, and tells how many colours they need, hopefully no more
// than the goal. In dimension split, unless it is -1, an item is split.
func (e *exchanger) route(split, goal int) {
	nodes := e.graph.Nodes()
	e.hops = make([][]hop, nodes)
	load := make([]int, 0, len(e.shift))
	for i := range e.m {
		d := e.graph.Dimension(i + 1)
		within := goal
		if i == e.uneven() && i != split {
			within = max(goal, oneWay(d, nodes/d.M)) // no less is possible
		}
		r := balance(d, nodes/d.M, within, i == split)
		first := int32(len(load))
		load = append(load, r.loads(d.Degree())...)
		if i == split {
			e.split = &splitItem{dimension: i, jumps: r.split}
			for j, n := range r.split {
				for _, dir := range []hypercycle.Direction{hypercycle.CW, hypercycle.CCW} {
					if j > 0 {
						load[e.graph.PortIndex(i+1, dir, j)] += ceil(n, 2)
					}
				}
			}
		}
		for v := int32(1); int(v) < nodes; v++ {
			x := e.digit(v, i)
			if x == 0 || i == split && int(v) == d.M/2*int(e.unit[i]) {
				continue
			}
			rest := v/(e.unit[i]*e.m[i])*e.unit[i] + v%e.unit[i]
			for p, n := range r.way[x][rest] {
				for range n {
					e.hops[v] = append(e.hops[v], hop{port: first + int32(p), colour: unused, other: unused})
				}
			}
		}
	}
	e.colours = max(slices.Max(load), e.graph.Diameter())
	for _, hops := range e.hops {
		e.colours = max(e.colours, len(hops))
	}
}

// begin makes all colours of all ports free, and takes them from all hops.
func (e *exchanger) begin() {
	e.at, e.free, e.place = nil, nil, nil
	for _, hops := range e.hops {
		for k := range hops {
			hops[k].colour, hops[k].other = unused, unused
		}
	}
	for range e.shift {
		at, free, place := make([]int32, e.colours), make([]int32, e.colours), make([]int32, e.colours)
		for c := range at {
			at[c], free[c], place[e.colours-1-c] = unused, int32(e.colours-1-c), int32(c)
		}
		e.at, e.free, e.place = append(e.at, at), append(e.free, free), append(e.place, place)
	}
}

// use takes a colour of a port for an offset, or locks it.
func (e *exchanger) use(port, colour, what int32) {
	e.at[port][colour] = what
	free, at := e.free[port], e.place[port][colour]
	last := free[len(free)-1]
	free[at], e.place[port][last] = last, at
	e.free[port] = free[:len(free)-1]
}

// release is the inverse of use.
func (e *exchanger) release(port, colour int32) {
	e.at[port][colour] = unused
	e.place[port][colour] = int32(len(e.free[port]))
	e.free[port] = append(e.free[port], colour)
}

// windows places the split item and those that use what it leaves, one choice of them for
// every try. It reports false if there are not enough of them.
func (e *exchanger) windows(try int) bool {
	s := e.split
	s.order, s.steps, s.windows = nil, nil, nil
	// Every odd jump toggles the parity of the digit. Equal odd ones follow each other, and even
	// ones stand in pairs around an odd one.
	var odd, even []int
	for j := len(s.jumps) - 1; j >= 1; j-- {
		for n := 0; n < s.jumps[j]; n++ {
			switch {
			case j%2 == 1:
				odd = append(odd, j)
			case n%2 == 0: // the second of a pair follows the odd jump
				even = append(even, j)
			}
		}
	}
	if len(odd) == 0 {
		return false
	}
	for k, j := range odd {
		around := even[k*len(even)/len(odd) : (k+1)*len(even)/len(odd)]
		s.order = append(append(s.order, around...), j)
		for i, x := range around {
			alone := s.jumps[x]%2 == 1 && (i+1 == len(around) || around[i+1] != x) && k == lastAround(even, len(odd), x)
			if !alone {
				s.order = append(s.order, x)
			}
		}
	}
	if len(s.order) > e.colours {
		return false
	}
	digit := 0
	waiting := make([][2][]int, len(s.jumps)) // by jump and parity: steps that have no partner
	for step, j := range s.order {
		s.steps = append(s.steps, step)
		parity := digit % 2
		digit += j
		if others := waiting[j][1-parity]; len(others) > 0 {
			w := window{jump: j, even: step, odd: others[0]}
			if parity == 1 {
				w.even, w.odd = w.odd, w.even
			}
			s.windows = append(s.windows, w)
			waiting[j][1-parity] = others[1:]
			continue
		}
		waiting[j][parity] = append(waiting[j][parity], step)
	}
	for k, j := range s.order {
		for _, dir := range []hypercycle.Direction{hypercycle.CW, hypercycle.CCW} {
			e.use(int32(e.graph.PortIndex(s.dimension+1, dir, j)), int32(s.steps[k]), locked)
		}
	}
	return e.fill(try)
}

// lastAround is the odd jump, of so many, that the last even jump of a distance stands around.
func lastAround(even []int, odd, distance int) int {
	at := 0
	for i, j := range even {
		if j == distance {
			at = i
		}
	}
	k := 0
	for (k+1)*len(even)/odd <= at {
		k++
	}
	return k
}

// fill gives the windows to items with few hops.
func (e *exchanger) fill(try int) bool {
	taken := make([]bool, len(e.hops))
	random := uint64(try)
	for _, w := range e.split.windows {
		first, last := min(w.even, w.odd), max(w.even, w.odd)
		for _, dir := range []hypercycle.Direction{hypercycle.CW, hypercycle.CCW} {
			port := int32(e.graph.PortIndex(e.split.dimension+1, dir, w.jump))
			var fit []int32
			for v, hops := range e.hops {
				if !taken[v] && len(hops)+last-first <= e.colours && slices.ContainsFunc(hops, func(h hop) bool { return h.port == port }) {
					fit = append(fit, int32(v))
				}
			}
			if len(fit) == 0 {
				return false
			}
			slices.SortStableFunc(fit, func(a, b int32) int { return len(e.hops[a]) - len(e.hops[b]) })
			v := fit[0]
			if try > 0 {
				random = random*6364136223846793005 + 1442695040888963407
				v = fit[random>>33%uint64(len(fit))]
			}
			taken[v] = true
			k := slices.IndexFunc(e.hops[v], func(h hop) bool { return h.port == port })
			h := hop{port: port, colour: int32(w.odd), other: int32(w.even)} // at an even digit the odd step is free
			if dir == hypercycle.CCW {
				h.colour, h.other = h.other, h.colour
			}
			e.hops[v] = slices.Concat([]hop{h}, e.hops[v][:k], e.hops[v][k+1:])
		}
	}
	return true
}

// fixed reports how many of the first hops of an item have their steps already.
func fixed(hops []hop) int { return b2i(len(hops) > 0 && hops[0].colour != hops[0].other) }

// colour gives every hop a step in which neither its port nor its item has another one. It
// reports false if windows stand in the way.
func (e *exchanger) colour(progress Progress) bool {
	busy := make([]int32, e.colours) // by colour: the last item that has it
	for v, hops := range e.hops {
		if progress != nil && v%1024 == 0 {
			progress(v, len(e.hops))
		}
		n := fixed(hops)
		if n == 1 { // it waits for the whole window
			for c := min(hops[0].colour, hops[0].other); c <= max(hops[0].colour, hops[0].other); c++ {
				busy[c] = int32(v)
			}
		}
		for k := n; k < len(hops); k++ {
			p := hops[k].port
			free := e.free[p]
			c := int32(-1)
			for at := len(free) - 1; at >= 0 && c < 0; at-- {
				if busy[free[at]] != int32(v) {
					c = free[at]
				}
			}
			if c < 0 {
				if c = e.exchangeColours(p, int32(v), busy); c < 0 {
					return false
				}
			}
			e.use(p, c, int32(v))
			hops[k].colour, hops[k].other = c, c
			busy[c] = int32(v)
		}
	}
	return true
}

// find returns the hop of an item that has a colour, or -1; it returns -2 if the item is held
// up in that step.
func (e *exchanger) find(v, colour int32) int {
	for k, h := range e.hops[v] {
		if h.colour != h.other {
			if colour >= min(h.colour, h.other) && colour <= max(h.colour, h.other) {
				return -2
			}
		} else if h.colour == colour {
			return k
		}
	}
	return -1
}

// exchangeColours frees a colour at a port that is free at an item, along a path of two
// alternating colours, and returns it; -1 if all paths meet a window.
func (e *exchanger) exchangeColours(port, item int32, busy []int32) int32 {
	for b := range int32(e.colours) {
		if busy[b] == item || e.at[port][b] < 0 {
			continue
		}
		for _, a := range e.free[port] {
			if e.swap(port, a, b, item) {
				return b
			}
		}
	}
	return -1
}

// swap exchanges colours a and b along the path that begins with the item that has b at a
// port where a is free. Hops of the item that is being coloured are those before it.
func (e *exchanger) swap(port, a, b, item int32) bool {
	type edge struct{ v, k int32 }
	var path []edge
	from, to := b, a // colours of the next edge, now and then
	for p := port; ; {
		v := e.at[p][from]
		if v == locked {
			return false
		}
		if v == unused {
			break
		}
		k := -1
		for i, h := range e.hops[v] {
			if h.port == p && h.colour == from && h.other == from {
				k = i
			}
		}
		if k < 0 {
			return false
		}
		path = append(path, edge{v, int32(k)})
		next := e.find(v, to)
		if next == -2 {
			return false
		}
		if next < 0 {
			break
		}
		path = append(path, edge{v, int32(next)})
		p = e.hops[v][next].port
		if e.at[p][from] == locked {
			return false
		}
	}
	for _, x := range path {
		h := e.hops[x.v][x.k]
		e.release(h.port, h.colour)
	}
	for _, x := range path {
		h := &e.hops[x.v][x.k]
		h.colour = a + b - h.colour
		h.other = h.colour
		e.use(h.port, h.colour, x.v)
	}
	return true
}

// transfers lists the transfers of the nodes whose digits are below the period.
func (e *exchanger) transfers(period []int) []Transfer {
	var list []Transfer
	froms := []int32{0}
	if e.split != nil && period[e.split.dimension] == 2 {
		froms = append(froms, e.unit[e.split.dimension])
		list = e.splitTransfers(froms)
	}
	for v, hops := range e.hops {
		slices.SortFunc(hops, func(a, b hop) int { return int(a.colour - b.colour) })
		offset := int32(0)
		for _, h := range hops {
			for k, from := range froms {
				step := h.colour
				if k == 1 {
					step = h.other
				}
				source := e.sub(from, offset)
				list = append(list, Transfer{Step: step + 1, From: from, To: e.add(from, e.shift[h.port]), Item: Item{Node: source, For: e.add(source, int32(v))}})
			}
			offset = e.add(offset, e.shift[h.port])
		}
	}
	return list
}

// splitTransfers lists those of the split item.
func (e *exchanger) splitTransfers(froms []int32) []Transfer {
	var list []Transfer
	i := e.split.dimension
	offset := int32(0)
	for k, j := range e.split.order {
		for digit, from := range froms {
			dir, source := hypercycle.CW, e.sub(from, offset)
			if (e.digit(offset, i)+digit)%2 == 1 {
				dir, source = hypercycle.CCW, e.add(from, offset)
			}
			to := e.add(from, e.shift[e.graph.PortIndex(i+1, dir, j)])
			list = append(list, Transfer{Step: int32(e.split.steps[k]) + 1, From: from, To: to, Item: Item{Node: source, For: e.add(source, e.m[i]/2*e.unit[i])}})
		}
		offset = e.add(offset, int32(j)*e.unit[i])
	}
	return list
}
