// SPDX-License-Identifier: Apache-2.0

package collective

import (
	"math/big"
	"math/bits"
	"slices"

	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/sim/traffic"
)

// tick is what the caller of a golden trace does in a cycle.
type tick struct {
	rst, start bool
	number     int      // on the input operation
	late       lateness // of the operation that begins in this cycle
}

// lateness says which words of an operation are late.
type lateness struct {
	one  int  // the number of one of them, from 0 in the order in which they are sampled; none if it is negative
	many bool // a quarter of them, at random
}

// never is the lateness of an operation without late words.
var never = lateness{one: -1}

// Kinds of rounds, in turn. A round has one operation, or as many as take turns, of which one has late words.
const (
	whole    = iota // all words are in time
	oneLate         // one word is late
	cutShort        // a reset ends all operations
	manyLate        // a quarter of the words is late
	kinds
)

// Size of a golden trace: rounds for each operation of the network, and bytes.
const (
	fewestRounds = kinds
	mostRounds   = 10 * kinds
	traceBytes   = 4 << 20 // about, unless the fewest rounds, of one operation each, take more
)

// script is a golden trace, cycle by cycle.
type script struct {
	plan       *plan.Collective
	dice       traffic.Payload
	throws     uint32
	decks      [kinds][]int // by kind of rounds: the numbers of operations, which the next rounds have
	ticks      []tick
	operations int // that are done
}

// newScript makes the script of a network. Half of the rounds begin in the first cycle in which they can, with start
// held at 1; before each of the others there is a pause, and start is at random after its first cycle. In a network with chunks a
// reset ends several operations, those whose results are on their way, too; before every second reset nothing is on its way.
//
// If a start chooses among operations, the input operation has the number of the round in its first cycle, and a random one in all
// others. In front of the rounds each operation follows each as soon as it can, unless the trace would be too long.
func newScript(p *plan.Collective, seed int64) *script {
	s := &script{plan: p, dice: traffic.NewPayload("script", seed, 64)}
	var words []int // by operation
	bytes := 0      // of an operation of each number
	for _, operation := range p.Schedules {
		count, lines := sizes(p, operation)
		words = append(words, count)
		bytes += lines * (24 + p.PayloadBits/4)
	}
	numbers := len(p.Schedules)
	operations := numbers * traceBytes / bytes
	var first []int // operations in front of the rounds
	if p.Several() && numbers*numbers < operations {
		first = tour(numbers)
		operations -= len(first)
	}
	rounds := max(min(max(numbers*mostRounds/p.Turns, 2*kinds), operations/p.Turns), numbers*fewestRounds)
	turns := min(max(operations/fewestRounds, 1), p.Turns) // that are taken
	s.pause(2)
	for _, number := range first {
		for cycle := range p.Schedules[number].Period {
			s.ticks = append(s.ticks, tick{start: true, number: s.numberIn(cycle, number), late: never})
		}
	}
	for k := range rounds {
		held := k < rounds/2
		number := s.draw(k % kinds)
		operation := p.Schedules[number]
		length, pause := operation.Period, 1 // cycles: of the round, and of a short pause
		if p.Pipelined {
			length, pause = p.Steps*p.Turns, (p.Period+1)/2
		}
		if !held {
			s.pause(s.below(4) * pause)
		}
		if k%kinds == cutShort && k/kinds%2 == 0 && p.Skew > 0 {
			s.pause(p.Skew + 2)
		}
		late := never
		switch k % kinds {
		case oneLate:
			late.one = s.below(words[number])
		case manyLate:
			late.many = true
		}
		cycles := length
		if k%kinds == cutShort {
			cycles = 1 + s.below(operation.Period+p.Skew)
		}
		for cycle := range cycles {
			turn := cycle % p.Turns
			t := tick{start: turn < turns && (held || cycle == 0 || s.below(2) == 0), number: s.numberIn(cycle, number), late: never}
			if turn == k/kinds%turns {
				t.late = late
			}
			s.ticks = append(s.ticks, t)
		}
		if k%kinds != cutShort {
			continue
		}
		for range 1 + s.below(2) {
			s.ticks = append(s.ticks, tick{rst: true, start: s.below(2) == 0, number: s.anyNumber(), late: never})
		}
	}
	rest := 0 // cycles from the end of the last round until its operations are done
	if p.Pipelined {
		rest = p.Period
	}
	s.pause(4 + rest + p.Skew) // the last results are delivered
	s.operations = s.done()
	return s
}

// done counts the operations that are done in the script.
func (s *script) done() (count int) {
	type accepted struct {
		*plan.Schedule
		cycle int
	}
	var underWay []accepted
	for cycle, t := range s.ticks {
		if len(underWay) > 0 && cycle == underWay[0].cycle+underWay[0].Period+1+s.plan.Skew {
			count, underWay = count+1, underWay[1:]
		}
		switch {
		case t.rst:
			underWay = nil
		case t.start && !slices.ContainsFunc(underWay, func(o accepted) bool { return refuses(s.plan, o.Schedule, cycle-o.cycle) }):
			underWay = append(underWay, accepted{chosen(s.plan, t.number), cycle})
		}
	}
	return count
}

