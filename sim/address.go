// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/plan"
)

// addressing is what all routers of a machine with destinations share (docs/addressed-messages.md).
// A route is a uint64 of the fields of all dimensions: of the local input from 1 to r, on links those of lower dimensions.
type addressing struct {
	plan *plan.Plan
	dims []addressedDimension // [0] is dimension 1
}

// addressedDimension is the part of a dimension.
type addressedDimension struct {
	plan.DestinationField
	m, rho  int
	entered uint32     // ports that a message for all enters
	first   [2][]uint8 // by flag and distance - 1: port that leads there
	mask    uint64     // of the field, at RouteLow
	below   uint64     // mask of the fields of lower dimensions
}

// flags of a field: with x = 0 the message stays or goes to all, else its direction.
const (
	flagAll = 1 // with x = 0
	flagCCW = 1 // with x > 0
)

func newAddressing(p *plan.Plan) *addressing {
	if p.Destination == nil {
		return nil
	}
	a := &addressing{plan: p}
	g := p.Machine.Graph
	for i, f := range p.Destination.Fields {
		dim := p.Dims[i]
		d := addressedDimension{DestinationField: f, m: dim.M, rho: dim.Rho, mask: 1<<f.Bits() - 1, below: 1<<f.RouteLow - 1}
		for _, q := range dim.Entered {
			if p.Ports[q].First > 0 {
				d.entered |= 1 << q
			}
		}
		for x := 1; x <= dim.Rho; x++ {
			d.first[0] = append(d.first[0], uint8(g.PortIndex(i+1, hypercycle.CW, x)))
			d.first[1] = append(d.first[1], uint8(g.PortIndex(i+1, hypercycle.CCW, x)))
		}
		a.dims = append(a.dims, d)
	}
	return a
}

// field returns the field of dimension j (1..r) of a route: its flag and its distance.
func (a *addressing) field(route uint64, j int) (flag, x int) {
	d := &a.dims[j-1]
	f := route >> d.RouteLow & d.mask
	return int(f >> d.DistanceBits), int(f & (1<<d.DistanceBits - 1))
}

// tdest packs a destination as s_axis_local_tdest; the digit under all is 0.
func (a *addressing) tdest(to hypercycle.Destination) (t uint64) {
	for i, digit := range to {
		d := &a.dims[i]
		if digit == hypercycle.All {
			t |= 1 << (d.TDestLow + d.DigitBits)
		} else {
			t |= uint64(digit) << d.TDestLow
		}
	}
	return t
}

// route makes the fields of a message of node from its tdest. It is not legal if a digit is m or more,
// or if there is no other node in its set. unicast tells whether there is one node at most.
func (a *addressing) route(node int, tdest uint64) (route uint64, unicast, legal bool) {
	unicast, legal = true, true
	for i := range a.dims {
		d := &a.dims[i]
		digit := int(tdest >> d.TDestLow & (1<<d.DigitBits - 1))
		own := a.plan.Machine.Graph.Digit(node, i+1)
		flag, x := 0, 0
		switch {
		case tdest>>(d.TDestLow+d.DigitBits)&1 != 0:
			flag, unicast = flagAll, false
		case digit >= d.m:
			legal = false
		default:
			flag, x = d.way(own, digit)
		}
		route |= (uint64(flag)<<d.DistanceBits | uint64(x)) << d.RouteLow
	}
	return route, unicast, legal && route != 0
}

// way is the flag and the distance from a digit to another.
func (d *addressedDimension) way(own, digit int) (flag, x int) {
	clockwise := (digit - own + d.m) % d.m
	counterclockwise := (d.m - clockwise) % d.m
	switch {
	case clockwise < counterclockwise:
		return 0, clockwise
	case clockwise > counterclockwise:
		return flagCCW, counterclockwise
	case clockwise == 0 || own%2 == 0 || 2*d.rho == d.m:
		return 0, clockwise
	}
	return flagCCW, counterclockwise
}

// targets are those of a message that spreads from dimension i, or from the local input with i = r + 1:
// bit j is the group of dimension j, bit 0 delivery, which the local input has not.
func (a *addressing) targets(route uint64, i int) (targets uint32) {
	for j := i - 1; j >= 1; j-- {
		flag, x := a.field(route, j)
		if x > 0 {
			return targets | 1<<j
		}
		if flag == flagAll {
			targets |= 1 << j
		}
	}
	if i > len(a.dims) {
		return targets
	}
	return targets | 1
}

// enter says how a message enters dimension j: by which ports, and with which weight if it is not for all.
func (a *addressing) enter(route uint64, j int) (ports, weight uint32, all bool) {
	d := &a.dims[j-1]
	flag, x := a.field(route, j)
	if x == 0 {
		return d.entered, 0, true
	}
	h := (x + d.rho - 1) / d.rho
	return 1 << d.first[flag][x-(h-1)*d.rho-1], uint32(h), false
}

// malformed tells whether a field that a message on a link of dimension i brings for a lower dimension is out of range.
func (a *addressing) malformed(route uint64, i int) bool {
	for j := 1; j < i; j++ {
		if _, x := a.field(route, j); x > a.dims[j-1].MaxDistance {
			return true
		}
	}
	return false
}
