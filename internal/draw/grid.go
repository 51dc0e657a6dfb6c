// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"math"
	"slices"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/svg"
)

// row is how the lower or the higher dimensions of a machine lie along one side of a
// grid: their nodes in the order of their addresses, links between neighbours straight,
// others as arcs beside the row, the higher the longer. Arcs that go around a ring are on
// the far side.
type row struct {
	first, last int // dimensions
	nodes       int
	place       []float64 // of a node, in pitches; with gaps between the rings of the first dimension
	bows        map[arc]bow
	far, near   float64 // of the highest arc on either side
}

// arc is what arcs of the same shape have in common.
type arc struct {
	span   float64 // in pitches; a multiple of a half, so equal spans are equal numbers
	around bool    // it goes around the ring
}

// bow is how an arc is drawn.
type bow struct {
	height float64 // in pixels
	flat   bool    // not a parabola
}

// grid puts the lower dimensions along the x axis and the others along the y axis, so
// that the picture is as little longer than wide as can be.
func (l *layout) grid(g *hypercycle.Graph) {
	var x, y *row
	var dx, dy float64
	longest := math.Inf(1)
	for split := 1; split < g.Rank(); split++ {
		a, b := newRow(g, l.links, 1, split, l.radius), newRow(g, l.links, split+1, g.Rank(), l.radius)
		// arcs of the columns need room between the columns, and those of the rows between the rows
		w, h := pitch(b, l.radius), pitch(a, l.radius)
		if long := max(w*a.place[a.nodes-1], 1.3*h*b.place[b.nodes-1]); long < longest {
			x, y, dx, dy, longest = a, b, w, h, long
		}
	}
	for v := range l.at {
		l.at[v] = svg.Point{X: dx * x.place[v%x.nodes], Y: dy * y.place[v/x.nodes]}
	}
	for i := range l.links {
		k := &l.links[i]
		q := g.Ports()[k.port]
		s, e := l.at[k.from], l.at[k.to]
		if q.Dimension <= x.last {
			k.curve = x.curve(g, q, k.from%x.nodes, k.to%x.nodes, dx)
		} else {
			k.curve = y.curve(g, q, k.from/x.nodes, k.to/x.nodes, dy).mapped(func(p svg.Point) svg.Point { return svg.Point{X: p.Y, Y: p.X} })
		}
		off := svg.Point{X: s.X - k.curve.start.X, Y: s.Y - k.curve.start.Y}
		k.curve = k.curve.mapped(func(p svg.Point) svg.Point { return svg.Point{X: p.X + off.X, Y: p.Y + off.Y} })
		k.curve.end = e // not off by a rounding
	}
}

// pitch is the distance of rows between which arcs have room.
func pitch(r *row, radius float64) float64 {
	return max(2*radius+apart, r.far+r.near+8, max(r.far, r.near)+radius+8)
}

// newRow lays out the dimensions first to last.
func newRow(g *hypercycle.Graph, links []link, first, last int, radius float64) *row {
	r := &row{first: first, last: last, nodes: 1, bows: map[arc]bow{}}
	for i := first; i <= last; i++ {
		r.nodes *= g.Dimension(i).M
	}
	const gap = 0.5
	for n := range r.nodes {
		r.place = append(r.place, float64(n)+gap*float64(n/g.Dimension(first).M))
	}
	// how many arcs of each shape there are in one row
	many := map[arc]int{}
	below := 1
	for i := 1; i < first; i++ {
		below *= g.Dimension(i).M
	}
	for _, k := range links {
		q := g.Ports()[k.port]
		if q.Dimension < first || q.Dimension > last || k.from%below != 0 || k.from/below >= r.nodes {
			continue
		}
		if a, straight := r.shape(g, q, k.from/below, k.to/below); !straight {
			many[a]++
		}
	}
	var shapes []arc
	for a := range many {
		shapes = append(shapes, a)
	}
	slices.SortFunc(shapes, func(a, b arc) int {
		if a.span < b.span || a.span == b.span && !a.around && b.around {
			return -1
		}
		return 1
	})
	shorter := map[bool]int{} // shapes of arcs so far on either side
	for _, a := range shapes {
		// A single arc may be flat. Several of one shape must not run one on the other, so
		// they are parabolas. Either is so high that it clears the first node that it passes,
		// and the shorter arcs over that one too.
		side := &r.near
		if a.around {
			side = &r.far
		}
		room := radius + aside + 4 + 10*float64(shorter[a.around])
		h := max(*side+14, room/rise(a.span, run(a.span, many[a] == 1)))
		shorter[a.around]++
		r.bows[a] = bow{h, many[a] == 1}
		*side = h
	}
	return r
}

// run is how far along its row the inner points of an arc are from its ends, in pitches:
// a third of the span makes a parabola.
func run(span float64, flat bool) float64 {
	if flat {
		return min(span/3, 0.3)
	}
	return span / 3
}

// rise is the height of an arc one pitch from its end, as part of its largest.
func rise(span, run float64) float64 {
	c := curve{svg.Point{}, svg.Point{X: run, Y: 4.0 / 3}, svg.Point{X: span - run, Y: 4.0 / 3}, svg.Point{X: span}}
	low, high := 0.0, 0.5
	for range 30 {
		if t := (low + high) / 2; c.at(t).X < 1 {
			low = t
		} else {
			high = t
		}
	}
	return c.at(high).Y
}

// shape reports how a link between two places of the row is drawn.
func (r *row) shape(g *hypercycle.Graph, q hypercycle.Port, from, to int) (a arc, straight bool) {
	if from-to == 1 || to-from == 1 {
		return arc{}, true
	}
	unit := 1
	for i := r.first; i < q.Dimension; i++ {
		unit *= g.Dimension(i).M
	}
	digits := max(from-to, to-from) / unit
	return arc{math.Abs(r.place[from] - r.place[to]), digits != q.Distance}, false
}

// curve is a link between two places of the row, along the x axis.
func (r *row) curve(g *hypercycle.Graph, q hypercycle.Port, from, to int, pitch float64) curve {
	s, e := svg.Point{X: pitch * r.place[from]}, svg.Point{X: pitch * r.place[to]}
	a, straight := r.shape(g, q, from, to)
	if straight {
		return line(s, e)
	}
	b := r.bows[a]
	along := math.Copysign(pitch*run(a.span, b.flat), e.X-s.X)
	side := -4.0 / 3 * b.height
	if a.around {
		side = -side
	}
	return curve{s, svg.Point{X: s.X + along, Y: side}, svg.Point{X: e.X - along, Y: side}, e}
}
