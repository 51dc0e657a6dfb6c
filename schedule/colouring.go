// SPDX-License-Identifier: Apache-2.0

package schedule

// colourEdges gives every edge of a bipartite multigraph a colour, 0 to colours - 1, so that
// edges of the same vertex differ. By Koenig's theorem that works if no vertex has more
// edges than there are colours. Edges are listed by their vertex on the left, each by its
// vertex on the right, 0 to right - 1. The result has the same order.
func colourEdges(edges [][]int32, right, colours int, progress Progress) [][]int32 {
	c := &edgeColouring{edges: edges, colours: make([][]int32, len(edges))}
	for range right {
		at, free, place := make([]int32, colours), make([]int32, colours), make([]int32, colours)
		for k := range at {
			at[k], free[k], place[colours-1-k] = -1, int32(colours-1-k), int32(k)
		}
		c.at, c.free, c.place = append(c.at, at), append(c.free, free), append(c.place, place)
	}
	has := make([]int32, colours) // by colour: 1 + the last vertex on the left that has it
	for v, list := range edges {
		if progress != nil && v%1024 == 0 {
			progress(v, len(edges))
		}
		for _, p := range list {
			colour := c.common(p, int32(v), has)
			if colour < 0 {
				colour = c.makeCommon(p, int32(v), has)
			}
			c.colours[v] = append(c.colours[v], colour)
			c.take(p, colour, int32(v))
			has[colour] = int32(v) + 1
		}
	}
	return c.colours
}

// edgeColouring is a colouring of some of the edges.
type edgeColouring struct {
	edges   [][]int32
	colours [][]int32 // of the edges so far
	at      [][]int32 // by right vertex and colour: the left vertex of the edge, or -1
	free    [][]int32 // by right vertex: its free colours
	place   [][]int32 // by right vertex and colour: where it is in free
}

// take gives a colour of a right vertex to an edge.
func (c *edgeColouring) take(right, colour, left int32) {
	c.at[right][colour] = left
	free, at := c.free[right], c.place[right][colour]
	last := free[len(free)-1]
	free[at], c.place[right][last] = last, at
	c.free[right] = free[:len(free)-1]
}

// release is the inverse of take.
func (c *edgeColouring) release(right, colour int32) {
	c.at[right][colour] = -1
	c.place[right][colour] = int32(len(c.free[right]))
	c.free[right] = append(c.free[right], colour)
}

// common returns a colour that is free at both ends of an edge, or -1.
func (c *edgeColouring) common(right, left int32, has []int32) int32 {
	free := c.free[right]
	for k := len(free) - 1; k >= 0; k-- {
		if has[free[k]] != left+1 {
			return free[k]
		}
	}
	return -1
}

// makeCommon makes a colour b that is free on the left free on the right, too, and returns
// it. A colour a is free on the right. On the path that begins there, of edges of the
// colours b and a in turn, the two are exchanged. The path does not meet the left vertex:
// it comes to vertices of that side by edges of colour b.
func (c *edgeColouring) makeCommon(right, left int32, has []int32) int32 {
	b := int32(0)
	for has[b] == left+1 {
		b++
	}
	a := c.free[right][0]
	type edge struct{ left, number int32 }
	var path []edge
	for v := c.at[right][b]; v >= 0; v = c.at[right][b] {
		path = append(path, edge{v, c.number(v, b)})
		next := c.number(v, a)
		if next < 0 {
			break
		}
		path = append(path, edge{v, next})
		right = c.edges[v][next]
	}
	for _, e := range path {
		c.release(c.edges[e.left][e.number], c.colours[e.left][e.number])
	}
	for _, e := range path {
		colour := &c.colours[e.left][e.number]
		*colour = a + b - *colour
		c.take(c.edges[e.left][e.number], *colour, e.left)
	}
	return b
}

// number returns the edge of a left vertex that has a colour, or -1.
func (c *edgeColouring) number(left, colour int32) int32 {
	for k, x := range c.colours[left] {
		if x == colour {
			return int32(k)
		}
	}
	return -1
}
