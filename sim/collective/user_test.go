// SPDX-License-Identifier: Apache-2.0

package collective

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/plan"
	"github.com/hcgen/hcgen/schedule"
)

// rings lists m and rho of the dimensions of a machine, dimension 1 first.
type rings [][2]int

// corner lists machines with every special case of the schedules.
var corner = []rings{
	{{2, 1}}, {{3, 1}}, {{4, 1}}, {{4, 2}}, {{5, 1}}, {{5, 2}}, {{6, 2}}, {{6, 3}}, {{7, 2}}, {{8, 1}}, {{8, 3}}, {{9, 1}}, {{11, 3}}, {{17, 8}},
	{{2, 1}, {2, 1}}, {{4, 1}, {4, 1}}, {{3, 1}, {5, 1}}, {{4, 2}, {4, 2}}, {{6, 2}, {5, 1}},
	{{2, 1}, {3, 1}, {6, 3}}, {{2, 1}, {2, 1}, {2, 1}, {2, 1}}, {{2, 1}, {3, 1}, {4, 2}, {2, 1}}, {{2, 1}, {2, 1}, {14, 7}},
}

// operations are those of the page: the last is the all-reduce of one word per node.
var operations = append(collective.Operations(), collective.AllReduceWord)

// collective is a network of an operation.
func collectiveOf(operation string, bits int) machine.Collective {
	c := machine.Collective{Name: "test", Operation: operation, PayloadBits: bits}
	if operation == collective.AllReduceWord {
		c.Operation, c.OneWord = collective.AllReduce, true
	}
	if collective.Reduces(c.Operation) {
		c.Operator = "add"
	}
	return c
}

// severalOf is a network of several operations, with one word per node if one of them is collective.AllReduceWord.
func severalOf(bits int, operations ...string) machine.Collective {
	c := machine.Collective{Name: "test", PayloadBits: bits}
	for _, operation := range operations {
		one := collectiveOf(operation, bits)
		c.Operations = append(c.Operations, one.Operation)
		c.OneWord = c.OneWord || one.OneWord
		if one.Operator != "" {
			c.Operator = one.Operator
		}
	}
	return c
}

// planOf is the plan of a network. Every operation on every machine has a schedule that works as hardware. The dimensions
// in front have links with these registers on the way.
func planOf(t require.TestingT, r rings, c machine.Collective, registers ...int) *plan.Collective {
	var dims []hypercycle.Dimension
	for _, d := range r {
		dims = append(dims, hypercycle.Dimension{M: d[0], Rho: d[1]})
	}
	m, err := machine.Bare(dims...)
	require.NoError(t, err)
	m.Name = "machine"
	for i, n := range registers {
		m.Dimensions[i].Link.Registers = n
	}
	p, err := plan.NewCollective(m, c, schedule.ForNetwork)
	require.NoError(t, err)
	requireTimes(t, p, slices.Max(append([]int{0}, registers...)))
	return p
}

// requireTimes checks of every operation the cycles of the steps, the period and the number of operations that take turns.
func requireTimes(t require.TestingT, p *plan.Collective, registers int) {
	series := func(sums ...collective.Sum) (most int) { // operators
		for _, sum := range sums {
			if len(sum) > 0 {
				most = max(most, int(math.Ceil(math.Log2(float64(len(sum))))))
			}
		}
		return most
	}
	require.Len(t, p.Schedules, len(p.All()))
	for number, s := range p.Schedules {
		require.Equal(t, p.All()[number], s.Name)
		require.Equal(t, p.OneWord && s.Name == collective.AllReduce, s.Streaming.Operation == collective.AllReduceWord)
		steps, results := make([]int, s.Steps), 0
		for _, program := range s.Programs {
			for step := range steps {
				steps[step] = max(steps[step], series(program.Sends[step]...), series(program.Writes[step]...))
			}
			results = max(results, series(program.Result))
		}
		longest, turns := max(results, slices.Max(steps)), 1
		if p.Pipelined {
			turns = 1 + registers + p.Latency*longest
		}
		times := []int{0}
		for step, operators := range steps {
			if p.Pipelined {
				operators = longest
			}
			times = append(times, times[step]+1+registers+p.Latency*operators)
		}
		require.Equal(t, times, s.Times, "T")
		require.Equal(t, times[s.Steps]+p.Latency*results, s.Period, "P")
		require.Equal(t, turns, p.Turns, "M")
	}
}

