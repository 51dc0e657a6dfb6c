// SPDX-License-Identifier: Apache-2.0

package hypercycle

import (
	"fmt"
	"slices"
)

// Construction is a way to find node-disjoint paths.
type Construction string

const (
	// LeePaths are the paths of Y. A. Ashir (1993) on tori, rho = 1 and m >= 3 in all
	// dimensions. For h digits that differ, with the Lee distance l in total and w in a digit:
	// h paths of length l, 2(n-h) of l + 2, and h of l + m - 2w, one for each such digit.
	LeePaths Construction = "lee"
	// HammingPaths are the paths of P. Fragopoulou, S. G. Akl and H. Meijer (1994) on generalized
	// hypercubes, rho = floor(m/2) in all dimensions. For h digits that differ: h paths of
	// length h, m - 2 of h + 1 for each digit that differs, and m - 1 of h + 2 for each other
	// digit.
	HammingPaths Construction = "hamming"
	// FlowPaths are the paths of a minimum-cost flow on any machine: the fewest hops in total.
	FlowPaths Construction = "flow"
)

// DisjointPaths returns one path per port between two nodes; the paths share only their ends. A path is
// a list of nodes, both ends included. On the machines of the papers the construction is theirs,
// otherwise a flow. It panics if the nodes are equal or outside the graph.
func (g *Graph) DisjointPaths(from, to int) ([][]int, Construction) {
	if from < 0 || from >= g.nodes || to < 0 || to >= g.nodes || from == to {
		panic(fmt.Sprintf("hypercycle: no paths from %d to %d", from, to))
	}
	switch {
	case !slices.ContainsFunc(g.dims, func(d Dimension) bool { return d.Rho != 1 || d.M < 3 }):
		return g.leePaths(from, to), LeePaths
	case !slices.ContainsFunc(g.dims, func(d Dimension) bool { return d.D() > 1 }):
		return g.hammingPaths(from, to), HammingPaths
	}
	return g.flowPaths(from, to), FlowPaths
}

// walk is a path under construction.
type walk struct {
	g     *Graph
	nodes []int
}

// set changes the digit of dimension i to another digit, over one link.
func (w *walk) set(i, digit int) {
	last := w.nodes[len(w.nodes)-1]
	digit = w.g.dims[i-1].offset(digit)
	w.nodes = append(w.nodes, last+(digit-w.g.Digit(last, i))*w.g.unit[i-1])
}

// turn changes the digit of dimension i in steps of 1, in a direction, until it reaches another digit.
func (w *walk) turn(i, digit, dir int) {
	for {
		now := w.g.Digit(w.nodes[len(w.nodes)-1], i)
		if now == digit {
			return
		}
		w.set(i, now+dir)
	}
}

// differing lists the dimensions in which two nodes differ, lowest first, and the others.
func (g *Graph) differing(from, to int) (differ, equal []int) {
	for i := 1; i <= len(g.dims); i++ {
		if g.Digit(from, i) != g.Digit(to, i) {
			differ = append(differ, i)
		} else {
			equal = append(equal, i)
		}
	}
	return differ, equal
}

// leePaths is the construction of LeePaths.
func (g *Graph) leePaths(from, to int) [][]int {
	differ, equal := g.differing(from, to)
	short := func(i int) int { // direction of the shorter arc, clockwise if they are equal
		m := g.dims[i-1].M
		if 2*g.dims[i-1].offset(g.Digit(to, i)-g.Digit(from, i)) <= m {
			return 1
		}
		return -1
	}
	var paths [][]int
	begin := func() *walk { return &walk{g, []int{from}} }
	correct := func(w *walk, first, count int) {
		for k := range count {
			i := differ[(first+k)%len(differ)]
			w.turn(i, g.Digit(to, i), short(i))
		}
	}
	for k := range differ {
		w := begin()
		correct(w, k, len(differ))
		paths = append(paths, w.nodes)
	}
	for _, i := range equal {
		for _, dir := range []int{1, -1} {
			w := begin()
			digit := g.Digit(from, i)
			w.set(i, digit+dir)
			correct(w, 0, len(differ))
			w.set(i, digit)
			paths = append(paths, w.nodes)
		}
	}
	for k, i := range differ {
		w := begin()
		w.set(i, g.Digit(from, i)-short(i))
		correct(w, k+1, len(differ)-1)
		w.turn(i, g.Digit(to, i), -short(i))
		paths = append(paths, w.nodes)
	}
	return paths
}

