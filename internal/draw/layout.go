// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"cmp"
	"math"
	"slices"

	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/internal/svg"
)

// Distances that every layout keeps, in pixels.
const (
	apart = 34.0 // between two nodes, so that an arrow between them can be seen
	aside = 5.0  // between a node and a link that does not end at it
)

// layout is where the nodes and links of a machine are, in pixels from a corner that
// nothing is beyond.
type layout struct {
	at            []svg.Point // centres of the nodes
	links         []link
	radius        float64 // of a node
	width, height float64
}

// What a machine of three dimensions or more may be to be drawn as rings of rings.
const (
	mostNested = 64     // nodes
	mostRoom   = 22_000 // pixels of the picture for each node
)

// newLayout places a machine whose nodes have the given radius: one ring on a circle; two as a grid; more
// as rings of rings if that becomes a small picture, else as a grid too.
func newLayout(g *hypercycle.Graph, radius float64) *layout {
	l := &layout{at: make([]svg.Point, g.Nodes()), links: linksOf(g), radius: radius}
	if g.Rank() == 1 || g.Rank() > 2 && g.Nodes() <= mostNested {
		l.nest(g)
		l.fit()
		if g.Rank() == 1 || l.width*l.height <= mostRoom*float64(g.Nodes()) {
			return l
		}
	}
	l.grid(g)
	l.fit()
	return l
}

// nest puts every ring on a circle whose places are copies of what the rings inside
// it make. The largest ring is the innermost; how far apart and at which angle the copies
// of each stand is tried out so that the picture is small while nodes and links keep
// clear of each other.
func (l *layout) nest(g *hypercycle.Graph) {
	order := make([]int, g.Rank())
	for i := range order {
		order[i] = i + 1
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(g.Dimension(b).Degree(), g.Dimension(a).Degree())
	})
	var placed []placement
	for _, i := range order {
		best, smallest := placement{}, math.Inf(1)
		for _, candidate := range candidates(g.Dimension(i), i, l.extent(g, placed)) {
			scale := l.place(g, append(slices.Clone(placed), candidate))
			// a little smaller is no reason for a less upright picture
			if size := scale * l.extent(g, append(slices.Clone(placed), candidate)); size < 0.97*smallest {
				best, smallest = candidate, size
			}
		}
		placed = append(placed, best)
	}
	l.grow(l.place(g, placed))
}

// grow makes everything larger but the nodes.
func (l *layout) grow(scale float64) {
	grow := func(p svg.Point) svg.Point { return svg.Point{X: p.X * scale, Y: p.Y * scale} }
	for v := range l.at {
		l.at[v] = grow(l.at[v])
	}
	for i := range l.links {
		l.links[i].curve = l.links[i].curve.mapped(grow)
	}
}

// clearance is the scale at which some nodes and links keep clear of each other.
func (l *layout) clearance(nodes []int, links []link) float64 {
	scale := 0.0
	for i, v := range nodes {
		at := l.at[v]
		for _, w := range nodes[:i] {
			scale = max(scale, (2*l.radius+apart)/math.Hypot(at.X-l.at[w].X, at.Y-l.at[w].Y))
		}
		for _, k := range links {
			// most links are far from most nodes
			if v != k.from && v != k.to && scale*k.curve.atLeast(at) < l.radius+aside {
				scale = max(scale, (l.radius+aside)/max(1e-9, k.curve.distance(at)))
			}
		}
	}
	return scale
}

// placement is where the copies of one dimension stand: on a circle, the first at the
// angle from the top.
type placement struct {
	dimension     int
	radius, angle float64
}

// candidates lists the placements to try for a ring around something of a given extent,
// the most upright ones first.
func candidates(d hypercycle.Dimension, i int, extent float64) []placement {
	spacing := []float64{0.45, 0.7, 1.1, 1.3, 1.6, 2} // of neighbours, in extents
	if extent == 0 {
		extent, spacing = 1, []float64{1}
	}
	turn := 2 * math.Pi / float64(d.M)
	var angles []float64
	for step := range 12 {
		angles = append(angles, -turn/4*float64(d.M%2)+turn*float64(step)/12)
	}
	if d.M == 2 { // from left to right, down, or between
		angles = nil
		for _, degrees := range []float64{0, 90, -30, 30, -15, 15, -45, 45, -60, 60, -75, 75} {
			angles = append(angles, (degrees-90)*math.Pi/180)
		}
	}
	if len(spacing) == 1 { // of the innermost ring alone no angle makes a smaller picture
		angles = angles[:1]
	}
	var all []placement
	for _, s := range spacing {
		for _, a := range angles {
			all = append(all, placement{i, s * extent / (2 * math.Sin(turn/2)), a})
		}
	}
	return all
}

