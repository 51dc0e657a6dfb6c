// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"iter"
	"slices"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
)

// A translated schedule treats all nodes alike. If a machine has an odd number of copies of a
// ring of even m, one item to the antipode is left over that loads one direction only. The
// alternating total exchange splits that item.
//
//   - Nodes of even digit send it clockwise, nodes of odd digit counterclockwise, by the same
//     jumps in steps 1, 2, ... So in each of these steps it uses one direction of the jump's
//     links at the nodes of even digit, and the other direction at those of odd digit.
//   - Two steps with the same jump, in which it is at digits of different parity, are a window.
//     Together they leave room for one message on every link of that distance: on one half
//     of the links in one step, on the other half in the other. The items to an offset and to
//     its negative make one of their hops there.
//   - Everything else is translated and mirrored: what a node does with the item to an offset by a
//     port, it does with that to the negative by the opposite port in the same step. So the
//     steps are an edge colouring of pairs of offsets and pairs of ports. The split item and
//     those in its windows are one vertex, so that their other hops are in other steps.

// splitItem is the item to the antipode of a ring that is split.
type splitItem struct {
	jumps   []int // in steps 1, 2, ..
	windows []window
}

// window is a pair of steps in which the split item makes the same jump.
type window struct {
	jump   int
	steps  [2]int // in which the item, sent clockwise, jumps at an even digit, and at an odd one
	offset int    // within the ring, below m/2: the item that makes the jump, too
}

// newSplitItem takes the number of jumps of every distance and orders them so that as many as
// possible have a window. Even jumps need an odd one between the two of a window.
func newSplitItem(counts []int) *splitItem {
	s := &splitItem{}
	var odd, even []int
	for j := len(counts) - 1; j >= 1; j-- {
		for n := range counts[j] {
			switch {
			case j%2 == 1:
				odd = append(odd, j)
			case n%2 == 0:
				s.jumps = append(s.jumps, j)
			default:
				even = append(even, j)
			}
		}
	}
	if len(odd) > 0 {
		s.jumps = append(s.jumps, odd[0])
		odd = odd[1:]
	}
	s.jumps = slices.Concat(s.jumps, even, odd)
	parity := 0
	waiting := make([][2][]int, len(counts)) // by jump and parity: steps without a partner
	for k, j := range s.jumps {
		step := k + 1
		if others := waiting[j][1-parity]; len(others) > 0 {
			w := window{jump: j}
			w.steps[parity], w.steps[1-parity] = step, others[0]
			s.windows = append(s.windows, w)
			waiting[j][1-parity] = others[1:]
		} else {
			waiting[j][parity] = append(waiting[j][parity], step)
		}
		parity = (parity + j) % 2
	}
	return s
}

// loads returns, by distance, the load that the item puts on the ports of each direction. A window
// counts once; a jump without one leaves its links idle at the nodes of one parity.
func (s *splitItem) loads(rho int) []int {
	loads := make([]int, rho+1)
	for _, j := range s.jumps {
		loads[j]++
	}
	for _, w := range s.windows {
		loads[w.jump]--
	}
	return loads
}

// fill chooses items within the ring for the windows, those with the fewest hops, and returns the
// jumps of the split item and the other hops of those. It reports false if there are too few.
func (s *splitItem) fill(r *ring) (hops int, ok bool) {
	hops = len(s.jumps)
	taken := make([]bool, len(r.jumps))
	for k := range s.windows {
		w := &s.windows[k]
		w.offset = 0
		for x := 1; x < len(r.jumps)-1; x++ {
			if !taken[x] && r.jumps[x][0][w.jump] > 0 && (w.offset == 0 || sum(r.jumps[x][0]) < sum(r.jumps[w.offset][0])) {
				w.offset = x
			}
		}
		if w.offset == 0 {
			return 0, false
		}
		taken[w.offset] = true
		hops += sum(r.jumps[w.offset][0]) - 1
	}
	return hops, true
}

// splitAntipode chooses the jumps of the split item, those with few hops first, so that no port of
// the ring carries more messages than the goal, and the vertex of the split item has no more
// edges. It returns nil if it finds none.
func splitAntipode(d hypercycle.Dimension, copies, goal int) (*splitItem, *ring) {
	const tries = 10_000
	for try, counts := range fewJumps(d.M/2, d.Rho) {
		s := newSplitItem(counts)
		if loads := s.loads(d.Rho); ringBound(d, copies, loads) <= goal {
			r := balance(d, copies, goal, loads)
			if hops, ok := s.fill(r); ok && max(hops, r.load) <= goal {
				return s, r
			}
		}
		if try == tries {
			break
		}
	}
	return nil, nil
}

