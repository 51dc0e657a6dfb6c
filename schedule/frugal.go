// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"slices"
)

// turn says that a port sends on what has arrived on another one, or the node's own item if from is -1. A port needs an input
// of its multiplexer for each of its turns.
type turn struct{ from, port int32 }

// turns lists those of an all-gather in which nothing waits.
func (s *spread) turns() []turn {
	var all []turn
	by := map[int32]int32{0: -1} // port on which an offset has arrived
	for _, a := range s.arrivals {
		by[a.offset] = a.port
		t := turn{by[s.sub(a.offset, s.shift[a.port])], a.port}
		if !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	return all
}

// Work of the search for fewer turns, times the effort.
const (
	frugalOffsets = 2_000_000 // offsets times ports of the trees that are grown
	frugalTrees   = 5_000     // at most, of small machines
)

// frugal looks for an all-gather with fewer turns and no more steps. It leaves out one or two turns of the last one
// that it has found, and often allows another one.
func (f *flow) frugal(s *spread) *spread {
	degree := f.graph.Degree()
	w := newGrower(f.graph, nil, false, f.seed)
	now := s.turns()
	best, fewest := s, len(now)
	for tries := f.effort * min(frugalTrees, frugalOffsets/(f.graph.Nodes()*degree)); tries > 0; {
		kept := slices.Clone(now)
		shuffle(&w.random, kept)
		w.turns = make([][]int32, degree)
		for _, t := range kept[min(len(kept), 1+w.random.below(2)):] {
			if t.from >= 0 {
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
			if turns := found.turns(); len(turns) <= len(now) {
				now = turns
			}
			if len(now) < fewest {
				best, fewest = &found, len(now)
			}
			break
		}
	}
	return best
}
