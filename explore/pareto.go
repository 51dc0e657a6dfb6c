// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"cmp"
	"slices"
)

// MarkBest marks the machines of a list that no other of it beats. One beats another
// if it has at least as many nodes, at most its degree, diameter and cost, and not
// all of them the same.
func MarkBest(list []Machine) {
	order := make([]*Machine, 0, len(list))
	for i := range list {
		order = append(order, &list[i])
	}
	// In this order what beats a machine stands before it; and if anything does, one of
	// the best does.
	slices.SortStableFunc(order, func(a, b *Machine) int {
		return cmp.Or(cmp.Compare(b.Nodes, a.Nodes), cmp.Compare(a.Degree, b.Degree), cmp.Compare(a.Diameter, b.Diameter), cmp.Compare(a.LUT4, b.LUT4))
	})
	var best []*Machine
	for _, m := range order {
		if m.Best = !slices.ContainsFunc(best, func(other *Machine) bool { return beats(other, m) }); m.Best {
			best = append(best, m)
		}
	}
}

// beats reports whether a beats b.
func beats(a, b *Machine) bool {
	asGood := a.Nodes >= b.Nodes && a.Degree <= b.Degree && a.Diameter <= b.Diameter && a.LUT4 <= b.LUT4
	better := a.Nodes > b.Nodes || a.Degree < b.Degree || a.Diameter < b.Diameter || a.LUT4 < b.LUT4
	return asGood && better
}
