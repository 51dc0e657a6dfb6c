// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"math/bits"
	"slices"

	"github.com/hcgen/hcgen/machine"
)

// stage is the logic of a path between two registers of a node: what a word goes through in a cycle.
type stage struct {
	choices   int // levels of choices between two words
	operators int // in series
}

// deepest are the stages of all nodes that no other stage is deeper than. If trees are merged, all operands of a sum go through as
// many operators: Yosys adds several whole words with one carry chain.
func (p *Collective) deepest(merged bool) (list []stage) {
	add := func(s stage) {
		worse := func(other stage) bool { return other.choices >= s.choices && other.operators >= s.operators }
		if !slices.ContainsFunc(list, worse) {
			list = append(slices.DeleteFunc(list, func(other stage) bool {
				return s.choices >= other.choices && s.operators >= other.operators
			}), s)
		}
	}
	for class := range p.Programs {
		logic := p.Logic(class)
		paths := map[*SumTree][]stage{}
		for _, t := range logic.Trees {
			leaves := t.Leaves()
			for i, operators := range depths(len(leaves)) {
				if merged {
					operators = bits.Len(uint(len(leaves) - 1))
				}
				levels := bits.Len(uint(len(leaves[i].Terms) - 1))
				if !leaves[i].Always {
					levels = max(levels, 1) // a choice between two words, or none, takes one LUT
				}
				paths[t] = append(paths[t], stage{levels, operators})
				add(stage{levels, operators}) // to the result
			}
		}
		for _, r := range logic.Registers {
			if r.Choices() == 0 {
				continue
			}
			levels := bits.Len(uint(r.Choices() - 1))
			add(stage{choices: levels})
			for _, t := range r.Sums {
				for _, s := range paths[t] {
					add(stage{s.choices + levels, s.operators})
				}
			}
		}
	}
	return list
}

// depths are the operators in series behind each of the n leaves of a balanced tree.
func depths(n int) []int {
	if n == 1 {
		return []int{0}
	}
	list := slices.Concat(depths((n+1)/2), depths(n/2))
	for i := range list {
		list[i]++
	}
	return list
}

// The parts of the delay of a path between two registers of a node, in the order of delays.
const (
	always             = iota // the registers, and wires
	perChoice                 // a level of choices between two words
	perAdder                  // an adder in series, of words in chunks
	perAdderOfWhole           // an adder in series, of whole words: Yosys adds several terms with one carry chain
	perAdderBit               // a bit of the carry chain, of words in chunks
	perAdderBitOfWhole        // of whole words
	perComparison             // a minimum or maximum in series
	perComparisonBit          // a bit of its carry chain
	perGate                   // an operator in series that combines bit by bit
	parts
)

// delays are those of the parts in ps, on an iCE40 HX8K. They are whole numbers, so that every computer makes the same choice. The
// constants are fitted to the nodes in testdata/nodeclocks.csv, the medians of three placements by nextpnr-ice40 0.4 after
// Yosys 0.23; make measure WHAT=clock measures them again.
var delays = [parts]int{
	always:             1104,
	perChoice:          1087,
	perAdder:           985,
	perAdderOfWhole:    888,
	perAdderBit:        212,
	perAdderBitOfWhole: 164,
	perComparison:      3092,
	perComparisonBit:   147,
	perGate:            512,
}

// counts are the numbers of parts of a path of words with chunks of some bits.
func (p *Collective) counts(s stage, chunk int) (n [parts]int) {
	n[always], n[perChoice] = 1, s.choices
	switch {
	case p.TopFirst():
		n[perComparison], n[perComparisonBit] = s.operators, s.operators*chunk
	case p.Operator != "add":
		n[perGate] = s.operators
	case s.operators == 0:
	case chunk < p.PayloadBits:
		n[perAdder], n[perAdderBit] = s.operators, chunk
	default:
		n[perAdderOfWhole], n[perAdderBitOfWhole] = s.operators, chunk
	}
	return n
}

// slowest is the path with the longest delay, in ps.
func (p *Collective) slowest(chunk int) (path [parts]int, delay int) {
	stages := p.stages
	if chunk == p.PayloadBits {
		stages = p.wholeStages
	}
	for _, s := range stages {
		n, sum := p.counts(s, chunk), 0
		for i := range n {
			sum += n[i] * delays[i]
		}
		if sum > delay {
			path, delay = n, sum
		}
	}
	return path, delay
}

// estimated reports whether there is an estimate of the clock: of reductions with an operator of hcgen.
func (p *Collective) estimated() bool { return slices.Contains(machine.Operators, p.Operator) }

// cyclesOf are the cycles of each operation, from the start to the last results, with chunks of some bits, added up.
func (p *Collective) cyclesOf(chunk int) (sum int) {
	for _, s := range p.Schedules {
		sum += s.Period + 1 + (p.PayloadBits-1)/chunk
	}
	return sum
}

// Cycles are those of each operation, from the start to the last results, added up.
func (p *Collective) Cycles() int { return p.cyclesOf(p.Chunk) }

// MHz is the estimated clock of a node on an iCE40 HX8K, rounded; 0 without an estimate.
func (p *Collective) MHz() int {
	if !p.estimated() {
		return 0
	}
	_, delay := p.slowest(p.Chunk)
	return (1_000_000 + delay/2) / delay
}

// NS is the time of the operations, one after another, at the estimated clock in ns, rounded; 0 without an estimate.
func (p *Collective) NS() int {
	if !p.estimated() {
		return 0
	}
	return (p.timeOf(p.Chunk) + 500) / 1000
}

// clockTolerance is the difference of estimated times, in percent, that says nothing about which one is shorter.
const clockTolerance = 2

// chooseChunk returns the chunk with the least estimated time of all operations, one after another; of times within the tolerance, that of the widest
// chunk, which has the fewest cycles and flip-flops. Chunks that are no candidates have as many places as one of them, and are wider.
func (p *Collective) chooseChunk() (chunk int) {
	least := 0
	for count := 1; count <= p.PayloadBits; count++ {
		if time := p.timeOf(p.candidate(count)); count == 1 || time < least {
			least = time
		}
	}
	for count := 1; ; count++ {
		if chunk = p.candidate(count); 100*p.timeOf(chunk) <= (100+clockTolerance)*least {
			return chunk
		}
	}
}

// candidate is the narrowest chunk of which a word has at most count.
func (p *Collective) candidate(count int) int { return (p.PayloadBits + count - 1) / count }

// timeOf is the estimated time of the operations in ps, one after another, with chunks of some bits.
func (p *Collective) timeOf(chunk int) int {
	_, delay := p.slowest(chunk)
	return p.cyclesOf(chunk) * delay
}