// other is the node at an offset.
func other(g *hypercycle.Graph, node, offset, sign int) int {
	sum, unit := 0, 1
	for i := 1; i <= g.Rank(); i++ {
		m := g.Dimension(i).M
		sum += ((g.Digit(node, i)+sign*g.Digit(offset, i))%m + m) % m * unit
		unit *= m
	}
	return sum
}

// offset is the index of a node at another.
func offset(g *hypercycle.Graph, of, at int) int32 { return int32(other(g, of, at, -1)) }

// user uses a network by its ports alone, and checks everything that the page promises.
type user struct {
	t       require.TestingT
	plan    *plan.Collective
	network *Network
	random  *rand.Rand

	underWay []*use // the oldest first; in a network of whole words the last results of one come in cycle 1 of the next
	asked    *use   // the operation to which the requests of the cycle before belong
	most     int    // operations that were under way
	requests []int32
	first    map[int][]int32 // by operation: the requests of step 1
	late     [][]bool        // that the network has to show in this cycle and in the E next ones

	done, cut int               // operations
	lateDone  int               // of those that are done, those with a late word
	chained   map[[2]string]int // and those without: by the operation that was under way until it began, or empty, and by its own
}

// use is one operation.
type use struct {
	*plan.Schedule
	after       string // the operation that was under way until it began, or empty
	number, age int
	requested   map[[2]int]int // by node and index: how often
	delivered   map[[2]int]Word
	own         map[int]Word
	late        int // the age at which a word was late, 0 if none was
}

// lateBefore reports whether a word of the operation was late before an age.
func (o *use) lateBefore(age int) bool { return o.late > 0 && o.late < age }

func newUser(t require.TestingT, p *plan.Collective, seed uint64) *user {
	return &user{t: t, plan: p, network: New(p), random: rand.New(rand.NewPCG(seed, 1)), late: punctual(p),
		first: map[int][]int32{}, chained: map[[2]string]int{}}
}

// punctual is an expectation without late words.
func punctual(p *plan.Collective) (late [][]bool) {
	for range 1 + p.Skew {
		late = append(late, make([]bool, p.Nodes))
	}
	return late
}

// Kinds of words.
const (
	part = iota
	own
)

// word is what a node gives in an operation.
func (u *user) word(number, kind, node, index int) Word {
	random := rand.New(rand.NewPCG(uint64(number)<<32|uint64(kind), uint64(node)<<32|uint64(index)))
	w := new(big.Int)
	for range (u.plan.PayloadBits + 63) / 64 {
		w.Lsh(w, 64).Or(w, new(big.Int).SetUint64(random.Uint64()))
	}
	return w.Rsh(w, uint(-u.plan.PayloadBits&63))
}

// cycle runs a cycle. late is the probability that a word is late.
func (u *user) cycle(start, rst bool, late float64) { u.choose(0, start, rst, late) }

// choose runs a cycle with a number on the input operation. A number that no operation has stands for the last one.
func (u *user) choose(number int, start, rst bool, late float64) {
	p, out, requests := u.plan, u.network.Outputs(), u.network.Requests(number)
	chosen := min(number, len(p.Schedules)-1)
	refuses := u.only("ready is 0", func(o *use) bool {
		if p.Pipelined {
			return o.age%p.Turns == 0 && o.age/p.Turns < o.Steps
		}
		return o.age <= o.Period-1
	})
	require.Equal(u.t, refuses == nil, out.Ready, "ready")
	require.Equal(u.t, u.late[0], out.Late, "late")
	u.collect(out)

	in := u.give(late)
	in.Start, in.Rst, in.Operation = start, rst, number
	u.asked, u.requests = refuses, requests
	switch {
	case refuses == nil && u.first[chosen] == nil:
		u.first[chosen] = requests
	case refuses == nil:
		require.Equal(u.t, u.first[chosen], requests, "requests while ready is 1")
	case !slices.Contains(refuses.Times[1:refuses.Steps], refuses.age):
		require.Equal(u.t, slices.Repeat([]int32{None}, len(requests)), requests, "requests between steps")
	}
	after := ""
	for _, o := range u.underWay {
		if o.age == o.Period {
			after = o.Streaming.Operation
		}
	}
	for _, o := range u.underWay {
		o.age++
	}
	switch {
	case rst:
		u.cut += len(u.underWay)
		u.underWay, u.asked, u.late = nil, nil, punctual(p)
	case start && out.Ready:
		n := u.done + u.cut + len(u.underWay)
		u.asked = &use{Schedule: p.Schedules[chosen], after: after, number: n, age: 1,
			requested: map[[2]int]int{}, delivered: map[[2]int]Word{}, own: map[int]Word{}}
		u.underWay = append(u.underWay, u.asked)
		u.most = max(u.most, len(u.underWay))
	}
	u.network.Step(in)
}

