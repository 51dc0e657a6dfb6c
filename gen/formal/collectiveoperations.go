// SPDX-License-Identifier: Apache-2.0

package formal

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/hcgen/hcgen/gen/internal/each"
	"github.com/hcgen/hcgen/gen/internal/verilog"
	"github.com/hcgen/hcgen/plan"
)

// operationsProof is what the proof by node prints of a network of several operations, whose cycles have numbers (plan.Schedule).
type operationsProof struct {
	StepBegins, StepEnds []string // by step: the number of the cycle before its first one, and that of its last one
	StepSent, StepKept   []string // by step: that of the last cycle in which its words are sent, and of the last one in which registers hold them
	Kinds                []operationKind
	OperationBits        int // of the input operation
	StepBits             int // of the number of a step
}

// operationKind is one of the operations.
type operationKind struct {
	Name          string
	First, Result string // numbers of its cycle 1, and of the cycle behind its last one, in which the results are there
	Ends          bool   // a cover reaches its end
}

// coverPeriod is the longest period of operations whose end covers reach, in less than a minute. The end of the shortest operation is always reached.
const coverPeriod = 40

// ResultNumbers are those of the cycles with results, by operation.
func (n *nodesProof) ResultNumbers() []string {
	return each.Of(n.Kinds, func(k operationKind) string { return k.Result })
}

// numberBits are the bits of the number of a cycle of any operation, and of the cycle behind it.
func numberBits(c *plan.Collective) int { return bits.Len(uint(lastNumber(c) + 1)) }

// lastNumber is the largest number of a cycle.
func lastNumber(c *plan.Collective) int { return c.Schedules[len(c.Schedules)-1].Last() }

func (n *nodesProof) layOutOperations(c *plan.Collective, words proofWords, numberBits int) {
	number := func(value int) string { return verilog.Sized(numberBits, value) }
	steps := c.AllSteps()
	for i, t := range steps {
		results := t.Last() + 1
		sent := results
		switch {
		case t.T == t.Steps:
		case c.Flight > 0:
			sent = c.Sends(steps[i+1])
		default:
			sent = steps[i+1].Ends()
		}
		n.StepBegins = append(n.StepBegins, number(t.Begins()))
		n.StepEnds = append(n.StepEnds, number(t.Ends()))
		n.StepSent = append(n.StepSent, number(sent))
		n.StepKept = append(n.StepKept, number(results))
	}
	shortest := slices.MinFunc(c.Schedules, func(a, b *plan.Schedule) int { return a.Period - b.Period }).Period
	longest := shortest
	for _, s := range c.Schedules {
		ends := s.Period <= max(shortest, coverPeriod)
		if ends {
			longest = max(longest, s.Period)
		}
		n.Kinds = append(n.Kinds, operationKind{s.Name, number(s.First + 1), number(s.Last() + 1), ends})
	}
	n.OperationBits, n.StepBits = c.OperationWire().Bits, bits.Len(uint(len(steps)))
	n.CountWidth = bits.Len(uint(lastNumber(c)))
	n.CoverDepth = longest + words.ProofSkew + 4
	n.CountOfWords, n.EndOfWords = "count_q", "ended_q"
	if c.Skew > 0 {
		n.CountOfWords, n.EndOfWords = "word_count", "word_ended"
	}
}

// Followed lists the operations as follow.awk reads them, and Performed as text does.
func (v *CollectiveProof) Followed() string {
	return strings.Join(each.Of(v.Schedules, func(s *plan.Schedule) string { return s.Operation }), ",")
}
func (v *CollectiveProof) Performed() string { return strings.Join(v.All(), ", ") }
