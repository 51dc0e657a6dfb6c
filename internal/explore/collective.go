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

// CollectiveOperations are the operations of collective networks that Query.Collective may name, with commas between them: those whose nodes are equal, which
// are all without a root.
func CollectiveOperations() []string {
	return []string{collective.AllGather, collective.TotalExchange, collective.ReduceScatter, collective.AllReduce, collective.AllReduceWord}
}

// CollectiveBlock is a collective network with the payload and the operator that the estimate is for. It has several operations if
// there are commas between them.
func CollectiveBlock(operations string) machine.Collective {
	c := machine.Collective{Name: strings.NewReplacer("-", "_", ",", "_").Replace(operations), PayloadBits: PayloadBits}
	for _, operation := range strings.Split(operations, ",") {
		if operation == collective.AllReduceWord {
			operation, c.OneWord = collective.AllReduce, true
		}
		c.Operations = append(c.Operations, operation)
	}
	if len(c.Operations) == 1 {
		c.Operation, c.Operations = c.Operations[0], nil
	}
	if c.Reduces() {
		c.Operator = "add"
	}
	return c
}

// Collective is a collective network of a machine.
type Collective struct {
	Steps   int // of its schedules; 0: they are not searched
	LUT4    int // of a node, estimated
	Chunk   int // bits of a word that are combined in one cycle; 0 if the node combines no words, as the next but Cycles
	Cycles  int // from a start to the last results, of all operations
	MHz, NS int // clock of a node, and time of all operations, estimated
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
	return Collective{p.Steps, int(math.Round(collectiveEstimate(p))), p.Figures()[0].Chunk, p.Cycles(), p.MHz(), p.NS()}
}

// collectiveCost are the LUT4 of each of the parts of a node of a collective network. The constants are fitted to the nodes in
// testdata/collectives.csv (words of 32 bits, Yosys 0.23 for iCE40); make measure WHAT=cost measures them again.
var collectiveCost = []float64{30.51, 31.26, 71.61, 1.86}

// collectiveParts counts what a node is made of, as far as LUTs go: choices between two words, in front of registers and of operands of
// sums; sums; their operands beyond two, which Yosys adds with two LUTs per bit; and entries of its tables, a register that takes a word
// in a step. A choice between a sum and an operand that it always has is no part, because the LUTs of the adder make it.
func collectiveParts(p *plan.Collective) []float64 {
	choices, operands, entries := 0, 0, 0
	node := p.Logic(0)
	for _, r := range node.Registers {
		entries += r.Entries
		choices += max(0, r.Choices()-1)
	}
	for _, t := range node.Trees {
		leaves := t.Leaves()
		operands += len(leaves)
		for _, l := range leaves {
			choices += len(l.Terms) - 1
		}
		for _, r := range node.Registers {
			always := func(l plan.Leaf) bool { return l.Always && len(l.Terms) == 1 && slices.Contains(r.Terms, l.Terms[0]) }
			if slices.Contains(r.Sums, t) && slices.ContainsFunc(leaves, always) {
				choices--
			}
		}
	}
	return []float64{float64(choices), float64(len(node.Trees)), float64(operands - 2*len(node.Trees)), float64(entries)}
}

// collectiveEstimate is the sum of the parts of a node by their cost.
func collectiveEstimate(p *plan.Collective) (sum float64) {
	for i, n := range collectiveParts(p) {
		sum += collectiveCost[i] * n
	}
	return sum
}
