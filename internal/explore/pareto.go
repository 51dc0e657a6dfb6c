// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"cmp"
	"slices"
)

// costError is the error of the estimated LUT4, as a share: the root mean square over the
// routers that it is fitted to, rounded up. A smaller difference means nothing. Measured LUT4 are compared in the same way.
const costError = 0.03

// comparison compares two machines by a figure: 1 if a is better, -1 if b is, 0 if the figure is no reason to choose.
type comparison func(a, b *Machine) int

// estimates are the figures of a list that is not measured.
var estimates = []comparison{
	func(a, b *Machine) int { return cmp.Compare(a.Nodes, b.Nodes) },
	func(a, b *Machine) int { return cmp.Compare(b.Degree, a.Degree) },
	func(a, b *Machine) int { return cmp.Compare(b.Diameter, a.Diameter) },
	func(a, b *Machine) int { return cmp.Compare(b.AverageDistance, a.AverageDistance) },
	func(a, b *Machine) int { return compareBisections(a.Bisection, b.Bisection) },
	func(a, b *Machine) int { return compareCosts(a.LUT4, b.LUT4) },
}

// measurements are the figures of a list that is measured.
var measurements = []comparison{
	func(a, b *Machine) int { return cmp.Compare(a.Nodes, b.Nodes) },
	func(a, b *Machine) int { return compareCosts(a.Router.LUT4, b.Router.LUT4) },
	func(a, b *Machine) int { return compareSpans(a.Router.Clock.time(1), b.Router.Clock.time(1)) },
	func(a, b *Machine) int { return compareSpans(a.broadcast(), b.broadcast()) },
	func(a, b *Machine) int { return compareSpans(a.allGather(), b.allGather()) },
	func(a, b *Machine) int { return compareSpans(a.totalExchange(), b.totalExchange()) },
	func(a, b *Machine) int { return compareCosts(a.Node.LUT4, b.Node.LUT4) },
	func(a, b *Machine) int { return compareSpans(a.collective(), b.collective()) },
}

// compareBisections takes bounds that overlap as equal, unless they are lower.
func compareBisections(a, b Bisection) int {
	switch {
	case a.Low > b.High:
		return 1
	case a.Low < b.Low || a.High < b.High:
		return -1
	}
	return 0
}

// compareCosts takes costs as equal that differ by less than their error. A machine that lacks the cost is neither better
// nor worse.
func compareCosts(a, b int) int {
	clearlyLess := func(a, b int) bool { return float64(a) < float64(b)*(1-costError) }
	switch {
	case a == 0 || b == 0:
	case clearlyLess(a, b):
		return 1
	case clearlyLess(b, a):
		return -1
	}
	return 0
}

// compareSpans takes times as equal that overlap, because the seeds of a placement differ by chance. A machine that lacks
// the time is neither better nor worse.
func compareSpans(a, b span) int {
	switch {
	case a == span{} || b == span{}:
	case a.most < b.least:
		return 1
	case b.most < a.least:
		return -1
	}
	return 0
}

// MarkBest marks the machines of a list that no other of it beats. One beats another
// if no figure of the other is better, and one of its own is.
func MarkBest(list []Machine) { markBest(pointers(list), estimates) }

// MarkBestMeasured marks the machines of a list whose routers are measured and fit the device and that no other such machine
// beats, by the measured figures.
func MarkBestMeasured(list []Machine) {
	var fitting []*Machine
	for i := range list {
		list[i].Best = false
		if list[i].Router.Clock != (Clock{}) {
			fitting = append(fitting, &list[i])
		}
	}
	markBest(fitting, measurements)
}

func markBest(list []*Machine, by []comparison) {
	beats := func(a, b *Machine) bool { return beats(a, b, by) }
	// Most are beaten by one of those that come first in this order. Costs that are about
	// the same make no order of all machines, so what is left is compared with every one.
	order := slices.Clone(list)
	slices.SortStableFunc(order, func(a, b *Machine) int {
		return cmp.Or(cmp.Compare(b.Nodes, a.Nodes), cmp.Compare(a.Degree, b.Degree), cmp.Compare(a.Diameter, b.Diameter), cmp.Compare(a.LUT4, b.LUT4))
	})
	var best []*Machine
	for _, m := range order {
		beaten := func(other *Machine) bool { return beats(other, m) }
		if m.Best = !slices.ContainsFunc(best, beaten) && !slices.ContainsFunc(order, beaten); m.Best {
			best = append(best, m)
		}
	}
}

// beats reports whether a beats b.
func beats(a, b *Machine, by []comparison) bool {
	better := false
	for _, compare := range by {
		switch compare(a, b) {
		case -1:
			return false
		case 1:
			better = true
		}
	}
	return better
}

func pointers(list []Machine) (all []*Machine) {
	for i := range list {
		all = append(all, &list[i])
	}
	return all
}