// hammingPaths is the construction of HammingPaths.
func (g *Graph) hammingPaths(from, to int) [][]int {
	differ, equal := g.differing(from, to)
	var paths [][]int
	correct := func(w *walk, first, count int) {
		for k := range count {
			i := differ[(first+k)%len(differ)]
			w.set(i, g.Digit(to, i))
		}
	}
	begin := func() *walk { return &walk{g, []int{from}} }
	for k := range differ {
		w := begin()
		correct(w, k, len(differ))
		paths = append(paths, w.nodes)
	}
	for k, i := range differ {
		for x := range g.dims[i-1].M {
			if x == g.Digit(from, i) || x == g.Digit(to, i) {
				continue
			}
			w := begin()
			w.set(i, x)
			correct(w, k+1, len(differ)-1)
			w.set(i, g.Digit(to, i))
			paths = append(paths, w.nodes)
		}
	}
	for _, i := range equal {
		for x := range g.dims[i-1].M {
			if digit := g.Digit(from, i); x != digit {
				w := begin()
				w.set(i, x)
				correct(w, 0, len(differ))
				w.set(i, digit)
				paths = append(paths, w.nodes)
			}
		}
	}
	return paths
}

// flowPaths finds the paths one by one, each as a shortest path in the residual network, in which every node
// except the ends is an edge from its entry to its exit.
func (g *Graph) flowPaths(from, to int) [][]int {
	next, previous := slices.Repeat([]int{-1}, g.nodes), slices.Repeat([]int{-1}, g.nodes)
	starts := map[int]bool{} // the first nodes of the paths, which follow from
	for range g.ports {
		way := g.residual(from, to, next, previous, starts)
		for k := 0; k+1 < len(way); k++ {
			a, b := way[k], way[k+1]
			u, v := a/2, b/2
			if a%2 == 0 && b%2 == 1 && u != v { // back over an edge of a path
				if v == from {
					delete(starts, u)
				} else if next[v] == u {
					next[v] = -1
				}
				if previous[u] == v {
					previous[u] = -1
				}
			}
		}
		for k := 0; k+1 < len(way); k++ {
			a, b := way[k], way[k+1]
			if u, v := a/2, b/2; a%2 == 1 && b%2 == 0 && u != v {
				if u == from {
					starts[v] = true
				} else {
					next[u] = v
				}
				if v != to {
					previous[v] = u
				}
			}
		}
	}
	var paths [][]int
	for p := range g.ports {
		first := g.Neighbor(from, p)
		if !starts[first] {
			continue
		}
		path := []int{from}
		for v := first; v != to; v = next[v] {
			path = append(path, v)
		}
		paths = append(paths, append(path, to))
	}
	slices.SortStableFunc(paths, func(a, b []int) int { return len(a) - len(b) })
	return paths
}

// residual returns a shortest path from the exit of a node to the entry of another; 2v is the entry and
// 2v + 1 the exit of node v. An edge of an existing path can be traversed backwards, with negative
// length.
func (g *Graph) residual(from, to int, next, previous []int, starts map[int]bool) []int {
	const far = int(^uint(0) >> 2)
	length, by := slices.Repeat([]int{far}, 2*g.nodes), slices.Repeat([]int{-1}, 2*g.nodes)
	waiting := make([]bool, 2*g.nodes)
	queue := []int{2*from + 1}
	length[2*from+1] = 0
	reach := func(x, by0, l int) {
		if l >= length[x] {
			return
		}
		length[x], by[x] = l, by0
		if !waiting[x] {
			waiting[x] = true
			queue = append(queue, x)
		}
	}
	for len(queue) > 0 {
		x := queue[0]
		queue = queue[1:]
		waiting[x] = false
		v, l := x/2, length[x]
		used := v != from && v != to && previous[v] >= 0
		switch {
		case x == 2*to:
		case x%2 == 0 && used:
			reach(2*previous[v]+1, x, l-1)
		case x%2 == 0:
			reach(x+1, x, l)
		default:
			for p := range g.ports {
				u := g.Neighbor(v, p)
				if u != from && next[v] != u && !(v == from && starts[u]) {
					reach(2*u, x, l+1)
				}
			}
			if used {
				reach(x-1, x, l)
			}
		}
	}
	if length[2*to] == far {
		panic("hypercycle: a hypercycle is as connected as it has ports")
	}
	var way []int
	for x := 2 * to; x >= 0; x = by[x] {
		way = append(way, x)
	}
	slices.Reverse(way)
	return way
}
