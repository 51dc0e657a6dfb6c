// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"slices"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
)

// radices lists the m_i.
func radices(g *hypercycle.Graph) []int { return Machine(g).M }

// ones is the period of translated schedules.
func ones(g *hypercycle.Graph) []int { return slices.Repeat([]int{1}, g.Rank()) }

// addresses calculates with addresses digit by digit.
type addresses struct {
	m, unit []int32
	shift   []int32 // by port: the offset of the neighbour
}

func newAddresses(g *hypercycle.Graph) *addresses {
	a := &addresses{}
	unit := 1
	for _, m := range radices(g) {
		a.m, a.unit = append(a.m, int32(m)), append(a.unit, int32(unit))
		unit *= m
	}
	for p := range g.Degree() {
		a.shift = append(a.shift, int32(g.Neighbor(0, p)))
	}
	return a
}

// add is the sum of two addresses, digit by digit mod m.
func (a *addresses) add(x, y int32) int32 {
	sum := int32(0)
	for i, m := range a.m {
		sum += (x%m + y%m) % m * a.unit[i]
		x, y = x/m, y/m
	}
	return sum
}

// sub is the difference of two addresses, digit by digit mod m.
func (a *addresses) sub(x, y int32) int32 {
	sum := int32(0)
	for i, m := range a.m {
		sum += (x%m + m - y%m) % m * a.unit[i]
		x, y = x/m, y/m
	}
	return sum
}

// moved adds to the addresses of a transfer.
func (a *addresses) moved(t collective.Transfer, by int32) collective.Transfer {
	t.From, t.To, t.Item.Node = a.add(t.From, by), a.add(t.To, by), a.add(t.Item.Node, by)
	if t.Item.For >= 0 {
		t.Item.For = a.add(t.Item.For, by)
	}
	return t
}

// digit returns the digit of dimension i+1.
func (a *addresses) digit(x int32, i int) int { return int(x / a.unit[i] % a.m[i]) }

// multiple reports whether every digit is a multiple of the period.
func (a *addresses) multiple(x int32, period []int) bool {
	for i, p := range period {
		if a.digit(x, i)%p != 0 {
			return false
		}
	}
	return true
}

// neighbours lists the neighbours of every node, by node and port.
func neighbours(g *hypercycle.Graph) []int32 {
	list := make([]int32, g.Nodes()*g.Degree())
	for p, port := range g.Ports() {
		unit := 1
		for i := 1; i < port.Dimension; i++ {
			unit *= g.Dimension(i).M
		}
		m := g.Dimension(port.Dimension).M
		jump := (int(port.Direction)*port.Distance + m) % m
		for digit := range m {
			by := (digit+jump)%m*unit - digit*unit
			for high := digit * unit; high < g.Nodes(); high += m * unit {
				for v := high; v < high+unit; v++ {
					list[v*g.Degree()+p] = int32(v + by)
				}
			}
		}
	}
	return list
}

// ceil is a/b rounded up, for a >= 0 and b > 0.
func ceil(a, b int) int { return (a + b - 1) / b }

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
