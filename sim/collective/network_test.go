// SPDX-License-Identifier: Apache-2.0

package collective

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/internal/arbitrary"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
)

// Every operation on every corner machine, one after the other in the shortest period.
func TestOperationsOfCornerMachines(t *testing.T) {
	for _, r := range corner {
		for _, operation := range operations {
			t.Run(fmt.Sprint(r, operation), func(t *testing.T) {
				p := planOf(t, r, collectiveOf(operation, 8))
				u := newUser(t, p, 1)
				for range 3*p.Period + p.Skew + 2 {
					u.cycle(true, false, 0)
				}
				assert.Equal(t, 3, u.done, "an operation takes the period")
			})
		}
	}
}

// Links with registers make steps longer, and change nothing else: the longest link has them in any dimension, and
// others have fewer, or none.
func TestOperationsOnLinksWithRegisters(t *testing.T) {
	for _, m := range []struct {
		rings
		registers []int
	}{
		{rings{{8, 1}}, []int{2}}, {rings{{2, 1}}, []int{1}}, {rings{{3, 1}}, []int{64}}, {rings{{5, 2}}, []int{3}}, {rings{{4, 1}, {4, 1}}, []int{1, 3}},
		{rings{{4, 1}, {4, 1}}, []int{3}}, {rings{{3, 1}, {2, 1}}, []int{0, 5}}, {rings{{2, 1}, {3, 1}, {4, 2}, {2, 1}}, []int{2, 0, 7, 1}},
	} {
		for _, operation := range operations {
			for latency := range 3 {
				c := collectiveOf(operation, 8)
				if latency > 0 && c.Operator == "" {
					break
				}
				if latency > 0 {
					c.Operator, c.Latency = "module", latency
				}
				t.Run(fmt.Sprint(m, operation, latency), func(t *testing.T) {
					wires, p := planOf(t, m.rings, c), planOf(t, m.rings, c, m.registers...)
					assert.Equal(t, wires.Period+p.Steps*slices.Max(m.registers), p.Period)
					assert.Equal(t, 1+slices.Max(m.registers), p.Times[1])
					u := newUser(t, p, 1)
					for range 3*p.Period + p.Skew + 2 {
						u.cycle(true, false, 0)
					}
					assert.Equal(t, 3, u.done, "an operation takes the period")
				})
			}
		}
	}
}

// Chunks move results, late and done by the skew, and nothing else: operations follow one another in the period, also if the
// skew is longer, and results of several are on their way.
func TestOperationsOfNetworksWithChunks(t *testing.T) {
	for _, m := range []struct {
		rings
		registers []int
	}{{rings{{2, 1}}, nil}, {rings{{4, 1}}, nil}, {rings{{4, 1}, {4, 1}}, nil}, {rings{{5, 2}, {3, 1}}, nil}, {rings{{3, 1}, {4, 1}}, []int{0, 2}}} {
		for _, operation := range []string{collective.ReduceScatter, collective.AllReduce, collective.AllReduceWord} {
			for chunk, skew := range map[int]int{1: 32, 11: 2, 32: 1, 33: 0} {
				t.Run(fmt.Sprint(m, operation, chunk), func(t *testing.T) {
					c := collectiveOf(operation, 33)
					whole := planOf(t, m.rings, c, m.registers...)
					c.ChunkBits = chunk
					p := planOf(t, m.rings, c, m.registers...)
					assert.Equal(t, []any{whole.Period, whole.Times, skew}, []any{p.Period, p.Times, p.Skew})
					u := newUser(t, p, 1)
					for range 6*p.Period + skew + 2 {
						u.cycle(true, false, 0)
					}
					assert.Equal(t, 6, u.done, "an operation takes the period")
					assert.Len(t, u.underWay, (p.Period+skew+1)/p.Period, "results are on their way")
				})
			}
		}
	}
}

