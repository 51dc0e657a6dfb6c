// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/hcgen/hcgen/collective"
)

// Schedule is an operation of a collective network: what the nodes do in its steps, and when.
type Schedule struct {
	*collective.Streaming        // its Operation is collective.AllReduceWord for one word
	Name                  string // of the operation, one of collective.Operations
	Bound                 int    // no schedule has fewer steps
	Times                 []int  // by step, from 0 on: T(0) = 0 to T(S)
	Period                int    // P

	// First is the number of cycle 0, among the cycles of all operations of the network: cycle c has the number First + c. It is 0 of the first
	// operation, and of each other one the number above Last of the operation before in the list.
	First int
}

// Step is a step of one of the operations of a network.
type Step struct {
	*Schedule
	Number int // of the operation
	T      int // 1 to S
}

// Begins is the number of the last cycle before the step, which is cycle T(t-1), and Ends that of its last one, T(t).
func (t Step) Begins() int { return t.First + t.Times[t.T-1] }
func (t Step) Ends() int   { return t.First + t.Times[t.T] }

// Sends is the number of cycle T(t) - H, at whose end nodes send the words of the step and write their registers.
func (p *Collective) Sends(t Step) int { return t.Ends() - p.Flight }

// Last is the number of the last cycle of the period: P.
func (s *Schedule) Last() int { return s.First + s.Period }

// AllSteps lists the steps of all operations, in the order of Programs.
func (p *Collective) AllSteps() (list []Step) {
	for i, s := range p.Schedules {
		for step := range s.Steps {
			list = append(list, Step{s, i, step + 1})
		}
	}
	return list
}

// time computes the cycles of an operation, and how many of the network take turns.
func (p *Collective) time(s *Schedule) {
	result := 0
	for _, program := range s.Programs {
		result = max(result, Levels(program.Result))
	}
	levels := make([]int, s.Steps)
	for step := range levels {
		levels[step] = s.levels(step + 1)
	}
	if p.Pipelined {
		most := max(result, slices.Max(levels))
		for step := range levels {
			levels[step] = most
		}
		p.Turns = 1 + p.Flight + p.Latency*most
		for port := range p.LinkRegisters {
			p.LinkRegisters[port] = p.Flight
		}
	}
	s.Times = []int{0}
	for step, k := range levels {
		s.Times = append(s.Times, s.Times[step]+1+p.Flight+p.Latency*k)
	}
	s.Period = s.Times[s.Steps] + p.Latency*result
}

// levels is K of a step: the most operators in series in front of a link or a register.
func (s *Schedule) levels(step int) int {
	most := 0
	for _, program := range s.Programs {
		for _, sums := range [][]collective.Sum{program.Sends[step-1], program.Writes[step-1]} {
			for _, sum := range sums {
				most = max(most, Levels(sum))
			}
		}
	}
	return most
}

// together puts the steps of all operations behind one another. Nodes are of a class if they are so in every operation.
func (p *Collective) together() *collective.Streaming {
	all := &collective.Streaming{}
	for _, s := range p.Schedules {
		all.Steps += s.Steps
		all.Registers = max(all.Registers, s.Registers)
		all.Accumulators = max(all.Accumulators, s.Accumulators)
	}
	classes := map[string]int{}
	for node := range p.Nodes {
		key := ""
		for _, s := range p.Schedules {
			key += fmt.Sprint(s.Class[node], " ")
		}
		class, known := classes[key]
		if !known {
			class = len(all.Programs)
			classes[key] = class
			all.Programs = append(all.Programs, p.programs(node, all.Registers))
		}
		all.Class = append(all.Class, class)
	}
	return all
}

// programs are those of a node in all operations, one behind another, with as many registers.
func (p *Collective) programs(node, registers int) (all collective.Program) {
	for _, s := range p.Schedules {
		program := s.Program(node)
		all.Sends = append(all.Sends, program.Sends...)
		all.Delivers = append(all.Delivers, program.Delivers...)
		for _, writes := range program.Writes {
			all.Writes = append(all.Writes, append(slices.Clone(writes), make([]collective.Sum, registers-len(writes))...))
		}
	}
	return all
}

// Alone is the network as it is for one of its operations.
func (p *Collective) Alone(s *Schedule) *Collective {
	alone := *p
	alone.Collective.Operation, alone.Collective.Operations, alone.Collective.OneWord = s.Name, nil, s.OneWord()
	alone.Schedules = []*Schedule{s}
	alone.Streaming, alone.Bound, alone.Times, alone.Period = s.Streaming, s.Bound, s.Times, s.Period
	return &alone
}

// ProgramOf is what the nodes of a class do in one of the operations.
func (p *Collective) ProgramOf(class int, s *Schedule) *collective.Program {
	return s.Program(slices.Index(p.Class, class))
}

// Results are the sums of the own results of a class, by operation, empty of those without.
func (p *Collective) Results(class int) (list []collective.Sum) {
	for _, s := range p.Schedules {
		list = append(list, p.ProgramOf(class, s).Result)
	}
	return list
}

// ResultCycles is the number of cycles from the end of the last step to that of the period: L for each of the operators
// in series in front of the own results.
func (s *Schedule) ResultCycles() int { return s.Period - s.Times[s.Steps] }

// OneWord reports whether the operation is an all-reduce of one word per node.
func (s *Schedule) OneWord() bool { return s.Operation == collective.AllReduceWord }

// Requests reports whether lanes request words.
func (s *Schedule) Requests() bool { return !s.OneWord() && s.Name != collective.Broadcast }

// HasOwn reports whether nodes have words of their own.
func (s *Schedule) HasOwn() bool { return s.HasResult() || s.Name == collective.Broadcast }

// Delivers reports whether words are delivered on lanes.
func (s *Schedule) Delivers() bool { return !s.OneWord() && s.Name != collective.ReduceScatter }

// HasResult reports whether every node has a result of its own.
func (s *Schedule) HasResult() bool { return collective.Reduces(s.Name) }

// Levels is the number of operators in series in the balanced tree of a sum: ceil(log2 n) of n terms.
func Levels(sum collective.Sum) int {
	if len(sum) < 2 {
		return 0
	}
	return bits.Len(uint(len(sum) - 1))
}