// sizes counts the words that the nodes give in an operation, and about the lines of a golden trace for it.
func sizes(p *plan.Collective, s *plan.Schedule) (words, lines int) {
	for node := range p.Nodes {
		if hasOwn(s, node) {
			words++
			lines += 2 // and the result
		}
		for step := 1; step <= s.Steps; step++ {
			for port, delivered := range s.Program(node).Delivers[step-1] {
				if requested(p, s, step, node*p.Degree+port) != None {
					words++
					lines += 2
				}
				if delivered != None {
					lines++
				}
			}
		}
	}
	return words, lines
}

// pause adds cycles in which nothing is started.
func (s *script) pause(cycles int) {
	for range cycles {
		s.ticks = append(s.ticks, tick{number: s.anyNumber(), late: never})
	}
}

// tour lists the numbers below n so that each follows each, and itself, once.
func tour(n int) (list []int) {
	for a := range n {
		list = append(list, a)
		for b := a + 1; b < n; b++ {
			list = append(list, a, b)
		}
	}
	return append(list, 0)
}

// draw returns the number of the operation of the next round of a kind. Each operation has one, in random order, before any has another.
func (s *script) draw(kind int) int {
	deck := &s.decks[kind]
	if len(*deck) == 0 {
		for number := range s.plan.Schedules {
			*deck = append(*deck, number)
		}
	}
	at := s.between(0, len(*deck))
	number := (*deck)[at]
	*deck = slices.Delete(*deck, at, at+1)
	return number
}

// values counts those of the input operation: 1 without the input.
func (s *script) values() int { return 1 << bits.Len(uint(len(s.plan.Schedules)-1)) }

// anyNumber is what the input operation has in a cycle in which no round begins.
func (s *script) anyNumber() int { return s.between(0, s.values()) }

// numberIn is what it has in a cycle of a round of an operation. Numbers that no operation has stand for the last one.
func (s *script) numberIn(cycle, operation int) int {
	switch {
	case cycle > 0:
		return s.anyNumber()
	case operation == len(s.plan.Schedules)-1:
		return s.between(operation, s.values())
	}
	return operation
}

// between is a random number from lo to hi - 1.
func (s *script) between(lo, hi int) int {
	if hi-lo == 1 {
		return lo // without a throw
	}
	return lo + s.below(hi-lo)
}

// below is a random number from 0 to n - 1.
func (s *script) below(n int) int {
	s.throws++
	return int(s.dice.Word(0, s.throws, 0) % uint64(n))
}

// caller gives a network the inputs of a script.
type caller struct {
	*script
	network *Network
	payload traffic.Payload
	sampled map[int]int // by the cycle in which an operation was accepted: its words so far
}

func newCaller(n *Network, s *script) *caller {
	return &caller{script: s, network: n, payload: traffic.NewPayload(n.plan.Name, 1, n.plan.PayloadBits), sampled: map[int]int{}}
}

// inputs are those of a cycle. Only words that the network samples are there, all of one operation.
func (c *caller) inputs(cycle int) Inputs {
	t := c.ticks[cycle]
	in := Inputs{Rst: t.rst, Start: t.start, Operation: t.number}
	began := 0
	for _, o := range c.network.underWay {
		if o.sampling() > 0 {
			began = cycle - o.cycle
		}
	}
	data, own := c.network.Samples()
	lanes := uint32(len(data))
	for lane, sampled := range data {
		in.Data = append(in.Data, c.word(uint32(lane), cycle, began, sampled))
	}
	for node, sampled := range own {
		in.Own = append(in.Own, c.word(lanes+uint32(node), cycle, began, sampled))
	}
	return in
}

// word is the word of a source in a cycle, for the operation that began in another: nil if it is not sampled, or late.
func (c *caller) word(source uint32, cycle, began int, sampled bool) Word {
	if !sampled {
		return nil
	}
	number, late := c.sampled[began], c.ticks[began].late
	c.sampled[began]++
	if number == late.one || late.many && c.below(4) == 0 {
		return nil
	}
	w := new(big.Int)
	for k := (c.plan.PayloadBits - 1) / 64; k >= 0; k-- {
		w.Lsh(w, 64).Or(w, new(big.Int).SetUint64(c.payload.Word(source, uint32(cycle), k)))
	}
	return w
}

// Complete runs one operation whose words are all in time, and returns its cycles, from that of the start to that of the
// last results, both included.
func Complete(p *plan.Collective) int {
	n := New(p)
	c := newCaller(n, &script{plan: p, ticks: []tick{{start: true, late: never}}})
	for cycle := 0; !n.Outputs().Done; cycle++ {
		n.Step(c.inputs(cycle))
		c.pause(1)
	}
	return len(c.ticks)
}