// turns are reductions of machines whose operations take turns, with an operator that has a latency.
func turns(t *testing.T, use func(t *testing.T, p *plan.Collective)) {
	for _, m := range []struct {
		rings
		registers []int
	}{
		{rings{{2, 1}}, nil}, {rings{{3, 1}}, nil}, {rings{{4, 1}, {4, 1}}, nil}, {rings{{2, 1}, {3, 1}, {2, 1}}, nil}, {rings{{7, 2}}, nil},
		{rings{{4, 1}, {4, 1}}, []int{1, 3}}, {rings{{2, 1}}, []int{2}}, {rings{{5, 1}, {3, 1}}, []int{0, 2}},
	} {
		for _, operation := range []string{collective.ReduceScatter, collective.AllReduce, collective.AllReduceWord} {
			for _, latency := range []int{1, 2, 5} {
				c := collectiveOf(operation, 8)
				c.Operator, c.Latency, c.Pipelined = "module", latency, true
				t.Run(fmt.Sprint(m, operation, latency), func(t *testing.T) { use(t, planOf(t, m.rings, c, m.registers...)) })
			}
		}
	}
}

// M operations begin in consecutive cycles, and the next M begin S M cycles after the first ones: with a start in every cycle, one
// in S cycles on average. Each has the cycles of an operation that is alone.
func TestOperationsTakeTurns(t *testing.T) {
	turns(t, func(t *testing.T, p *plan.Collective) {
		u, rounds := newUser(t, p, 1), 3
		var begun, want []int
		for cycle := range rounds*p.Steps*p.Turns + p.Period + 2 {
			start := cycle < rounds*p.Steps*p.Turns
			if start && u.network.Outputs().Ready {
				begun = append(begun, cycle)
			}
			u.cycle(start, false, 0)
		}
		for round := range rounds {
			for turn := range p.Turns {
				want = append(want, round*p.Steps*p.Turns+turn)
			}
		}
		if p.Steps == 1 {
			assert.Len(t, want, rounds*p.Turns, "in every cycle")
		}
		assert.Equal(t, want, begun)
		assert.Equal(t, len(begun), u.done)
		assert.Empty(t, u.underWay)
		assert.GreaterOrEqual(t, u.most, p.Turns)
	})
}

// Operations begin at random in the cycles in which they can, and after pauses. Words are late, and resets end all operations.
func TestOperationsTakeTurnsAtRandom(t *testing.T) {
	turns(t, func(t *testing.T, p *plan.Collective) {
		u := newUser(t, p, 2)
		words, _ := sizes(p, p.Schedules[0])
		for cycle := range max(6*(p.Period+2), 200) {
			starts := []float64{1, 0.2, 0.6}[cycle/(p.Period+2)%3]
			u.cycle(u.random.Float64() < starts, cycle == 4*(p.Period+2)-1, 0.5/float64(words))
		}
		assert.Positive(t, u.cut)
		assert.Positive(t, u.lateDone)
		assert.Greater(t, u.done, u.lateDone)
	})
}

// The cycles of the page, counted by hand: an all-reduce of one word on a ring of 4 with an operator of 2 cycles. Step 2 has 2
// operators in series, so M is 5, also for step 1, which only copies words. Results are added from two words, in 2 cycles more. The
// operation that begins in cycle 2 has a late word, and the results of the others are right.
func TestCyclesOfOperationsThatTakeTurns(t *testing.T) {
	c := collectiveOf(collective.AllReduceWord, 16)
	c.Operator, c.Latency, c.Pipelined = "module", 2, true
	n := New(planOf(t, rings{{4, 1}}, c))
	var ready, late []int
	done := map[int]string{}
	for cycle := range 30 {
		out := n.Outputs()
		if out.Ready {
			ready = append(ready, cycle)
		}
		if slices.Contains(out.Late, true) {
			late = append(late, cycle)
		}
		if out.Done {
			done[cycle] = fmt.Sprint(out.Own)
		}
		in := Inputs{Start: cycle < 3 || cycle == 6 || cycle == 7 || cycle == 10, Data: make([]Word, 8), Own: make([]Word, 4)}
		if cycle-1 < 3 || cycle-1 == 6 || cycle-1 == 10 {
			for node := range in.Own {
				in.Own[node] = big.NewInt(int64(100*cycle + node))
			}
		}
		if cycle == 3 {
			in.Own[1] = nil
		}
		n.Step(in)
	}
	assert.Equal(t, []int{0, 1, 2, 3, 4, 8, 9, 10, 11, 12, 13, 14, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29}, ready)
	assert.Equal(t, []int{4}, late)
	assert.Equal(t, map[int]string{13: "[406 406 406 406]", 14: "[806 806 806 806]", 15: "[<nil> <nil> <nil> <nil>]", 23: "[4406 4406 4406 4406]"}, done)
}

