// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"math"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/svg"
)

// link is one link of the machine, in both directions.
type link struct {
	from, to int // nodes; from's port leads clockwise
	port     int // of from
	curve    curve
}

// linksOf lists every link once, by the node that it leaves clockwise and by port.
func linksOf(g *hypercycle.Graph) []link {
	all := make([]link, 0, g.Links())
	for v := range g.Nodes() {
		for _, q := range g.Ports() {
			to := g.Neighbor(v, q.Index)
			// the antipode's port leads clockwise at both ends
			if q.Direction == hypercycle.CCW || g.Opposite(q.Index) == q.Index && to < v {
				continue
			}
			all = append(all, link{from: v, to: to, port: q.Index})
		}
	}
	return all
}

// curve is a Bezier curve of third degree, or a straight line if its inner points are
// its ends.
type curve struct{ start, c1, c2, end svg.Point }

func line(a, b svg.Point) curve { return curve{a, a, b, b} }

func (c curve) straight() bool { return c.start == c.c1 && c.end == c.c2 }

// path is the curve as SVG path data.
func (c curve) path() string {
	if c.straight() {
		return "M" + svg.XY(c.start) + "L" + svg.XY(c.end)
	}
	return "M" + svg.XY(c.start) + "C" + svg.XY(c.c1) + " " + svg.XY(c.c2) + " " + svg.XY(c.end)
}

// reversed is the curve from its end to its start.
func (c curve) reversed() curve { return curve{c.end, c.c2, c.c1, c.start} }

// mapped is the curve with every point moved.
func (c curve) mapped(move func(svg.Point) svg.Point) curve {
	return curve{move(c.start), move(c.c1), move(c.c2), move(c.end)}
}

func (c curve) at(t float64) svg.Point {
	u := 1 - t
	a, b, d, e := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
	return svg.Point{X: a*c.start.X + b*c.c1.X + d*c.c2.X + e*c.end.X, Y: a*c.start.Y + b*c.c1.Y + d*c.c2.Y + e*c.end.Y}
}

// cut is the curve up to t.
func (c curve) cut(t float64) curve {
	mix := func(a, b svg.Point) svg.Point { return svg.Point{X: a.X + t*(b.X-a.X), Y: a.Y + t*(b.Y-a.Y)} }
	if c.straight() {
		return line(c.start, c.at(t))
	}
	a, b, d := mix(c.start, c.c1), mix(c.c1, c.c2), mix(c.c2, c.end)
	ab, bd := mix(a, b), mix(b, d)
	return curve{c.start, a, ab, mix(ab, bd)}
}

// before is the place on the curve, as t, where its end is the given distance away.
func (c curve) before(distance float64) float64 {
	low, high := 0.0, 1.0
	for range 40 {
		t := (low + high) / 2
		if p := c.at(t); math.Hypot(p.X-c.end.X, p.Y-c.end.Y) > distance {
			low = t
		} else {
			high = t
		}
	}
	return low
}

// pieces is the number of lines that stand for a curve where distances are measured.
const pieces = 16

// distance is that of a point to the curve.
func (c curve) distance(p svg.Point) float64 {
	if c.straight() {
		return toSegment(p, c.start, c.end)
	}
	least := math.Inf(1)
	a := c.start
	for i := 1; i <= pieces; i++ {
		b := c.at(float64(i) / pieces)
		least = min(least, toSegment(p, a, b))
		a = b
	}
	return least
}

// atLeast is a distance that a point has from the curve at least: that from the box around its four
// points, which the curve does not leave.
func (c curve) atLeast(p svg.Point) float64 {
	beyond := func(p, a, b, c, d float64) float64 {
		return max(0, min(a, b, c, d)-p, p-max(a, b, c, d))
	}
	return max(beyond(p.X, c.start.X, c.c1.X, c.c2.X, c.end.X), beyond(p.Y, c.start.Y, c.c1.Y, c.c2.Y, c.end.Y))
}

// toSegment is the distance of p to the segment from a to b.
func toSegment(p, a, b svg.Point) float64 {
	dx, dy := b.X-a.X, b.Y-a.Y
	length := dx*dx + dy*dy
	t := 0.0
	if length > 0 {
		t = min(1, max(0, ((p.X-a.X)*dx+(p.Y-a.Y)*dy)/length))
	}
	return math.Hypot(p.X-a.X-t*dx, p.Y-a.Y-t*dy)
}
