// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/schedule/check"
)

// orders are the columns that a list can be sorted by; the first of equals is what
// most would choose: less of everything but bisection width.
var orders = []struct {
	name    string
	compare func(a, b *Machine) int
}{
	{"nodes", func(a, b *Machine) int { return cmp.Compare(a.Nodes, b.Nodes) }},
	{"degree", func(a, b *Machine) int { return cmp.Compare(a.Degree, b.Degree) }},
	{"diameter", func(a, b *Machine) int { return cmp.Compare(a.Diameter, b.Diameter) }},
	{"average", func(a, b *Machine) int { return cmp.Compare(a.AverageDistance, b.AverageDistance) }},
	{"links", func(a, b *Machine) int { return cmp.Compare(a.Links, b.Links) }},
	{"bisection", func(a, b *Machine) int {
		return cmp.Or(cmp.Compare(b.Bisection.Low, a.Bisection.Low), cmp.Compare(b.Bisection.High, a.Bisection.High))
	}},
	{check.AllGather, func(a, b *Machine) int { return cmp.Compare(a.AllGather, b.AllGather) }},
	{check.TotalExchange, func(a, b *Machine) int { return cmp.Compare(a.TotalExchange, b.TotalExchange) }},
	{check.AllReduce, func(a, b *Machine) int { return cmp.Compare(a.AllReduce, b.AllReduce) }},
	{"lut4", func(a, b *Machine) int { return cmp.Compare(a.LUT4, b.LUT4) }},
}

// Columns lists the columns that Sort accepts.
func Columns() []string {
	var names []string
	for _, o := range orders {
		names = append(names, o.name)
	}
	return names
}

// Sort sorts a list by a column, the smallest first, of bisection widths the largest;
// machines that are equal in it stay in their order. Capitals do not matter. It reports false if
// there is no such column.
func Sort(list []Machine, column string) bool {
	for _, o := range orders {
		if strings.EqualFold(o.name, column) {
			slices.SortStableFunc(list, func(a, b Machine) int { return o.compare(&a, &b) })
			return true
		}
	}
	return false
}