// only is the operation in a cycle in which a network has one at most, or nil.
func (u *user) only(what string, is func(o *use) bool) (found *use) {
	for _, o := range u.underWay {
		if is(o) {
			require.Nil(u.t, found, "%s for two operations", what)
			found = o
		}
	}
	return found
}

// collect takes what the network delivers, and compares it when the operation is done.
func (u *user) collect(out Outputs) {
	p := u.plan
	delivers := u.only("words are delivered", func(o *use) bool { return slices.Contains(o.Times[1:], o.age-1-p.Skew) })
	for lane, index := range out.Delivered {
		if index == None {
			continue
		}
		require.NotNil(u.t, delivers, "a word is delivered in a cycle that ends no step")
		at := [2]int{lane / p.Degree, int(index)}
		_, twice := delivers.delivered[at]
		require.False(u.t, twice, "node %d delivers index %d twice", at[0], at[1])
		delivers.delivered[at] = out.Data[lane]
		require.Equal(u.t, delivers.lateBefore(delivers.age-p.Skew), out.Data[lane] == nil, "words are undefined after a late word")
	}
	done := u.only("results are delivered", func(o *use) bool { return o.age == o.Period+1+p.Skew })
	require.Equal(u.t, done != nil, out.Done, "done")
	require.Equal(u.t, done != nil && collective.Reduces(done.Name), out.OwnValid, "own results")
	if out.OwnValid {
		for node, w := range out.Own {
			done.own[node] = w
		}
	}
	if out.Done {
		require.Same(u.t, u.underWay[0], done, "operations are done in their order")
		u.underWay = u.underWay[1:]
		u.compare(done)
	}
}

// give answers the requests of the cycle before, and gives own words in cycle 1. All other inputs are random.
func (u *user) give(late float64) Inputs {
	p := u.plan
	u.late = append(u.late[1:], make([]bool, p.Nodes))
	var in Inputs
	garbage := func() Word {
		if u.random.IntN(2) == 0 {
			return nil
		}
		return big.NewInt(int64(u.random.IntN(2)))
	}
	given := func(o *use, node int, w Word) Word {
		if u.random.Float64() < late {
			u.late[p.Skew][node] = true
			if o.late == 0 {
				o.late = o.age
			}
			return nil
		}
		return w
	}
	for lane := range p.Nodes * p.Degree {
		in.Data = append(in.Data, garbage())
		if u.asked == nil || u.requests[lane] == None {
			continue
		}
		node, index := lane/p.Degree, int(u.requests[lane])
		u.asked.requested[[2]int{node, index}]++
		in.Data[lane] = given(u.asked, node, u.word(u.asked.number, part, node, index))
	}
	begun := u.only("an operation begins", func(o *use) bool { return o.age == 1 })
	for node := range p.Nodes {
		in.Own = append(in.Own, garbage())
		if begun != nil && (collective.Reduces(begun.Name) || begun.Name == collective.Broadcast && node == p.Collective.Root) {
			in.Own[node] = given(begun, node, u.word(begun.number, own, node, 0))
		}
	}
	return in
}

