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

// compareLess prefers the machine with less.
func compareLess(value func(*Machine) float64) comparison {
	return func(a, b *Machine) int { return cmp.Compare(value(b), value(a)) }
}

// compareMore prefers the machine with more.
func compareMore(value func(*Machine) float64) comparison {
	return func(a, b *Machine) int { return cmp.Compare(value(a), value(b)) }
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

// compareCosts takes costs as equal that differ by less than their error.
func compareCosts(cost func(*Machine) float64) comparison {
	return func(a, b *Machine) int {
		switch x, y := cost(a), cost(b); {
		case x < y*(1-costError):
			return 1
		case y < x*(1-costError):
			return -1
		}
		return 0
	}
}

// compareSpans takes times as equal that overlap, because the seeds of a placement differ by chance.
func compareSpans(of func(*Machine) span) comparison {
	return func(a, b *Machine) int {
		switch x, y := of(a), of(b); {
		case x.most < y.least:
			return 1
		case y.most < x.least:
			return -1
		}
		return 0
	}
}

// MarkBest marks the machines of a list that no other of it beats in the columns of the query's stars. One beats another if no
// figure of the other is better, and one of its own is. Machines that lack one of the figures are not compared: they have no star.
func MarkBest(list []Machine, q Query) {
	by := q.starColumns()
	var order []*Machine
	for i := range list {
		m := &list[i]
		m.Best = false
		if !slices.ContainsFunc(by, func(c column) bool { return c.key(m) == nil }) {
			order = append(order, m)
		}
	}
	// Most are beaten by one of those that come first in this order. Costs that are about
	// the same make no order of all machines, so what is left is compared with every one.
	slices.SortStableFunc(order, func(a, b *Machine) int {
		for _, c := range by {
			if by := slices.Compare(c.key(a), c.key(b)); by != 0 {
				return by
			}
		}
		return 0
	})
	var best []*Machine
	for _, m := range order {
		beaten := func(other *Machine) bool { return beats(other, m, by) }
		if m.Best = !slices.ContainsFunc(best, beaten) && !slices.ContainsFunc(order, beaten); m.Best {
			best = append(best, m)
		}
	}
}

// beats reports whether a beats b.
func beats(a, b *Machine, by []column) bool {
	better := false
	for _, c := range by {
		switch c.compare(a, b) {
		case -1:
			return false
		case 1:
			better = true
		}
	}
	return better
}
