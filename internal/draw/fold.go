// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"math"

	"github.com/hcgen/hcgen/internal/svg"
)

// mostOnCircle is how many nodes a ring may have to be drawn on a circle, most of which is blank,
// whatever else would be smaller.
const mostOnCircle = 48

// fold puts a long ring without longer links on rows that go to and fro, and its last nodes on the
// column that leads back to the first. All links are straight and of the same length.
func (l *layout) fold() {
	step := 2*l.radius + apart
	for v, p := range folded(len(l.at)) {
		l.at[v] = svg.Point{X: step * p.X, Y: step * p.Y}
	}
	for i := range l.links {
		k := &l.links[i]
		k.curve = line(l.at[k.from], l.at[k.to])
	}
}

// folded are the places of a ring in steps, with as many rows as make the picture as little
// longer than wide as can be.
func folded(nodes int) []svg.Point {
	pairs, longest := 1, math.Inf(1)
	for p := 1; 4*p <= nodes; p++ { // of rows
		wide, high := math.Ceil(float64(nodes)/float64(2*p)), float64(2*p)
		if long := max(wide, 1.3*high); long < longest {
			pairs, longest = p, long
		}
	}
	at := []svg.Point{{}}
	put := func(x, y float64) { at = append(at, svg.Point{X: x, Y: y}) }
	beside := nodes/2 - pairs // that the column leaves for each two rows, together
	for p := range pairs {
		wide := beside / pairs
		if p < beside%pairs {
			wide++
		}
		y := float64(2 * p)
		for x := 1; x <= wide; x++ {
			put(float64(x), y)
		}
		if p == 0 && nodes%2 == 1 { // one that is left over, as far from both of its neighbours
			put(float64(wide)+math.Sqrt(3)/2, y+0.5)
		}
		for x := wide; x >= 1; x-- {
			put(float64(x), y+1)
		}
	}
	for y := 2*pairs - 1; y >= 1; y-- {
		put(0, float64(y))
	}
	return at
}
