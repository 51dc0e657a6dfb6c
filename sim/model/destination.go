// SPDX-License-Identifier: Apache-2.0

package model

import (
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/sim"
)

// The rules of docs/addressed-messages.md. A route is a uint64 of fields: at the local input those of dimensions 1 to r,
// on links those of lower dimensions. Without destinations every field is all.

// Flags of a field: with x = 0 the flag selects stay or all, otherwise the direction.
const (
	flagAll = 1 // with x = 0
	flagCCW = 1 // with x > 0
)

// field returns the field of dimension j of a route.
func (x *rules) field(route uint64, j int) (flag, distance int) {
	if !x.addressed() {
		return flagAll, 0
	}
	f := &x.plan.Destination.Fields[j-1]
	field := route >> f.RouteLow & (1<<f.Bits() - 1)
	return int(field >> f.DistanceBits), int(field & (1<<f.DistanceBits - 1))
}

// below returns the fields of a route of the dimensions below j.
func (x *rules) below(route uint64, j int) uint64 {
	if !x.addressed() {
		return 0
	}
	return route & (1<<x.plan.Destination.Fields[j-1].RouteLow - 1)
}

// part returns the part of tdest for dimension j: all, or a digit.
func (x *rules) part(tdest uint64, j int) (all bool, digit int) {
	f := &x.plan.Destination.Fields[j-1]
	all = tdest>>(f.TDestLow+f.DigitBits)&1 != 0
	return all, int(tdest >> f.TDestLow & (1<<f.DigitBits - 1))
}

// scope lists the dimensions in which tdest has all, if deliveries have them.
func (x *rules) scope(tdest uint64) (scope uint32) {
	for i := range x.plan.ScopeBits {
		if all, _ := x.part(tdest, i+1); all {
			scope |= 1 << i
		}
	}
	return scope
}

// route returns the fields of a message of the router's node from its tdest. The destination is illegal if a digit is m
// or more, or if its set contains no other node.
func (r *Router) route(tdest uint64) (route uint64, legal bool) {
	legal = true
	for i := range r.plan.Dims {
		f := &r.plan.Destination.Fields[i]
		all, digit := r.part(tdest, i+1)
		flag, x := flagAll, 0
		if !all {
			m := r.plan.Dims[i].M
			legal = legal && digit < m
			flag, x = r.way(i+1, digit%m)
		}
		route |= (uint64(flag)<<f.DistanceBits | uint64(x)) << f.RouteLow
	}
	return route, legal && route != 0
}

// way returns the field of dimension j for a digit: the distance in the shorter direction.
func (r *Router) way(j, digit int) (flag, x int) {
	d, own := &r.plan.Dims[j-1], r.digits[j-1]
	o := (digit - own + d.M) % d.M
	x = min(o, d.M-o)
	clockwise := x == o
	if 2*x == d.M {
		clockwise = own%2 == 0 || 2*d.Rho == d.M
	}
	if x > 0 && !clockwise {
		flag = flagCCW
	}
	return flag, x
}

// unicast reports whether a destination is a single node at most.
func (x *rules) unicast(tdest uint64) bool {
	for i := range x.plan.Dims {
		if all, _ := x.part(tdest, i+1); all {
			return false
		}
	}
	return true
}

// spreads reports whether a message on a link spreads at this router: if spread is 1, if wc is 1, or, in a malformed
// message, if wc is 0. Without destinations every message spreads.
func (x *rules) spreads(m *sim.Message) bool {
	return m.WC <= 1 || m.Spread || !x.addressed()
}

// spread sets the requests of the targets of the head of an input where it spreads.
func (r *Router) spread(i *input) {
	for j := i.dimension - 1; j >= 1; j-- {
		flag, x := r.field(i.head.Route, j)
		switch {
		case x > 0:
			i.requests[j] = true
			return
		case flag == flagAll:
			i.requests[j] = true
		}
	}
	i.requests[deliveryTarget] = i.dimension <= len(r.plan.Dims)
}

// outOfRange reports whether a field of a message on a link of dimension i has a distance above floor(m/2).
func (x *rules) outOfRange(m *sim.Message, i int) bool {
	for j := 1; j < i; j++ {
		if _, distance := x.field(m.Route, j); distance > x.plan.Dims[j-1].M/2 {
			return true
		}
	}
	return false
}

// enter sets the weight, by port, with which a message enters dimension j.
func (x *rules) enter(m *sim.Message, j int, weight []int) {
	flag, distance := x.field(m.Route, j)
	if distance == 0 { // all
		for _, p := range x.plan.Dims[j-1].Entered {
			weight[p] = x.plan.Ports[p].First
		}
		return
	}
	direction := hypercycle.CW
	if flag == flagCCW {
		direction = hypercycle.CCW
	}
	rho := x.plan.Dims[j-1].Rho
	h := (distance + rho - 1) / rho
	weight[x.plan.Machine.Graph.PortIndex(j, direction, distance-(h-1)*rho)] = h
}

// entered returns spread and route of a message that has entered dimension j.
func (x *rules) entered(m *sim.Message, j int) (spread bool, route uint64) {
	if !x.addressed() {
		return false, 0
	}
	_, distance := x.field(m.Route, j)
	return distance == 0, x.below(m.Route, j)
}
