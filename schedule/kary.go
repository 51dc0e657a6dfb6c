// SPDX-License-Identifier: Apache-2.0

package schedule

import (
	"slices"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
)

// cube returns k and n of a machine whose n radices all are k.
func cube(g *hypercycle.Graph) (k, n int, ok bool) {
	k, n = g.Dimension(1).M, g.Rank()
	for i := 2; i <= n; i++ {
		if g.Dimension(i).M != k {
			return 0, 0, false
		}
	}
	return k, n, true
}

// grayCode lists the nodes of a k-ary n-cube so that neighbours in the list, and the last and the
// first, have Lee distance 1 (KN, the recursive definition of G(n); k = 2 is the binary reflected
// code). It begins with 0..01 and ends with 0..0, for n = 1 with 0, 1, .., k-1.
func grayCode(k, n int) []int32 {
	var code []int32
	for x := range int32(k) {
		code = append(code, x)
	}
	unit := int32(k)
	for range n - 1 {
		var s, q []int32 // words whose rightmost digit is not 0, and the others
		for _, w := range code {
			if w%int32(k) != 0 {
				s = append(s, w)
			} else {
				q = append(q, w)
			}
		}
		var next []int32
		prepend := func(digit int, words []int32) {
			words = slices.Clone(words)
			if digit%2 == 1 {
				slices.Reverse(words)
			}
			for _, w := range words {
				next = append(next, int32(digit)*unit+w)
			}
		}
		for digit := range k {
			prepend(digit, s)
		}
		for digit := k - 1; digit >= 0; digit-- {
			prepend(digit, q)
		}
		code, unit = next, unit*int32(k)
	}
	return code
}

// grayRing schedules operations with one port on the ring of the Gray code (KN): all-gather turns all items
// round the ring, scatter sends along it, the item of the farthest node first. The others have time
// reversed. All take N - 1 steps, all-reduce twice that.
func grayRing(g *hypercycle.Graph, operation string, root int) *Schedule {
	k, n, _ := cube(g)
	code := grayCode(k, n)
	nodes := len(code)
	zero := slices.Index(code, 0)
	code = slices.Concat(code[zero:], code[:zero])
	s := &Schedule{Graph: g, Operation: operation, Algorithm: "gray-ring", Ports: OnePort, Packets: 1, Steps: nodes - 1, Period: radices(g), Bound: Bound(g, operation, OnePort, 1)}
	around := func() (list []collective.Transfer) {
		for step := 1; step < nodes; step++ {
			for at, from := range code {
				list = append(list, collective.Transfer{Step: int32(step), From: from, To: code[(at+1)%nodes], Item: collective.Item{Node: code[(at+1-step+nodes)%nodes], For: -1}})
			}
		}
		return list
	}
	switch operation {
	case collective.AllGather:
		s.Transfers = around()
	case collective.ReduceScatter:
		s.Transfers = added(reversed(around(), s.Steps))
	case collective.AllReduce:
		s.Transfers = added(reversed(around(), s.Steps))
		for _, t := range around() {
			t.Step += int32(s.Steps)
			s.Transfers = append(s.Transfers, t)
		}
		s.Steps *= 2
	case collective.Scatter, collective.Gather:
		s.Root = root
		a := newAddresses(g)
		for to := 1; to < nodes; to++ {
			for at := range to {
				s.Transfers = append(s.Transfers, collective.Transfer{
					Step: int32(nodes - to + at), From: a.add(code[at], int32(root)), To: a.add(code[at+1], int32(root)),
					Item: collective.Item{Node: a.add(code[to], int32(root)), For: -1},
				})
			}
		}
		if operation == collective.Gather {
			s.Transfers = reversed(s.Transfers, s.Steps)
		}
	}
	s.sort()
	return s
}

// reversed runs a plain list of transfers backwards in time. It changes the list.
func reversed(list []collective.Transfer, steps int) []collective.Transfer {
	for i := range list {
		t := &list[i]
		t.Step, t.From, t.To = int32(steps)+1-t.Step, t.To, t.From
	}
	return list
}

// added says that transfers add. It changes the list.
func added(list []collective.Transfer) []collective.Transfer {
	for i := range list {
		list[i].Add = true
	}
	return list
}

// leeTree is the broadcast tree of KN from node 0, with rule 3 corrected: the zero digits that are set to 1
// or k - 1 stand to the left of the leftmost nonzero digit. That digit determines the parent: it is one nearer
// to 0 there.
func leeTree(g *hypercycle.Graph) tree {
	t := make(tree, g.Nodes())
	t[0] = -1
	for v := 1; v < len(t); v++ {
		unit, left := 1, v
		for i := 1; i <= g.Rank(); i++ {
			m := g.Dimension(i).M
			if left < m { // the leftmost nonzero digit
				parent := left - 1
				if left > m/2 {
					parent = (left + 1) % m
				}
				t[v] = int32(v + (parent-left)*unit)
				break
			}
			left, unit = left/m, unit*m
		}
	}
	return t
}