// pairs runs each operation of a network after each, as soon as it can begin. While ready is 0, and in the cycles after the last start, the
// input operation has other numbers.
func pairs(t require.TestingT, p *plan.Collective) *user {
	u, numbers, other := newUser(t, p, 1), len(p.Schedules), 0
	values := 1 << bits.Len(uint(numbers-1)) // of the input
	next := func(start bool, number int) {
		for !u.network.Outputs().Ready {
			other++
			u.choose(other%values, true, false, 0)
		}
		u.choose(number, start, false, 0)
	}
	for first := range numbers {
		for second := range numbers {
			next(true, first)
			next(true, second)
		}
	}
	for number := range numbers + p.Skew + 2 {
		next(false, number%values)
	}
	require.Equal(t, 2*numbers*numbers, u.done)
	require.Empty(t, u.underWay)
	for _, first := range p.Schedules {
		for _, second := range p.Schedules {
			require.Positive(t, u.chained[[2]string{first.Streaming.Operation, second.Streaming.Operation}])
		}
	}
	return u
}

// A network of several operations carries out each of them after each, on every corner machine of some size, with a word per node and
// with one word, and without reductions.
func TestSeveralOperationsOfCornerMachines(t *testing.T) {
	without := slices.DeleteFunc(slices.Clone(operations), collective.Reduces)
	lists := [][]string{
		{collective.AllGather, collective.ReduceScatter}, slices.Concat(without, []string{collective.ReduceScatter, collective.AllReduceWord}),
		{collective.AllReduce, collective.Broadcast, collective.ReduceScatter}, without[1:],
	}
	for i, r := range corner {
		nodes := 1
		for _, d := range r {
			nodes *= d[0]
		}
		for j, list := range lists {
			if j > 0 && (nodes > 24 || i%3 != j%3) {
				continue
			}
			t.Run(fmt.Sprint(r, list), func(t *testing.T) {
				c := severalOf(8, list...)
				c.Root = nodes / 2
				pairs(t, planOf(t, r, c))
			})
		}
	}
}

// They do so on links with registers, with operators that have a latency, and with chunks, where results of several operations can
// be on their way.
func TestSeveralOperationsOfOtherNetworks(t *testing.T) {
	for _, m := range []struct {
		rings
		registers []int
	}{{rings{{2, 1}}, nil}, {rings{{4, 1}, {4, 1}}, nil}, {rings{{5, 2}}, []int{3}}, {rings{{3, 1}, {4, 1}}, []int{0, 2}}, {rings{{2, 1}, {2, 1}}, []int{1}}} {
		for _, list := range [][]string{
			{collective.AllGather, collective.ReduceScatter}, {collective.AllReduceWord, collective.Gather, collective.Broadcast},
			{collective.Scatter, collective.AllReduce, collective.TotalExchange, collective.ReduceScatter, collective.AllGather},
		} {
			for latency := range 3 {
				c := severalOf(33, list...)
				if latency > 0 {
					c.Operator, c.Latency = "module", latency
				}
				t.Run(fmt.Sprint(m, list, latency), func(t *testing.T) { pairs(t, planOf(t, m.rings, c, m.registers...)) })
			}
			for chunk, skew := range map[int]int{1: 32, 11: 2, 32: 1} {
				c := severalOf(33, list...)
				c.ChunkBits = chunk
				t.Run(fmt.Sprint(m, list, chunk), func(t *testing.T) {
					p := planOf(t, m.rings, c, m.registers...)
					assert.Equal(t, skew, p.Skew)
					u := pairs(t, p)
					if skew > 2*p.Schedules[len(list)-1].Period {
						assert.Greater(t, u.most, 2, "results are on their way")
					}
				})
			}
		}
	}
}

