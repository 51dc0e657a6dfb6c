// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"slices"

	"github.com/hcgen/hcgen/hypercycle"
)

// The all-gather in which nothing waits. An offset arrives in a step from node 0 or from an offset that arrived in the
// step before. So the tree grows one step at a time, and again from the start if it does not reach all offsets in
// the steps that it may take: each port, in a random order, brings one new offset, by a maximum matching of
// ports and offsets. Items that have just arrived come first, because they cannot be sent later; the node's own
// item can. So do new offsets with few unknown ones next to them, which soon could not be reached any more.

// grower is a state of the search.
type grower struct {
	*addresses
	degree   int
	to       []int32   // by offset and port
	turns    [][]int32 // by port: those on which an item may arrive that it sends on
	waiting  bool      // whether an offset may be sent on later, if a port has nothing else
	random   random
	known    []int   // by offset: the step in which it arrived, or -1
	fresh    []int32 // by port: the offset that it brought in the last step, or -1
	old      []int32 // the other known offsets but 0
	next     []int32 // by port: the offset that it brings in this step, or -1
	port     []int32 // by offset: the port that brings it in this step, or -1
	seen     []int32 // by offset: the last search of the matching that met it
	mark     int32   // number of that search
	arrivals []arrival
	waits    int // arrivals from offsets that have waited
}

func newGrower(g *hypercycle.Graph, turns [][]int32, waiting bool, seed uint64) *grower {
	n := g.Nodes()
	return &grower{addresses: newAddresses(g), degree: g.Degree(), to: neighbours(g), turns: turns, waiting: waiting, random: random(seed), known: make([]int, n),
		fresh: make([]int32, g.Degree()), next: make([]int32, g.Degree()), port: make([]int32, n), seen: make([]int32, n)}
}

// grow grows one tree and reports whether it reaches all offsets in time.
func (w *grower) grow(steps int) bool {
	for o := range w.known {
		w.known[o], w.port[o] = -1, -1
	}
	for p := range w.fresh {
		w.fresh[p], w.next[p] = -1, -1
	}
	w.known[0], w.old, w.arrivals, w.waits = 0, w.old[:0], w.arrivals[:0], 0
	for step := 1; step <= steps; step++ {
		if len(w.known)-1-len(w.arrivals) > (steps-step+1)*w.degree {
			return false
		}
		w.match()
		w.take(step)
	}
	return len(w.arrivals) == len(w.known)-1
}

// kind says from which offsets a port brings a new one: those that have just arrived, and node 0, and any.
type kind int

const (
	justArrived kind = iota
	orOwn
	orOld
)

// match matches ports and new offsets. It adds kinds of offsets one after the other.
func (w *grower) match() {
	free := identity(w.degree)
	shuffle(&w.random, free)
	for k := justArrived; k <= orOwn || k == orOld && w.waiting; k++ {
		free = slices.DeleteFunc(free, func(p int32) bool {
			w.mark++
			return w.augment(p, k)
		})
	}
}

// augment finds an offset for a port, and other ones for other ports if need be.
func (w *grower) augment(p int32, k kind) bool {
	open := slices.DeleteFunc(w.brought(p, k), func(o int32) bool { return w.known[o] >= 0 })
	slices.SortStableFunc(open, func(x, y int32) int { return w.ahead(x) - w.ahead(y) })
	for _, o := range open {
		if w.port[o] < 0 {
			w.port[o], w.next[p] = p, o
			return true
		}
	}
	for _, o := range open {
		if w.seen[o] == w.mark {
			continue
		}
		w.seen[o] = w.mark
		if w.augment(w.port[o], k) {
			w.port[o], w.next[p] = p, o
			return true
		}
	}
	return false
}

// ahead counts the unknown offsets next to an offset.
func (w *grower) ahead(o int32) int {
	n := 0
	for _, next := range w.to[int(o)*w.degree : int(o+1)*w.degree] {
		n += b2i(w.known[next] < 0)
	}
	return n
}

// brought lists the offsets that a port may bring, in a random order.
func (w *grower) brought(p int32, k kind) []int32 {
	var list []int32
	for _, q := range w.turns[p] {
		if o := w.fresh[q]; o >= 0 {
			list = append(list, o)
		}
	}
	shuffle(&w.random, list)
	if k >= orOwn {
		list = append(list, 0)
	}
	if k >= orOld {
		recent := len(list)
		list = append(list, w.old...)
		shuffle(&w.random, list[recent:])
	}
	for i, o := range list {
		list[i] = w.to[int(o)*w.degree+int(p)]
	}
	return list
}

// take makes the matched offsets known.
func (w *grower) take(step int) {
	for p, o := range w.fresh {
		if o >= 0 {
			w.old = append(w.old, o)
		}
		w.fresh[p] = -1
	}
	for p, o := range w.next {
		if o < 0 {
			continue
		}
		if from := w.sub(o, w.shift[p]); from != 0 && w.known[from] < step-1 {
			w.waits++
		}
		w.known[o] = step
		w.arrivals = append(w.arrivals, arrival{step: step, offset: o, port: int32(p)})
		w.fresh[p], w.next[p] = o, -1
	}
}

// straight lists the ports on which an item may arrive that a port sends on: itself, the longest link of the
// same direction, and the like of the dimension before.
func straight(g *hypercycle.Graph) [][]int32 {
	turns := make([][]int32, g.Degree())
	for p, port := range g.Ports() {
		before := (port.Dimension+g.Rank()-2)%g.Rank() + 1
		list := []int32{int32(p), int32(g.PortIndex(port.Dimension, port.Direction, g.Dimension(port.Dimension).Rho)),
			int32(g.PortIndex(before, port.Direction, min(port.Distance, g.Dimension(before).Rho)))}
		slices.Sort(list)
		turns[p] = slices.Compact(list)
	}
	return turns
}

// anyTurns lists all ports for every port.
func anyTurns(g *hypercycle.Graph) [][]int32 {
	return slices.Repeat([][]int32{identity(g.Degree())}, g.Degree())
}
