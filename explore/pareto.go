// SPDX-License-Identifier: Apache-2.0

package explore

import "slices"

// MarkBest marks the machines of a list that no other of it beats. One beats another
// if it has at least as many nodes, at most its degree, diameter and cost, and not
// all of them the same.
func MarkBest(list []Machine) {
	for i := range list {
		m := &list[i]
		m.Best = !slices.ContainsFunc(list, func(other Machine) bool { return beats(&other, m) })
	}
}

func beats(a, b *Machine) bool {
	asGood := a.Nodes >= b.Nodes && a.Degree <= b.Degree && a.Diameter <= b.Diameter && a.LUT4 <= b.LUT4
	better := a.Nodes > b.Nodes || a.Degree < b.Degree || a.Diameter < b.Diameter || a.LUT4 < b.LUT4
	return asGood && better
}