// The cycles of the page, counted by hand: an all-reduce of one word with an operator of 2 cycles, whose period is 8, and a broadcast of
// the period 2, from node 1 of a ring of 4. Each operation has the cycles that it has alone, whatever was under way before it. While ready
// is 0 the numbers do not matter. A network of three operations has no operation 3, so 3 is the last: a gather, of the period 2. Its
// requests follow the number in the same cycle, and own words do not matter to it. The schedule has one word at the root first, then two.
func TestCyclesOfSeveralOperations(t *testing.T) {
	c := severalOf(16, collective.AllReduceWord, collective.Broadcast, collective.Gather)
	c.Operator, c.Latency, c.Root = "module", 2, 1
	n := New(planOf(t, rings{{4, 1}}, c))
	starts := map[int]int{0: 1, 2: 0, 10: 1, 12: 3, 14: 0, 26: 2} // by cycle
	numbers := map[int]int{24: 3, 25: 1}
	var ready, requests, late []int
	done, delivered := map[int]string{}, map[int]int{}
	for cycle := range 32 {
		number, start := starts[cycle]
		if !start {
			number = numbers[cycle]
		}
		ignored := 3 <= cycle && cycle <= 9 || cycle == 15
		if ignored {
			number = 1 + cycle%3
		}
		out := n.Outputs()
		if out.Ready {
			ready = append(ready, cycle)
		}
		if slices.ContainsFunc(n.Requests(number), func(index int32) bool { return index != None }) {
			requests = append(requests, cycle)
		}
		if slices.Contains(out.Late, true) {
			late = append(late, cycle)
		}
		for lane, index := range out.Delivered {
			if index != None {
				delivered[cycle]++
				assert.Equal(t, cycle == 14 || cycle == 15 || cycle >= 28, lane/2 == 1, "the root delivers the words of a gather, and no others")
			}
		}
		if out.Done {
			done[cycle] = fmt.Sprint(out.OwnValid, out.Own)
		}
		in := Inputs{Start: start || ignored, Operation: number, Data: make([]Word, 8), Own: make([]Word, 4)}
		for lane := range in.Data {
			in.Data[lane] = big.NewInt(7)
		}
		switch cycle - 1 {
		case 0, 10: // of a broadcast
			in.Own[1] = big.NewInt(100)
		case 2, 14:
			for node := range in.Own {
				in.Own[node] = big.NewInt(int64(100*cycle + node))
			}
		}
		if cycle == 15 {
			in.Own[3] = nil
		}
		n.Step(in)
	}
	assert.Equal(t, []int{0, 2, 10, 12, 14, 22, 23, 24, 25, 26, 28, 29, 30, 31}, ready)
	assert.Equal(t, []int{12, 13, 24, 26, 27}, requests, "cycle 24 has the number of the gather without a start")
	assert.Equal(t, []int{16}, late)
	assert.Equal(t, map[int]string{
		3: "false []", 11: "true [1206 1206 1206 1206]", 13: "false []", 15: "false []", 23: "true [<nil> <nil> <nil> <nil>]", 29: "false []",
	}, done)
	assert.Equal(t, map[int]int{2: 2, 3: 1, 12: 2, 13: 1, 14: 1, 15: 2, 28: 1, 29: 2}, delivered)
}

