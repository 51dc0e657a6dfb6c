// SPDX-License-Identifier: Apache-2.0

package exhaustive

import (
	"fmt"

	"github.com/hcgen/hcgen/hypercycle"
)

// ringTree is what a broadcast in one ring must look like, seen from offset 0:
// written from the definition of the ring and the rules of the documentation, and
// compared with nothing of package hypercycle.
type ringTree struct {
	ports    []ringPort // in the fixed order
	diameter int        // largest distance, by breadth-first search
	distance [MaxM]int  // of each offset, by breadth-first search
	step     [MaxM]int  // in which each offset receives; 0 for the source
	in       [MaxM]int  // port of the ring on which it receives; -1 for the source
}

// ringPort is one link of a node in a ring.
type ringPort struct {
	direction, distance int // +1 or -1; 1..rho
	opposite            int // port of the neighbour that leads back
}

// port finds a port. If 2 distance = m both directions name the same one.
func (r *ringTree) port(m, direction, distance int) int {
	if 2*distance == m {
		direction = +1
	}
	for i, p := range r.ports {
		if p.direction == direction && p.distance == distance {
			return i
		}
	}
	return -1
}

// newRingTree computes the tree of a ring and preference, and checks it.
func newRingTree(d hypercycle.Dimension, p hypercycle.Preference) (*ringTree, error) {
	r := &ringTree{}
	for _, direction := range []int{+1, -1} {
		for x := 1; x <= d.Rho; x++ {
			if direction > 0 || 2*x != d.M {
				r.ports = append(r.ports, ringPort{direction: direction, distance: x})
			}
		}
	}
	for i, q := range r.ports {
		r.ports[i].opposite = r.port(d.M, -q.direction, q.distance)
	}

	for x := 1; x < d.M; x++ {
		r.distance[x] = -1
	}
	for front := []int{0}; len(front) > 0; front = front[1:] {
		for y := range d.M {
			if linked(d, front[0], y) && r.distance[y] < 0 {
				r.distance[y] = r.distance[front[0]] + 1
				r.diameter = r.distance[y]
				front = append(front, y)
			}
		}
	}

	// The direction of the preference covers the diameter times rho nodes, the
	// other one the rest; balanced halves them, clockwise first. A message makes
	// its short step first and steps of rho after it.
	clockwise := r.diameter * d.Rho
	switch p {
	case hypercycle.Counterclockwise:
		clockwise = d.M - 1 - clockwise
	case hypercycle.Balanced:
		clockwise = d.M / 2
	}
	r.in[0] = -1
	for x := 1; x < d.M; x++ {
		direction, way := +1, x
		if x > clockwise {
			direction, way = -1, d.M-x
		}
		r.step[x] = (way + d.Rho - 1) / d.Rho
		r.in[x] = r.port(d.M, -direction, min(way, d.Rho))
	}
	return r, r.check(d, p)
}

// linked reports whether there is a link between two nodes, by the definition of
// C_m<1..rho>.
func linked(d hypercycle.Dimension, x, y int) bool {
	gap := (x - y + d.M) % d.M
	return gap != 0 && (gap <= d.Rho || d.M-gap <= d.Rho)
}

// check reports a violation of the assumptions about rings in the argument for products (see
// the package): distances differ by at most 1 along a link, and balanced reaches each node in
// the step that is its distance.
func (r *ringTree) check(d hypercycle.Dimension, p hypercycle.Preference) error {
	for x := range d.M {
		for y := range d.M {
			if gap := r.distance[x] - r.distance[y]; linked(d, x, y) && (gap > 1 || gap < -1) {
				return fmt.Errorf("ring (%d,%d): linked nodes %d and %d are at distances %d and %d", d.M, d.Rho, x, y, r.distance[x], r.distance[y])
			}
		}
		if p == hypercycle.Balanced && r.step[x] != r.distance[x] {
			return fmt.Errorf("ring (%d,%d): balanced serves node %d in step %d, its distance is %d", d.M, d.Rho, x, r.step[x], r.distance[x])
		}
	}
	return nil
}