// compare checks an operation against its definition.
func (u *user) compare(o *use) {
	p, g := u.plan, u.plan.Graph
	u.done++
	if o.late > 0 {
		u.lateDone++
	} else {
		u.chained[[2]string{o.after, o.Streaming.Operation}]++
	}
	requested, delivered, results := map[[2]int]int{}, map[[2]int]Word{}, map[int]Word{}
	root := p.Collective.Root
	item := func(from, index int) Word { return u.word(o.number, part, from, index) }
	result := func(node int) Word { // of reduce-scatter
		sum := u.word(o.number, own, node, 0)
		for from := range p.Nodes {
			if from != node {
				sum = u.combine(sum, item(from, int(offset(g, node, from))))
			}
		}
		return sum
	}
	of := map[int]Word{}
	if operation := o.Streaming.Operation; operation == collective.ReduceScatter || operation == collective.AllReduce {
		for node := range p.Nodes {
			of[node] = result(node)
		}
	}
	total := func() Word {
		sum := u.word(o.number, own, 0, 0)
		for node := 1; node < p.Nodes; node++ {
			sum = u.combine(sum, u.word(o.number, own, node, 0))
		}
		return sum
	}
	all := total()
	for node := range p.Nodes {
		for from := range p.Nodes {
			if from == node {
				continue
			}
			to, back := [2]int{node, int(offset(g, from, node))}, [2]int{from, int(offset(g, node, from))}
			switch operation := o.Streaming.Operation; {
			case operation == collective.Broadcast && from == root:
				delivered[to] = u.word(o.number, own, root, 0)
			case operation == collective.AllGather:
				delivered[to] = item(from, 0)
			case operation == collective.Scatter && from == root:
				delivered[to], requested[back] = item(root, back[1]), 1
			case operation == collective.Gather && node == root:
				delivered[to], requested[[2]int{from, 0}] = item(from, 0), 1
			case operation == collective.TotalExchange:
				delivered[to], requested[back] = item(from, back[1]), 1
			case operation == collective.ReduceScatter:
				requested[back] = 1
			case operation == collective.AllReduce:
				delivered[to], requested[back] = of[from], 1
			}
		}
		switch o.Streaming.Operation {
		case collective.ReduceScatter, collective.AllReduce:
			results[node] = of[node]
		case collective.AllReduceWord:
			results[node] = all
		}
	}
	if o.Streaming.Operation != collective.AllGather {
		require.Equal(u.t, requested, o.requested, "requests")
	}
	require.Len(u.t, o.delivered, len(delivered))
	for at, want := range delivered {
		got, there := o.delivered[at]
		require.True(u.t, there, "node %d: index %d is not delivered", at[0], at[1])
		if got != nil {
			require.Equal(u.t, want.Text(16), got.Text(16), "node %d, index %d", at[0], at[1])
		}
	}
	require.Len(u.t, o.own, len(results))
	for node, want := range results {
		if o.late > 0 {
			require.Nil(u.t, o.own[node], "the result of node %d is undefined", node)
			continue
		}
		require.Equal(u.t, want.Text(16), o.own[node].Text(16), "result of node %d", node)
	}
}

// combine is the definition of the operators.
func (u *user) combine(a, b Word) Word {
	digits := func(w Word) string { return fmt.Sprintf("%0*b", u.plan.PayloadBits, w) }
	x, y := digits(a), digits(b)
	switch u.plan.Operator {
	case "min":
		x = min(x, y)
	case "max":
		x = max(x, y)
	case "signed_min", "signed_max": // of equal signs the unsigned order is the signed one; else the one that begins with 1 is negative
		low, high := min(x, y), max(x, y)
		if low[0] != high[0] {
			low, high = high, low
		}
		x = map[string]string{"signed_min": low, "signed_max": high}[u.plan.Operator]
	case "and", "or", "xor":
		bits := []byte(x)
		for k := range bits {
			ones := (x[k] - '0') + (y[k] - '0')
			bits[k] = '0' + map[string]byte{"and": ones / 2, "or": (ones + 1) / 2, "xor": ones % 2}[u.plan.Operator]
		}
		x = string(bits)
	default:
		sum := digits(new(big.Int).Add(a, b))
		x = sum[len(sum)-u.plan.PayloadBits:]
	}
	w, _ := new(big.Int).SetString(x, 2)
	return w
}