// randomUser uses the network of a random machine, operation or operations, operator and words, with registers on links or without, and
// with chunks or without; starts at random, also while ready is 0; random numbers of operations, resets and late words.
func randomUser(t *rapid.T) *user {
	r, nodes := rings{}, 1
	for _, d := range arbitrary.Rings(t, arbitrary.Limits{Nodes: 60, Degree: 16}) {
		r, nodes = append(r, [2]int{d.M, d.Rho}), nodes*d.M
	}
	width := rapid.SampledFrom([]int{1, 2, 7, 64, 65, 1024}).Draw(t, "bits")
	c := collectiveOf(rapid.SampledFrom(operations).Draw(t, "operation"), width)
	if rapid.Bool().Draw(t, "several operations") {
		list := rapid.Permutation(collective.Operations()).Draw(t, "order")
		c = severalOf(width, list[:rapid.IntRange(2, len(list)).Draw(t, "operations")]...)
		c.OneWord = slices.Contains(c.Operations, collective.AllReduce) && rapid.Bool().Draw(t, "one word")
	}
	if slices.ContainsFunc(c.All(), collective.Rooted) {
		c.Root = rapid.IntRange(0, nodes-1).Draw(t, "root")
	}
	if c.Reduces() {
		c.Operator = "module"
		if rapid.Bool().Draw(t, "operator of hcgen") {
			c.Operator = rapid.SampledFrom(machine.Operators).Draw(t, "operator")
		}
	}
	switch {
	case c.Operator == "module":
		c.Latency = rapid.IntRange(0, 5).Draw(t, "latency")
		c.Pipelined = c.Latency > 0 && c.Operations == nil && rapid.Bool().Draw(t, "operations take turns")
	case c.Operator != "" && rapid.Bool().Draw(t, "chunks"):
		c.ChunkBits = rapid.IntRange(max(1, c.PayloadBits/40), c.PayloadBits).Draw(t, "chunk")
	}
	var registers []int
	if rapid.Bool().Draw(t, "links with registers") {
		for range r {
			registers = append(registers, rapid.IntRange(0, 5).Draw(t, "registers"))
		}
	}
	p := planOf(t, r, c, registers...)
	u := newUser(t, p, rapid.Uint64().Draw(t, "seed"))
	starts := rapid.SampledFrom([]float64{0.1, 0.5, 1}).Draw(t, "starts")
	resets := rapid.SampledFrom([]float64{0, 0.01, 0.1}).Draw(t, "resets")
	lates := rapid.SampledFrom([]float64{0, 0.0005, 0.01, 0.3}).Draw(t, "late")
	cycles := 10 + p.Skew
	for _, s := range p.Schedules {
		cycles += 4 * s.Period
	}
	for range cycles {
		u.choose(u.random.IntN(1<<bits.Len(uint(len(p.Schedules)-1))), u.random.Float64() < starts, u.random.Float64() < resets, lates)
	}
	return u
}

func TestOperationsAreTheirDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { randomUser(t) })
}

// The random test above is not empty. The seeds are fixed, so that every run counts the same.
func TestRandomUsersMeetEverything(t *testing.T) {
	users, done, cut, late, most, changes := rapid.Custom(randomUser), 0, 0, 0, 0, 0
	for seed := range 40 {
		u := users.Example(seed)
		done, cut, late = done+u.done, cut+u.cut, late+u.lateDone
		for pair, count := range u.chained {
			if pair[0] != "" && pair[0] != pair[1] {
				changes += count
			}
		}
		if u.plan.Pipelined {
			most = max(most, u.most)
		}
	}
	assert.Greater(t, done, 10, "operations are done")
	assert.Greater(t, cut, 1, "resets end operations")
	assert.Greater(t, late, 1, "words are late")
	assert.Greater(t, most, 2, "operations take turns")
	assert.Greater(t, changes, 10, "one of several operations follows another at once")
}

// The cycles of the page, counted by hand: an all-reduce of one word on a ring of 4 with an operator of 2 cycles. In
// step 1 words are copied. In step 2 the word from one side is passed on while three are added, 2 operators in
// series; then two are.
func TestCyclesOfAnOperatorWithLatency(t *testing.T) {
	c := collectiveOf(collective.AllReduceWord, 16)
	c.Operator, c.Latency = "module", 2
	p := planOf(t, rings{{4, 1}}, c)
	n := New(p)
	var ready, done []int
	for cycle := range 16 {
		out := n.Outputs()
		if out.Ready {
			ready = append(ready, cycle)
		}
		if out.Done {
			done = append(done, cycle)
			assert.Equal(t, []string{"a", "a", "a", "a"}, []string{out.Own[0].Text(16), out.Own[1].Text(16), out.Own[2].Text(16), out.Own[3].Text(16)})
		}
		n.Step(Inputs{Start: cycle == 0, Data: make([]Word, 8), Own: []Word{big.NewInt(1), big.NewInt(2), big.NewInt(3), big.NewInt(4)}})
	}
	assert.Equal(t, []int{1, 1 + 1 + 2*2}, p.Times[1:])
	assert.Equal(t, []int{0, 8, 9, 10, 11, 12, 13, 14, 15}, ready)
	assert.Equal(t, []int{9}, done)
}

