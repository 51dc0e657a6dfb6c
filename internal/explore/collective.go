// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
)

// MaxCollectiveNodes is the largest machine for which List searches the schedule of a collective network.
const MaxCollectiveNodes = 64

// CollectiveOperations are the operations of collective networks that Query.Collective may be: those whose nodes are equal, which
// are all without a root.
func CollectiveOperations() []string {
	return []string{collective.AllGather, collective.TotalExchange, collective.ReduceScatter, collective.AllReduce, collective.AllReduceWord}
}

// CollectiveBlock is a collective network with the payload and the operator that the estimate is for.
func CollectiveBlock(operation string) machine.Collective {
	c := machine.Collective{Name: strings.ReplaceAll(operation, "-", "_"), Operation: operation, PayloadBits: PayloadBits}
	if operation == collective.AllReduceWord {
		c.Operation, c.OneWord = collective.AllReduce, true
	}
	if collective.Reduces(c.Operation) {
		c.Operator = "add"
	}
	return c
}

// Collective is a collective network of a machine.
type Collective struct {
	Steps int // of its schedule; 0: it is not searched
	LUT4  int // of a node, estimated
}

// newCollective plans the network.
func newCollective(m *machine.Machine, operation string) Collective {
	if m.Graph.Nodes() > MaxCollectiveNodes {
		return Collective{}
	}
	p, err := plan.NewCollective(m, CollectiveBlock(operation), schedule.ForNetwork)
	if err != nil {
		panic(fmt.Sprintf("explore: %v", err)) // there is a schedule for every machine
	}
	return Collective{p.Steps, int(math.Round(collectiveEstimate(p)))}
}

// collectiveCost are the LUT4 of each of the parts of a node of a collective network. The constants are fitted to the nodes in
// testdata/collectives.csv (words of 32 bits, Yosys 0.23 for iCE40); make measure WHAT=cost measures them again.
var collectiveCost = []float64{30.37, 30.94, 71.66, 1.87}

// collectiveParts counts what a node is made of, as far as LUTs go: choices between two words, in front of registers and of operands of
// sums; sums; their operands beyond two, which Yosys adds with two LUTs per bit; and entries of its tables, a register that takes a word
// in a step. A choice between a sum and an operand that it always has is no part, because the LUTs of the adder make it.
func collectiveParts(p *plan.Collective) []float64 {
	choices, operands, entries := 0, 0, 0
	registers, trees := collectiveRegisters(p)
	for _, r := range registers {
		entries += r.entries
		choices += max(0, len(r.terms)+len(r.sums)-1)
	}
	for _, t := range trees {
		leaves := t.leaves()
		operands += len(leaves)
		for _, l := range leaves {
			choices += len(l.terms) - 1
		}
		for _, r := range registers {
			if slices.Contains(r.sums, t) && slices.ContainsFunc(leaves, func(l leaf) bool { return l.always && len(l.terms) == 1 && slices.Contains(r.terms, l.terms[0]) }) {
				choices--
			}
		}
	}
	return []float64{float64(choices), float64(len(trees)), float64(operands - 2*len(trees)), float64(entries)}
}

// loaded is a register of a node, of a port or of words that stay, and what it selects between.
type loaded struct {
	terms   []collective.Term
	sums    []*sumTree
	entries int // steps in which it takes a word
}

// collectiveRegisters are the registers of a node, and the trees of its sums. Equal sums of a step are computed once. The sum in front of
// register 0 computes the own result, too.
func collectiveRegisters(p *plan.Collective) (registers []*loaded, trees []*sumTree) {
	program := p.Program(0)
	newTree := func() *sumTree { return &sumTree{rows: make([]collective.Sum, p.Steps+1)} }
	add := func(t *sumTree, row int, sum collective.Sum) {
		if t.rows[row] = sum; !slices.Contains(trees, t) {
			trees = append(trees, t)
		}
	}
	take := func(port int, own *sumTree, sumOf func(step int) collective.Sum) {
		r := &loaded{}
		registers = append(registers, r)
		for k := range p.Steps {
			sum := onPort(sumOf(k), port)
			if len(sum) == 0 {
				continue
			}
			r.entries++
			if len(sum) == 1 {
				if !slices.Contains(r.terms, sum[0]) {
					r.terms = append(r.terms, sum[0])
				}
				continue
			}
			t := own
			if i := slices.IndexFunc(trees, func(other *sumTree) bool { return slices.Equal(other.rows[k], sum) }); i >= 0 {
				t = trees[i]
			} else {
				add(own, k, sum)
			}
			if !slices.Contains(r.sums, t) {
				r.sums = append(r.sums, t)
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
	if len(program.Result) > 1 {
		add(first, p.Steps, program.Result)
	}
	return registers, trees
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

// sumTree is a tree of operators in front of a register: by step, and behind the last step for the own result, the sum that it makes.
type sumTree struct{ rows []collective.Sum }

// leaf is an operand of a tree.
type leaf struct {
	terms  []collective.Term // that it selects between
	always bool              // every sum has it
}

// leaves places the sums on the tree of the longest of them: the first ceil(n / 2) terms on its first half, and the others on the second.
func (t *sumTree) leaves() []leaf {
	size := 0
	for _, sum := range t.rows {
		size = max(size, len(sum))
	}
	list := slices.Repeat([]leaf{{always: true}}, size)
	var place func(sum collective.Sum, part []leaf)
	place = func(sum collective.Sum, part []leaf) {
		switch {
		case len(sum) == 0:
			for i := range part {
				part[i].always = false
			}
		case len(part) == 1:
			if !slices.Contains(part[0].terms, sum[0]) {
				part[0].terms = append(part[0].terms, sum[0])
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

// collectiveEstimate is the sum of the parts of a node by their cost.
func collectiveEstimate(p *plan.Collective) (sum float64) {
	for i, n := range collectiveParts(p) {
		sum += collectiveCost[i] * n
	}
	return sum
}
