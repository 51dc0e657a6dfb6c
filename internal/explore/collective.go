// SPDX-License-Identifier: Apache-2.0

package explore

import (
	"fmt"
	"math"
	"strings"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule/check"
)

// MaxCollectiveNodes is the largest machine for which List searches the schedule of a collective network.
const MaxCollectiveNodes = 64

// CollectiveOperations are the operations of collective networks that Query.Collective may be: of those whose nodes are equal, the
// ones that combine no words.
func CollectiveOperations() []string { return []string{check.AllGather, check.TotalExchange} }

// CollectiveBlock is a collective network with the payload that the estimate is for.
func CollectiveBlock(operation string) machine.Collective {
	return machine.Collective{Name: strings.ReplaceAll(operation, "-", "_"), Operation: operation, PayloadBits: PayloadBits}
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
	p, err := plan.NewCollective(m, CollectiveBlock(operation))
	if err != nil {
		panic(fmt.Sprintf("explore: %v", err)) // there is a schedule for every machine
	}
	return Collective{p.Steps, int(math.Round(collectiveEstimate(p)))}
}

// collectiveCost are the LUT4 of each of the parts of a node of a collective network. The constants are fitted to the nodes in
// testdata/collectives.csv (words of 32 bits, Yosys 0.23 for iCE40); make measure WHAT=cost measures them again.
var collectiveCost = []float64{31.91, 1.48}

// collectiveParts counts what a node is made of, as far as LUTs go: choices between two words in front of the registers of
// ports and of words that wait, and entries of its tables: a register that takes a word in a step.
func collectiveParts(p *plan.Collective) []float64 {
	choices, entries := 0, 0
	program := p.Program(0)
	for _, table := range [][][]check.Sum{program.Sends, program.Writes} {
		for place := range table[0] {
			read := map[check.Term]bool{}
			for _, sums := range table {
				for _, t := range sums[place] {
					if t.Source == check.Requested {
						t.Index = 0
					}
					read[t] = true
					entries++
				}
			}
			choices += max(0, len(read)-1)
		}
	}
	return []float64{float64(choices), float64(entries)}
}

// collectiveEstimate is the sum of the parts of a node by their cost.
func collectiveEstimate(p *plan.Collective) (sum float64) {
	for i, n := range collectiveParts(p) {
		sum += collectiveCost[i] * n
	}
	return sum
}
