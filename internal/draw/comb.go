// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"math"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/svg"
)

// A comb is a closed line around which a long ring with longer links stands: teeth that point to the
// right, one below the other, and a back on the left that leads from the last to the first. Longer
// links run beside the line, on its inner side. Lengths are in distances of neighbours.
type comb struct {
	nodes  int
	teeth  int
	inner  float64 // height of a tooth, and width of the back
	gap    float64 // between two teeth
	length float64 // of the rows of a tooth
}

// bendOf is how far the middle of a link of some distance is from the line.
func bendOf(distance int) float64 { return 0.62 + 0.3*float64(distance-2) }

// newComb is the comb of a ring with that many teeth, at least two, as long as the ring needs. Its rows
// may come out too short to be one: ok is false.
func newComb(d hypercycle.Dimension, teeth int, gap float64) (c comb, ok bool) {
	c = comb{nodes: d.M, teeth: teeth, inner: 2*bendOf(d.Rho) + 0.55, gap: gap}
	without := 0.0
	for _, s := range c.strokes() {
		without += s.length
	}
	c.length = (float64(d.M) - without) / float64(2*teeth)
	return c, c.length >= 1
}

// stroke is a piece of the line: straight, or a part of a circle that turns right or left.
type stroke struct {
	length, radius float64 // radius 0: straight; below 0: to the left
}

// strokes lists the pieces of the line, clockwise from the upper left corner.
func (c comb) strokes() (all []stroke) {
	round := c.inner / 2 // of corners and tips
	ends := c.inner + c.gap/2 - round
	turn := func(radius, half float64) stroke { return stroke{math.Abs(radius) * math.Pi * half, radius} }
	for tooth := range c.teeth {
		there, back := c.length, c.length
		if tooth == 0 {
			there += ends
		}
		if tooth == c.teeth-1 {
			back += ends
		}
		all = append(all, stroke{there, 0}, turn(c.inner/2, 1), stroke{back, 0})
		if tooth < c.teeth-1 {
			all = append(all, turn(-c.gap/2, 1))
		}
	}
	high := float64(c.teeth)*c.inner + float64(c.teeth-1)*c.gap
	return append(all, turn(round, 0.5), stroke{high - 2*round, 0}, turn(round, 0.5))
}

// size is the width and height of the line.
func (c comb) size() (width, height float64) {
	return c.inner + c.gap/2 + c.length + c.inner/2, float64(c.teeth)*c.inner + float64(c.teeth-1)*c.gap
}

// at returns the point of the line at a length from its beginning, moved inwards.
func (c comb) at(strokes []stroke, length, inwards float64) svg.Point {
	length = math.Mod(length+float64(c.nodes), float64(c.nodes))
	x, y, angle := 0.0, 0.0, 0.0 // angle 0 is to the right, and a quarter turn more down
	for _, s := range strokes {
		part := min(length, s.length)
		length -= part
		if s.radius == 0 {
			x, y = x+part*math.Cos(angle), y+part*math.Sin(angle)
		} else {
			to := angle + part/s.radius
			x, y = x+s.radius*(math.Sin(to)-math.Sin(angle)), y-s.radius*(math.Cos(to)-math.Cos(angle))
			angle = to
		}
		if length <= 0 {
			break
		}
	}
	return svg.Point{X: x - inwards*math.Sin(angle), Y: y + inwards*math.Cos(angle)}
}

// link is the curve of a link that leaves a node clockwise: through the points of the line a third and two
// thirds on the way, moved inwards.
func (c comb) link(strokes []stroke, digit, distance int) curve {
	point := func(part, inwards float64) svg.Point {
		return c.at(strokes, float64(digit)+part*float64(distance), inwards)
	}
	from, to := point(0, 0), point(1, 0)
	if distance == 1 {
		return line(from, to)
	}
	bend := bendOf(distance)
	middle, on, in := svg.Point{X: (from.X + to.X) / 2, Y: (from.Y + to.Y) / 2}, point(0.5, 0), point(0.5, 1)
	if deep := (middle.X-on.X)*(in.X-on.X) + (middle.Y-on.Y)*(in.Y-on.Y); deep > 0.2 {
		// around the inside of a bend the straight line is near enough to the middle, or nearly so
		more := 4.0 / 3 * max(0, 0.8*bend-deep)
		x, y := more*(in.X-on.X), more*(in.Y-on.Y)
		return curve{from, svg.Point{X: (3*from.X+to.X)/4 + x, Y: (3*from.Y+to.Y)/4 + y},
			svg.Point{X: (from.X+3*to.X)/4 + x, Y: (from.Y+3*to.Y)/4 + y}, to}
	}
	a, b := point(1.0/3, 8.0/9*bend), point(2.0/3, 8.0/9*bend)
	// the curve of third degree through four points at 0, 1/3, 2/3 and 1
	mix := func(p, q, r, s float64) float64 { return (-5*p + 18*q - 9*r + 2*s) / 6 }
	return curve{from, svg.Point{X: mix(from.X, a.X, b.X, to.X), Y: mix(from.Y, a.Y, b.Y, to.Y)},
		svg.Point{X: mix(to.X, b.X, a.X, from.X), Y: mix(to.Y, b.Y, a.Y, from.Y)}, to}
}

// comb puts one long ring with longer links on a comb, if that makes the picture smaller than the
// circle it is on.
func (l *layout) comb(g *hypercycle.Graph) {
	d := g.Dimension(1)
	smallest := l.long()
	best := *l
	for teeth := 2; ; teeth++ {
		fits := false
		for _, gap := range []float64{1.4, 1.8, 2.2, 2.8, 3.4, 4.2, 5} {
			c, ok := newComb(d, teeth, gap)
			if !ok {
				break
			}
			fits = true
			// no scale makes it smaller than this
			w, h := c.size()
			if unit := 2*l.radius + apart; unit*max(w, 1.3*h) >= smallest {
				continue
			}
			next := layout{at: make([]svg.Point, d.M), links: append([]link(nil), l.links...), radius: l.radius}
			next.stand(g, c)
			if long := next.long(); long < smallest {
				best, smallest = next, long
			}
		}
		if !fits {
			break
		}
	}
	*l = best
}

// long is how much room a picture takes on a page, which is wider than high.
func (l *layout) long() float64 { return max(l.width, 1.3*l.height) }

// stand puts the nodes and links on a comb, as large as they need to keep clear of each other.
func (l *layout) stand(g *hypercycle.Graph, c comb) {
	strokes := c.strokes()
	nodes := make([]int, len(l.at))
	for v := range l.at {
		l.at[v] = c.at(strokes, float64(v), 0)
		nodes[v] = v
	}
	for i := range l.links {
		k := &l.links[i]
		k.curve = c.link(strokes, k.from, g.Ports()[k.port].Distance)
	}
	l.grow(l.clearance(nodes, l.links))
	l.fit()
}
