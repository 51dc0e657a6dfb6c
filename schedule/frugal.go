// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"cmp"
	"slices"

	"github.com/hcgen/hcgen/collective"
)

// The all-gather with small multiplexers. A port needs an input of its multiplexer for each turn that it makes. Two searches
// look for a tree of an item with small multiplexers. The first forbids turns and lets a grower grow other trees, which works on
// large machines. In the second, which finds all that there is on small machines, the tree grows step by step and port by port, as
// long as its multiplexers are smaller than those of the best tree so far. In a step a port brings one new offset, or is idle if the steps suffice: the 4x4 torus needs an idle port in step 1 for the
// smallest multiplexers. The search tries all choices, in a random order. It gives up soon and starts again with another order, and
// from time to time it gives up later. If it has tried all choices, there are no smaller multiplexers.

// turn says that a port sends on what has arrived on another one, or the node's own item if from is own.
type turn struct{ from, port int32 }

// own stands for the node's own item among the ports on which items arrive.
const own int32 = -1

// turns lists those of an all-gather in which nothing waits.
func (s *spread) turns() []turn {
	var all []turn
	for t := range s.turned {
		if !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	return all
}

// turned yields the turn of each arrival.
func (s *spread) turned(yield func(turn) bool) {
	by := map[int32]int32{0: own} // port on which an offset has arrived
	for _, a := range s.arrivals {
		by[a.offset] = a.port
		if !yield(turn{by[s.sub(a.offset, s.shift[a.port])], a.port}) {
			return
		}
	}
}

// inputs counts what the ports of a node select between.
type inputs struct {
	uses    [][]int // by port, and port on which the word arrives + 1: turns that need this input
	sources []int   // by port
	sum     int     // of sources
}

func newInputs(a *addresses) *inputs {
	n := &inputs{sources: make([]int, len(a.shift))}
	for range a.shift {
		n.uses = append(n.uses, make([]int, len(a.shift)+1))
	}
	return n
}

// use uses a turn once more, or with -1 once less.
func (n *inputs) use(t turn, by int) {
	uses := &n.uses[t.port][t.from+1]
	before := *uses
	*uses += by
	n.sources[t.port] += b2i(*uses > 0) - b2i(before > 0)
	n.sum += b2i(*uses > 0) - b2i(before > 0)
}

// inputs are those of an all-gather in which nothing waits.
func (s *spread) inputs() *inputs {
	n := newInputs(s.addresses)
	for t := range s.turned {
		n.use(t, 1)
	}
	return n
}

// size is what the multiplexers cost: the largest one counts first, then the sum of all.
func (n *inputs) size() size { return size{slices.Max(n.sources), n.sum} }

type size struct{ most, sum int }

func (a size) compare(b size) int {
	return cmp.Or(cmp.Compare(a.most, b.most), cmp.Compare(a.sum, b.sum))
}

// Work of the searches, times the effort.
const (
	frugalOffsets  = 2_000_000 // of the first: offsets times ports of the trees that are grown
	frugalTrees    = 5_000     // of the first: at most, of small machines
	frugalArrivals = 500_000   // of the second: arrivals that are tried
)

// frugal looks for an all-gather with smaller multiplexers, in no more steps. The clock of a reduction depends on its operators: it has
// the fewest turns that the first search finds, because smaller multiplexers gave some machines slower nodes.
func (f *flow) frugal(s *spread, operation string) *spread {
	if collective.Reduces(operation) {
		return f.pruned(s, func(n *inputs) size { return size{sum: n.sum} })
	}
	return f.smallest(f.pruned(s, (*inputs).size))
}

// pruned is the first search. It leaves out one or two turns of the last tree that it has found, and often allows another one.
func (f *flow) pruned(s *spread, sizeOf func(*inputs) size) *spread {
	degree := f.graph.Degree()
	w := newGrower(f.graph, nil, false, f.seed)
	now, best := s, s
	for tries := f.effort * min(frugalTrees, frugalOffsets/(f.graph.Nodes()*degree)); tries > 0; {
		kept := now.turns()
		shuffle(&w.random, kept)
		w.turns = make([][]int32, degree)
		for _, t := range kept[min(len(kept), 1+w.random.below(2)):] {
			if t.from != own {
				w.turns[t.port] = append(w.turns[t.port], t.from)
			}
		}
		if w.random.below(2) == 0 {
			p := w.random.below(degree)
			w.turns[p] = append(w.turns[p], int32(w.random.below(degree)))
		}
		for range 20 {
			tries--
			if !w.grow(s.steps) {
				continue
			}
			found := *s
			found.arrivals = slices.Clone(w.arrivals)
			found.steps = found.arrivals[len(found.arrivals)-1].step // fewer, if s has more than are needed
			got := sizeOf(found.inputs())
			if got.compare(sizeOf(now.inputs())) <= 0 {
				now = &found
			}
			if got.compare(sizeOf(best.inputs())) < 0 {
				best = &found
			}
			break
		}
	}
	return best
}

// smallest is the second search.
func (f *flow) smallest(s *spread) *spread {
	w := &thrift{addresses: s.addresses, degree: f.graph.Degree(), to: neighbours(f.graph), random: random(f.seed)}
	limit := s.inputs().size()
	possible := [2]bool{true, true} // a smaller largest one; a smaller sum
	left := f.effort * frugalArrivals
	for round := 1; left > 0 && (possible[0] || possible[1]); round++ {
		for goal := range possible {
			if !possible[goal] || left <= 0 {
				continue
			}
			w.limit = size{limit.most, limit.sum - 1}
			if goal == 0 {
				w.limit = size{limit.most - 1, 2 * w.degree * (w.degree + 1)}
			}
			work := min(left, 4*f.graph.Nodes()*(round&-round)) // 1, 2, 1, 4, 1, 2, 1, 8, ..
			w.work = work
			found := w.search(s.steps, newInputs(s.addresses))
			left -= work - w.work
			switch {
			case found:
				better := *s
				better.arrivals = slices.Clone(w.arrivals)
				slices.SortStableFunc(better.arrivals, func(x, y arrival) int { return x.step - y.step })
				better.steps = better.arrivals[len(better.arrivals)-1].step // fewer, if s has more than are needed
				s, limit = &better, w.inputs.size()
				possible[1] = true
			case w.work > 0:
				possible[goal] = false
			}
		}
	}
	return s
}

// thrift is a state of the second search.
type thrift struct {
	*addresses
	degree   int
	to       []int32 // by offset and port
	random   random
	limit    size // of the multiplexers
	work     int  // arrivals that may still be tried
	steps    int
	ports    [][]int32 // by step - 1: their order
	fresh    [][]int32 // by step and port: the offset that it brought in that step, or -1
	known    []bool    // by offset
	spare    int       // steps in which a port may still be idle
	inputs   *inputs
	arrivals []arrival
}

// search grows a tree, and reports whether it has found one.
func (w *thrift) search(steps int, none *inputs) bool {
	w.steps, w.inputs, w.arrivals = steps, none, w.arrivals[:0]
	w.known = make([]bool, len(w.to)/w.degree)
	w.known[0] = true
	w.spare = steps*w.degree - (len(w.known) - 1)
	w.ports, w.fresh = nil, [][]int32{slices.Repeat([]int32{-1}, w.degree)}
	for range steps {
		ports := identity(w.degree)
		shuffle(&w.random, ports)
		w.ports, w.fresh = append(w.ports, ports), append(w.fresh, slices.Clone(w.fresh[0]))
	}
	return w.grow(0)
}

// candidate is an arrival that may come next; the lowest rank is tried first.
type candidate struct {
	from, offset int32
	rank         int
}

// grow lets a port bring an offset in a step, or be idle, and goes on with the next port.
func (w *thrift) grow(next int) bool {
	if len(w.arrivals) == len(w.known)-1 {
		return true
	}
	if w.work--; w.work <= 0 {
		return false
	}
	step, port := next/w.degree+1, w.ports[next/w.degree][next%w.degree]
	early := w.random.below(2) == 0
	if early && w.idle(next) {
		return true
	}
	for _, c := range w.candidates(step, port) {
		w.inputs.use(turn{c.from, port}, 1)
		w.known[c.offset], w.fresh[step][port] = true, c.offset
		w.arrivals = append(w.arrivals, arrival{step: step, offset: c.offset, port: port})
		if w.grow(next + 1) {
			return true
		}
		w.arrivals = w.arrivals[:len(w.arrivals)-1]
		w.known[c.offset], w.fresh[step][port] = false, -1
		w.inputs.use(turn{c.from, port}, -1)
	}
	return !early && w.idle(next)
}

// idle goes on with the next port.
func (w *thrift) idle(next int) bool {
	if w.spare == 0 || w.work <= 0 {
		return false
	}
	w.spare--
	defer func() { w.spare++ }()
	return w.grow(next + 1)
}

// candidates lists the arrivals that keep to the limits: first those that need no more inputs, of these first those with few
// unknown offsets next to them, which soon could not be reached any more.
func (w *thrift) candidates(step int, port int32) (list []candidate) {
	add := func(from, offset int32) {
		to := w.to[int(offset)*w.degree+int(port)]
		if w.known[to] {
			return
		}
		before := w.inputs.sum
		w.inputs.use(turn{from, port}, 1)
		if w.inputs.sum <= w.limit.sum && slices.Max(w.inputs.sources) <= w.limit.most {
			ahead := 0
			for _, beyond := range w.to[int(to)*w.degree : int(to+1)*w.degree] {
				ahead += b2i(!w.known[beyond])
			}
			list = append(list, candidate{from, to, (w.inputs.sum-before)<<32 + ahead<<16 + w.random.below(1<<16)})
		}
		w.inputs.use(turn{from, port}, -1)
	}
	add(own, 0)
	for from, offset := range w.fresh[step-1] {
		if offset >= 0 {
			add(int32(from), offset)
		}
	}
	slices.SortFunc(list, func(x, y candidate) int { return x.rank - y.rank })
	return list
}