// The same network with a register on each link: a step takes a cycle more.
func TestCyclesOfLinksWithRegisters(t *testing.T) {
	c := collectiveOf(collective.AllReduceWord, 16)
	c.Operator, c.Latency = "module", 2
	p := planOf(t, rings{{4, 1}}, c, 1)
	assert.Equal(t, []int{2, 2 + 2 + 2*2}, p.Times[1:])
	assert.Equal(t, 8+2, p.Period)
	c = collectiveOf(collective.AllGather, 16)
	p = planOf(t, rings{{4, 1}, {4, 1}}, c, 0, 3)
	assert.Equal(t, []int{0, 0, 3, 3}, p.LinkRegisters)
	assert.Equal(t, []int{4, 8, 12, 16}, p.Times[1:])
	assert.Equal(t, 16, p.Period)
}

// The same network in chunks of 6 bits, its operator a sum: the words of 16 bits have 3 chunks, and results come 2 cycles later.
// The operation that begins in cycle 2 is ended by a reset in cycle 6, a cycle after the first one is done, in which it is late.
func TestCyclesOfChunks(t *testing.T) {
	c := collectiveOf(collective.AllReduceWord, 16)
	c.ChunkBits = 6
	p := planOf(t, rings{{4, 1}}, c)
	assert.Equal(t, []int{2, 2}, []int{p.Period, p.Skew})
	n := New(p)
	var ready, done, late []int
	for cycle := range 12 {
		out := n.Outputs()
		if out.Ready {
			ready = append(ready, cycle)
		}
		if out.Done {
			done = append(done, cycle)
			assert.Equal(t, "a", out.Own[2].Text(16))
		}
		assert.Equal(t, out.Done, out.OwnValid)
		if slices.Contains(out.Late, true) {
			late = append(late, cycle)
		}
		in := Inputs{Start: cycle == 0 || cycle == 2, Rst: cycle == 6, Data: make([]Word, 8), Own: []Word{big.NewInt(1), big.NewInt(2), big.NewInt(3), big.NewInt(4)}}
		if cycle == 3 {
			in.Own[1] = nil
		}
		n.Step(in)
	}
	assert.Equal(t, []int{0, 2, 4, 5, 6, 7, 8, 9, 10, 11}, ready)
	assert.Equal(t, []int{5}, done)
	assert.Equal(t, []int{6}, late)
}

// A delay that differs from the plan by one cycle, and steps that are a cycle too short, show in the results.
func TestWordsMustArriveInTime(t *testing.T) {
	for name, spoil := range map[string]func(p *plan.Collective){
		"a word is a cycle late":   func(p *plan.Collective) { p.LinkRegisters[3]++ },
		"nodes send a cycle late":  func(p *plan.Collective) { p.Flight-- },
		"nodes send a cycle early": func(p *plan.Collective) { p.Flight++ },
	} {
		p := planOf(t, rings{{4, 1}, {3, 1}}, collectiveOf(collective.AllReduce, 8), 1, 2)
		spoil(p)
		failed := &failure{}
		func() {
			defer func() { _ = recover() }() // words that are not there
			u := newUser(failed, p, 1)
			for range 3*p.Period + p.Skew + 2 {
				u.cycle(true, false, 0)
			}
		}()
		assert.True(t, failed.failed, name)
	}
}

// failure is a test that fails without an end of the test in which it is.
type failure struct{ failed bool }

func (f *failure) Errorf(string, ...any) { f.failed = true }
func (f *failure) FailNow()              { panic("the test has failed") }

// Terms are combined in the tree of the page, in their order: a combination that is neither associative nor
// commutative shows it.
func TestTermsAreCombinedInABalancedTree(t *testing.T) {
	of := func(a, b int64) int64 { return 3*a - 5*b }
	n := &Network{combine: func(a, b Word) Word { return big.NewInt(of(a.Int64(), b.Int64())) }}
	var terms []Word
	for k := range 7 {
		terms = append(terms, big.NewInt(int64(7*k*k+1)))
	}
	x := func(k int) int64 { return terms[k].Int64() }
	for count, want := range map[int]int64{
		1: x(0),
		2: of(x(0), x(1)),
		3: of(of(x(0), x(1)), x(2)),
		4: of(of(x(0), x(1)), of(x(2), x(3))),
		5: of(of(of(x(0), x(1)), x(2)), of(x(3), x(4))),
		7: of(of(of(x(0), x(1)), of(x(2), x(3))), of(of(x(4), x(5)), x(6))),
	} {
		assert.Equal(t, want, n.tree(terms[:count]).Int64(), count)
	}
}
