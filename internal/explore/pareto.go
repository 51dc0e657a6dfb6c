// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"cmp"
	"slices"
)

// costError is the error of the estimated LUT4, as a share: the root mean square over the
// routers that it is fitted to, rounded up. A smaller difference means nothing.
const costError = 0.03

// MarkBest marks the machines of a list that no other of it beats. One beats another
// if it has at least as many nodes and as wide a bisection, at most its degree, diameter,
// average distance and cost, and is better in one of them. Costs that differ by less
// than the error of the estimate are the same.
func MarkBest(list []Machine) {
	order := make([]*Machine, 0, len(list))
	for i := range list {
		order = append(order, &list[i])
	}
	// Most are beaten by one of those that come first in this order. Costs that are about
	// the same make no order of all machines, so what is left is compared with every one.
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
func beats(a, b *Machine) bool {
	asGood := a.Nodes >= b.Nodes && a.Degree <= b.Degree && a.Diameter <= b.Diameter && a.AverageDistance <= b.AverageDistance &&
		a.Bisection.Low >= b.Bisection.Low && a.Bisection.High >= b.Bisection.High && !clearlyLess(b.LUT4, a.LUT4)
	better := a.Nodes > b.Nodes || a.Degree < b.Degree || a.Diameter < b.Diameter || a.AverageDistance < b.AverageDistance ||
		a.Bisection.Low > b.Bisection.High || clearlyLess(a.LUT4, b.LUT4)
	return asGood && better
}

// clearlyLess reports whether one estimate is below another by more than its error.
func clearlyLess(a, b int) bool { return float64(a) < float64(b)*(1-costError) }