// extent is the diameter of a circle around the nodes of the dimensions placed, at most.
func (l *layout) extent(g *hypercycle.Graph, placed []placement) float64 {
	sum := 0.0
	for _, p := range placed {
		sum += 2 * p.radius
	}
	return sum
}

// spot is the place of a digit of a placed dimension.
func (p placement) spot(d hypercycle.Dimension, digit int) svg.Point {
	sin, cos := math.Sincos(p.angle + 2*math.Pi*float64(digit)/float64(d.M))
	return svg.Point{X: p.radius * sin, Y: -p.radius * cos}
}

// place puts the nodes that have digits in the dimensions placed only, and their links,
// where they are, and returns the scale at which they keep clear of each other.
func (l *layout) place(g *hypercycle.Graph, placed []placement) float64 {
	spots := make([][]svg.Point, g.Rank()+1)
	by := make([]placement, g.Rank()+1)
	for _, p := range placed {
		by[p.dimension] = p
		for digit := range g.Dimension(p.dimension).M {
			spots[p.dimension] = append(spots[p.dimension], p.spot(g.Dimension(p.dimension), digit))
		}
	}
	var nodes []int
	is := make([]bool, len(l.at))
	for v := range l.at {
		at, here := svg.Point{}, true
		for i := 1; i <= g.Rank() && here; i++ {
			digit := g.Digit(v, i)
			if spots[i] == nil {
				here = digit == 0
				continue
			}
			at.X += spots[i][digit].X
			at.Y += spots[i][digit].Y
		}
		if here {
			l.at[v], is[v] = at, true
			nodes = append(nodes, v)
		}
	}
	var links []link
	for i := range l.links {
		k := &l.links[i]
		if !is[k.from] || !is[k.to] {
			continue
		}
		q := g.Ports()[k.port]
		k.curve = chord(l.at[k.from], l.at[k.to], by[q.Dimension], g.Dimension(q.Dimension), g.Digit(k.from, q.Dimension), q.Distance)
		links = append(links, *k)
	}
	return l.clearance(nodes, links)
}

// chord is a link within a ring: a straight line, or bent inwards if that would pass
// the nodes between its ends too closely.
func chord(from, to svg.Point, p placement, d hypercycle.Dimension, digit, distance int) curve {
	step := math.Pi / float64(d.M)
	half := step * float64(distance)
	spacing := 2 * p.radius * math.Sin(step)
	if distance == 1 || p.radius*(math.Cos(half-2*step)-math.Cos(half)) > 0.3*spacing {
		return line(from, to)
	}
	bend := max(0, 0.62*spacing*float64(distance-1)-p.radius*(1-math.Cos(half)))
	sin, cos := math.Sincos(p.angle + 2*math.Pi*float64(digit)/float64(d.M) + half) // of the middle
	in := func(q svg.Point) svg.Point { return svg.Point{X: q.X - 4.0/3*bend*sin, Y: q.Y + 4.0/3*bend*cos} }
	third := func(a, b svg.Point) svg.Point { return svg.Point{X: (3*a.X + b.X) / 4, Y: (3*a.Y + b.Y) / 4} }
	return curve{from, in(third(from, to)), in(third(to, from)), to}
}

// fit moves everything so that it begins at 0, 0, and measures it.
func (l *layout) fit() {
	left, top, right, foot := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	hold := func(p svg.Point, margin float64) {
		left, top, right, foot = min(left, p.X-margin), min(top, p.Y-margin), max(right, p.X+margin), max(foot, p.Y+margin)
	}
	for _, p := range l.at {
		hold(p, l.radius+2)
	}
	for _, k := range l.links {
		for i := range pieces + 1 {
			hold(k.curve.at(float64(i)/pieces), 2)
		}
	}
	move := func(p svg.Point) svg.Point { return svg.Point{X: p.X - left, Y: p.Y - top} }
	for v := range l.at {
		l.at[v] = move(l.at[v])
	}
	for i := range l.links {
		l.links[i].curve = l.links[i].curve.mapped(move)
	}
	l.width, l.height = right-left, foot-top
}
