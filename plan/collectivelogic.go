// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"slices"

	"github.com/hcgen/hcgen/collective"
)

// Logic is what is in front of the registers of a node: what they select between, and what is combined. Estimates count it.
type Logic struct {
	Registers []*Register // those in which words stay or are combined, then those of ports
	Trees     []*SumTree
}

// Register is a register of a node, of a port or of words that stay, and what it selects between.
type Register struct {
	Terms   []collective.Term
	Sums    []*SumTree
	Entries int // steps in which it takes a word
}

// Choices is the number of words that the register selects between.
func (r *Register) Choices() int { return len(r.Terms) + len(r.Sums) }

// Logic is that of the nodes of a class. Equal sums of a step are computed once. The sum in front of register 0 computes the own
// results, too.
func (p *Collective) Logic(class int) *Logic {
	n := &Logic{}
	program := &p.Programs[class]
	newTree := func() *SumTree { return &SumTree{rows: make([]collective.Sum, p.Steps+len(p.Schedules))} }
	add := func(t *SumTree, row int, sum collective.Sum) {
		if t.rows[row] = sum; !slices.Contains(n.Trees, t) {
			n.Trees = append(n.Trees, t)
		}
	}
	take := func(port int, own *SumTree, sumOf func(step int) collective.Sum) {
		r := &Register{}
		n.Registers = append(n.Registers, r)
		for k := range p.Steps {
			sum := onPort(sumOf(k), port)
			if len(sum) == 0 {
				continue
			}
			r.Entries++
			if len(sum) == 1 {
				if !slices.Contains(r.Terms, sum[0]) {
					r.Terms = append(r.Terms, sum[0])
				}
				continue
			}
			t := own
			if i := slices.IndexFunc(n.Trees, func(other *SumTree) bool { return slices.Equal(other.rows[k], sum) }); i >= 0 {
				t = n.Trees[i]
			} else {
				add(own, k, sum)
			}
			if !slices.Contains(r.Sums, t) {
				r.Sums = append(r.Sums, t)
			}
		}
	}
	first := newTree()
	for r := range p.Registers {
		own := first
		if r > 0 {
			own = newTree()
		}
		take(-1, own, func(k int) collective.Sum { return program.Writes[k][r] })
	}
	for port := range p.Degree {
		take(port, newTree(), func(k int) collective.Sum { return program.Sends[k][port] })
	}
	for i, result := range p.Results(class) {
		if len(result) > 1 {
			add(first, p.Steps+i, result)
		}
	}
	return n
}

// onPort is a sum with the port in place of the node that a requested word is for, because the port has one input for all.
func onPort(sum collective.Sum, port int) collective.Sum {
	sum = slices.Clone(sum)
	for i, t := range sum {
		if t.Source == collective.Requested {
			sum[i].Index = int32(port)
		}
	}
	return sum
}

// SumTree is a tree of operators in front of a register: by step, and behind the last step for the own results, the sum that it makes.
type SumTree struct{ rows []collective.Sum }

// Leaf is an operand of a tree.
type Leaf struct {
	Terms  []collective.Term // that it selects between
	Always bool              // every sum has it
}

// Leaves places the sums on the tree of the longest of them: the first ceil(n / 2) terms on its first half, and the others on the second.
func (t *SumTree) Leaves() []Leaf {
	size := 0
	for _, sum := range t.rows {
		size = max(size, len(sum))
	}
	list := slices.Repeat([]Leaf{{Always: true}}, size)
	var place func(sum collective.Sum, part []Leaf)
	place = func(sum collective.Sum, part []Leaf) {
		switch {
		case len(sum) == 0:
			for i := range part {
				part[i].Always = false
			}
		case len(part) == 1:
			if !slices.Contains(part[0].Terms, sum[0]) {
				part[0].Terms = append(part[0].Terms, sum[0])
			}
		default:
			half := (len(part) + 1) / 2
			terms := (len(sum) + 1) / 2
			place(sum[:terms], part[:half])
			place(sum[terms:], part[half:])
		}
	}
	for _, sum := range t.rows {
		if len(sum) > 0 {
			place(sum, list)
		}
	}
	return list
}