// fewJumps numbers the ways to make x of jumps 1 to rho, those of the fewest first, each as the
// number of jumps of every distance.
func fewJumps(x, rho int) iter.Seq2[int, []int] {
	return func(yield func(int, []int) bool) {
		number := 0
		counts := make([]int, rho+1)
		var choose func(rest, left, largest int) bool
		choose = func(rest, left, largest int) bool { // left jumps of at most the largest make the rest
			if left == 0 {
				number++
				return yield(number, counts)
			}
			for j := min(largest, rest-left+1); j >= 1 && j*left >= rest; j-- {
				counts[j]++
				more := choose(rest-j, left-1, j)
				counts[j]--
				if !more {
					return false
				}
			}
			return true
		}
		for jumps := ceil(x, rho); jumps <= x; jumps++ {
			if !choose(x, jumps, rho) {
				return
			}
		}
	}
}

// alternating is the alternating total exchange. It returns nil if that takes no fewer steps
// than the translated one.
func alternating(g *hypercycle.Graph, progress Progress) *Schedule {
	p := alternatingPlan(g)
	if p == nil {
		return nil
	}
	s := newExchange(g, "alternating", AllPorts)
	s.Steps = p.steps
	i := p.dimension
	s.Period[i] = 2
	a := newAddresses(g)
	items := p.alternatingItems(a, progress)
	for parity, node := range []int32{0, a.unit[i]} {
		for v, hops := range items {
			s.Transfers = append(s.Transfers, carry(a, int32(v), hops, node, parity)...)
		}
		// The split item passes the node on its way to an offset, or to its negative.
		offset := int32(0)
		for k, j := range p.split.jumps {
			dir, source := hypercycle.CW, a.sub(node, offset)
			if (a.digit(offset, i)+parity)%2 == 1 {
				dir, source = hypercycle.CCW, a.add(node, offset)
			}
			s.Transfers = append(s.Transfers, collective.Transfer{Step: int32(k + 1), From: node, To: a.add(node, a.shift[g.PortIndex(i+1, dir, j)]),
				Item: collective.Item{Node: source, For: a.add(source, a.m[i]/2*a.unit[i])}})
			offset = a.add(offset, int32(j)*a.unit[i])
		}
	}
	s.sort()
	return s
}

// alternatingItems gives the hops of all items but the split one their steps.
func (p *exchangePlan) alternatingItems(a *addresses, progress Progress) [][]hop {
	clockwise := func(jump int) int32 { return int32(p.graph.PortIndex(p.dimension+1, hypercycle.CW, jump)) }
	opposite := func(port int32) int32 { return int32(p.graph.Opposite(int(port))) }
	routes := p.routes()
	// Vertex 0 is that of the split item. Its jumps are the first edges.
	edges := [][]int32{nil}
	for _, j := range p.split.jumps {
		edges[0] = append(edges[0], clockwise(j))
	}
	type edge struct{ vertex, number int }
	at := make([][]edge, len(routes)) // by offset and hop; nil: those of the negative are listed
	connect := func(v int32, vertex int) {
		at[v] = []edge{}
		for _, port := range routes[v] {
			at[v] = append(at[v], edge{vertex, len(edges[vertex])})
			edges[vertex] = append(edges[vertex], min(port, opposite(port)))
		}
	}
	for _, w := range p.split.windows {
		v := int32(w.offset) * a.unit[p.dimension]
		k := slices.Index(routes[v], clockwise(w.jump))
		routes[v] = slices.Delete(routes[v], k, k+1)
		connect(v, 0)
	}
	for v := int32(1); int(v) < len(routes); v++ {
		if negative := a.sub(0, v); v < negative && at[v] == nil && at[negative] == nil {
			edges = append(edges, nil)
			connect(v, len(edges)-1)
		}
	}
	colours := colourEdges(edges, p.graph.Degree(), p.steps, progress)
	// The colours of the jumps are the first steps, the others follow in their order.
	step := make([]int32, p.steps)
	for k := range p.split.jumps {
		step[colours[0][k]] = int32(k + 1)
	}
	next := int32(len(p.split.jumps))
	for c := range step {
		if step[c] == 0 {
			next++
			step[c] = next
		}
	}
	items := make([][]hop, len(routes))
	mirror := func(v int32, port int32, steps, negativeSteps [2]int32) {
		items[v] = append(items[v], hop{port, steps})
		items[a.sub(0, v)] = append(items[a.sub(0, v)], hop{opposite(port), negativeSteps})
	}
	for v, list := range at {
		for k, e := range list {
			t := step[colours[e.vertex][e.number]]
			mirror(int32(v), routes[v][k], [2]int32{t, t}, [2]int32{t, t})
		}
	}
	for _, w := range p.split.windows {
		even, odd := int32(w.steps[0]), int32(w.steps[1])
		mirror(int32(w.offset)*a.unit[p.dimension], clockwise(w.jump), [2]int32{odd, even}, [2]int32{even, odd})
	}
	return items
}
