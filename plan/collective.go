// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/collective"
	"github.com/hcgen/hcgen/hypercycle"
	"github.com/hcgen/hcgen/machine"
)

// Collective is the plan of a collective network (docs/collective-networks.md).
type Collective struct {
	machine.Collective
	Schedules []*Schedule // of its operations, in the order of their numbers

	// What every node does in the steps of all operations, one operation after another (AllSteps). Of a single operation this is its schedule, whose
	// Operation is collective.AllReduceWord for one word; of several, Operation is empty, and Root and Result are those of no operation.
	*collective.Streaming

	Graph         *hypercycle.Graph
	Machine       string // its name
	NetworkModule string // <machine>__<name>_network
	Nodes, Degree int
	IndexFields   []int // bits of the digits of an index, dimension 1 first and lowest
	IndexBits     int   // A, their sum

	LinkRegisters []int // by port: registers on the way of its link, and H if operations take turns
	Flight        int   // H, the largest of them: the last cycles of a step, in which its words are on their way

	Chunk int // c: bits of a word that are combined in one cycle, PayloadBits if words are whole
	Skew  int // E: cycles by which the last chunk of a word is behind the first, 0 if words are whole

	Bound  int   // no schedule has fewer steps; only of a single operation, as Times and Period
	Times  []int // by step, from 0 on: T(0) = 0 to T(S)
	Period int   // P
	Turns  int   // M: operations that take turns, each in a cycle of its own modulo M; 1 if one ends before the next begins

	stages, wholeStages []stage // of reductions whose clock is estimated: in chunks, and of whole words
}

// Finder finds what the nodes of a collective network do, with the lower bound of the steps. The operation is one of
// collective.Operations, or collective.AllReduceWord; given is the schedule of the description, or nil.
// It is schedule.ForNetwork.
type Finder func(g *hypercycle.Graph, operation string, root int, given *collective.Schedule) (s *collective.Streaming, bound int, err error)

// NewCollective computes the plan of a collective network of the machine. The schedule can be the result of a long
// search, so that a program finds it once and passes the plan on. The error is that of find.
func NewCollective(m *machine.Machine, c machine.Collective, find Finder) (*Collective, error) {
	p := &Collective{
		Collective: c, Graph: m.Graph, Machine: m.Name, Nodes: m.Graph.Nodes(), Degree: m.Graph.Degree(), Flight: m.Registers(), Turns: 1,
	}
	for _, name := range c.All() {
		operation := name
		if c.OneWord && name == collective.AllReduce {
			operation = collective.AllReduceWord
		}
		s, bound, err := find(m.Graph, operation, c.Root, c.Given)
		if err != nil {
			return nil, fmt.Errorf("collective %q: %w", c.Name, err)
		}
		p.Schedules = append(p.Schedules, &Schedule{Name: name, Streaming: s, Bound: bound})
	}
	for _, port := range m.Graph.Ports() {
		p.LinkRegisters = append(p.LinkRegisters, m.Dimensions[port.Dimension-1].Link.Registers)
	}
	p.NetworkModule = p.Module("network")
	for i := 1; i <= m.Graph.Rank(); i++ {
		p.IndexFields = append(p.IndexFields, bits.Len(uint(m.Graph.Dimension(i).M-1)))
		p.IndexBits += p.IndexFields[i-1]
	}
	first := 0
	for _, s := range p.Schedules {
		p.time(s)
		s.First, first = first, first+s.Period+1
	}
	if one := p.Schedules[0]; len(p.Schedules) == 1 {
		p.Streaming, p.Bound, p.Times, p.Period = one.Streaming, one.Bound, one.Times, one.Period
	} else {
		p.Streaming = p.together()
	}
	p.Chunk = cmp.Or(c.ChunkBits, p.PayloadBits)
	if p.estimated() {
		p.stages, p.wholeStages = p.deepest(false), p.deepest(p.Operator == "add")
		p.Chunk = cmp.Or(c.ChunkBits, p.chooseChunk())
	}
	p.Skew = (p.PayloadBits - 1) / p.Chunk
	return p, nil
}

// Collectives plans all collective networks of the machine. The error is that of NewCollective.
func Collectives(m *machine.Machine, find Finder) (list []*Collective, err error) {
	for _, c := range m.Collectives {
		p, err := NewCollective(m, c, find)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// Figures are the properties of the network for each of its operations, as hcgen info prints them.
func (p *Collective) Figures() (list []CollectiveFigures) {
	for _, s := range p.Schedules {
		f := p.Alone(s).figures()
		f.Sources = p.Sources()
		if p.HasResult() {
			f.Chunk = p.Chunk
		}
		list = append(list, f)
	}
	return list
}

// figures are those of a network with a single operation.
func (p *Collective) figures() CollectiveFigures {
	f := CollectiveFigures{
		Name: p.Name, Operation: p.Operation(), PayloadBits: p.PayloadBits, Algorithm: p.Algorithm(), Steps: p.Steps, Bound: p.Bound, Period: p.Period,
		Cycles: p.Cycles(), MHz: p.MHz(), NS: p.NS(), Waiting: p.Waiting(), Sources: p.Sources(), NetworkModule: p.NetworkModule,
	}
	if p.OneWord {
		f.Words = "one"
	}
	if p.HasResult() {
		f.Operator = p.Operator
	}
	if p.Pipelined {
		f.Turns = p.Turns
	}
	if p.Vector > 0 {
		f.Vectors = p.Vectors().Figures()
	}
	return f
}

// Algorithm says where the schedule of a single operation comes from, in a few words.
func (p *Collective) Algorithm() string {
	switch {
	case p.OneWord:
		return "one word"
	case p.Given != nil:
		return "file " + strconv.Quote(p.File)
	}
	return "streaming"
}

// ResultCycles are those of a single operation.
func (p *Collective) ResultCycles() int { return p.Schedules[0].ResultCycles() }

// Levels is the number of operators in series for which each step has cycles if operations take turns: K.
func (p *Collective) Levels() int { return p.OperatorCycles() / p.Latency }

// OperatorCycles is the number of cycles that words take through the operators in each step if operations take turns: L K.
func (p *Collective) OperatorCycles() int { return p.Turns - 1 - p.Flight }

// Rests reports whether words that are combined rest until the end of their step: operators have a latency, and no other operation
// uses them meanwhile.
func (p *Collective) Rests() bool { return p.Latency > 0 && !p.Pipelined }

// TopFirst reports whether the highest chunk of a word is first.
func (p *Collective) TopFirst() bool {
	return strings.HasSuffix(p.Operator, "min") || strings.HasSuffix(p.Operator, "max")
}

// IndexOf packs an index: the offset of another node, whose digits are (other - this) mod m_i.
func (p *Collective) IndexOf(offset int) uint64 {
	var packed uint64
	low := 0
	for i, width := range p.IndexFields {
		packed |= uint64(p.Graph.Digit(offset, i+1)) << low
		low += width
	}
	return packed
}

// Requests reports whether the network has ports for words that lanes request.
func (p *Collective) Requests() bool { return slices.ContainsFunc(p.Schedules, (*Schedule).Requests) }

// HasOwn reports whether nodes have words of their own.
func (p *Collective) HasOwn() bool { return slices.ContainsFunc(p.Schedules, (*Schedule).HasOwn) }

// Delivers reports whether words are delivered on lanes.
func (p *Collective) Delivers() bool { return slices.ContainsFunc(p.Schedules, (*Schedule).Delivers) }

// HasResult reports whether every node has a result of its own.
func (p *Collective) HasResult() bool { return slices.ContainsFunc(p.Schedules, (*Schedule).HasResult) }

// Several reports whether a start chooses among operations.
func (p *Collective) Several() bool { return len(p.Schedules) > 1 }

// Operation is the one of the description, empty if there are several.
func (p *Collective) Operation() string { return p.Collective.Operation }

// collectiveRow is a port of a node, with or without a port of the network, or a port of the network alone.
type collectiveRow struct {
	there   bool
	name    string
	output  bool
	lanes   lanes // of a node
	bits    int   // of a lane, or flag
	network Place
	Columns
}

// rows is the table of the ports of the network and of its nodes, in the order of declaration.
func (p *Collective) rows() []collectiveRow {
	single, links := lanes{count: 1}, lanes{p.Degree, true, true}
	meaning := func(text string) Columns { return Columns{Meaning: text} }
	word := func(text string) Columns { return Columns{Meaning: text, Words: true} }
	return []collectiveRow{
		{true, "clk", in, single, flag, Shared, Columns{Role: Clock}},
		{true, "rst", in, single, flag, Shared, Columns{Role: Clock, Meaning: "synchronous, active high"}},
		{true, "start", in, single, flag, Shared, Columns{Role: Start, Meaning: "starts an operation if ready is 1, in cycle 0"}},
		{p.Several(), "operation", in, single, p.numberBits(), Shared, Columns{Role: Operation, Meaning: p.numbers()}},
		{true, "ready", out, single, flag, Shared, Columns{Inner: "ready_nodes", Meaning: "the network accepts a start"}},
		{true, "done", out, single, flag, Shared, Columns{Inner: "done_nodes", Meaning: p.doneText()}},
		{p.Requests(), "s_request", out, links, flag, PerNode, meaning("the lane needs a word in the next cycle")},
		{p.Requests(), "s_index", out, links, p.IndexBits, PerNode, meaning("receiver of the word: its digits minus the digits of the node, mod m")},
		{p.Requests(), "s_data", in, links, p.PayloadBits, PerNode, word("the requested word, in the cycle after the request")},
		{p.Requests(), "s_valid", in, links, flag, PerNode, meaning("s_data is valid; else late")},
		{p.HasOwn(), "s_own_data", in, single, p.PayloadBits, PerNode, word("own word of the node, in cycle 1" + p.only((*Schedule).HasOwn))},
		{p.HasOwn(), "s_own_valid", in, single, flag, PerNode, meaning("s_own_data is valid; else late")},
		{true, "late", out, single, flag, PerNode, meaning("a word of the node was not valid in time: all results of the operation are undefined")},
		{p.Delivers(), "m_valid", out, links, flag, PerNode, meaning("a word is delivered on the lane")},
		{p.Delivers(), "m_index", out, links, p.IndexBits, PerNode, meaning("sender of the word: its digits minus the digits of the node, mod m")},
		{p.Delivers(), "m_data", out, links, p.PayloadBits, p.delivered(), word("")},
		{p.HasResult(), "m_own_valid", out, single, flag, p.resultsPlace(), meaning("the result of the node is delivered")},
		{p.HasResult(), "m_own_data", out, single, p.PayloadBits, PerNode, word("the result of the node")},
		{true, "link_in", in, links, p.PayloadBits, Near, word("the word on the link of each port")},
		{true, "link_out", out, links, p.PayloadBits, Near, word("")},
	}
}

// delivered is where words for a node come from: its links, or, if their chunks follow one another, the node, which completes them.
func (p *Collective) delivered() Place {
	if p.Skew > 0 {
		return PerNode
	}
	return Derived
}

// SomeResults reports whether some operations have own results and others none. Then nodes say when they have them.
func (p *Collective) SomeResults() bool {
	return p.HasResult() && !p.allHave((*Schedule).HasResult)
}

// resultsPlace is where m_own_valid comes from: from the node, or from done if every operation has results.
func (p *Collective) resultsPlace() Place {
	if p.SomeResults() {
		return PerNode
	}
	return Derived
}

func (p *Collective) allHave(it func(*Schedule) bool) bool {
	return !slices.ContainsFunc(p.Schedules, func(s *Schedule) bool { return !it(s) })
}

// OperationWire is the input with the number of the operation of a network that has several.
func (p *Collective) OperationWire() Wire {
	wires := p.Wires()
	return wires[slices.IndexFunc(wires, func(w Wire) bool { return w.Role == Operation })]
}

// numberBits are those of the number of an operation, as a row has them: one bit is a flag.
func (p *Collective) numberBits() int {
	if width := bits.Len(uint(len(p.Schedules) - 1)); width > 1 {
		return width
	}
	return flag
}

// numbers lists the operations with their numbers.
func (p *Collective) numbers() string {
	var list []string
	for i, s := range p.Schedules {
		list = append(list, fmt.Sprint(i, " ", s.Name))
	}
	return "number of the operation that starts: " + strings.Join(list, ", ")
}

// doneText says when done is 1.
func (p *Collective) doneText() string {
	var cycles []string
	for _, s := range p.Schedules {
		if cycle := fmt.Sprint(s.Period + 1 + p.Skew); !slices.Contains(cycles, cycle) {
			cycles = append(cycles, cycle)
		}
	}
	return "the last results are at the outputs, in cycle " + strings.Join(cycles, " or ")
}

// only names the operations that something is of, if others are not.
func (p *Collective) only(of func(*Schedule) bool) string {
	if p.allHave(of) {
		return ""
	}
	var names []string
	for _, s := range p.Schedules {
		if of(s) {
			names = append(names, s.Name)
		}
	}
	return " of " + strings.Join(names, ", ")
}

// Wires lists the ports of the network, in the order of declaration.
func (p *Collective) Wires() (list []Wire) {
	for _, r := range p.rows() {
		w := r.wire()
		switch w.Network {
		case Near:
			continue
		case PerNode, Derived:
			w.Lanes, w.Vector = p.Nodes*w.Lanes, true
		}
		if r.there {
			list = append(list, w)
		}
	}
	return list
}

// OuterWires lists the ports of the outer module, in the order of declaration.
func (p *Collective) OuterWires() []Wire {
	if p.Vector > 0 {
		return p.Vectors().Wires()
	}
	return p.Wires()
}

// NodeWires lists the ports of a node, in the order of declaration: those of the network, and its links.
func (p *Collective) NodeWires() (list []Wire) {
	for _, r := range p.rows() {
		if r.there && r.network != Derived {
			list = append(list, r.wire())
		}
	}
	return list
}

// wire is the port of a node.
func (r collectiveRow) wire() Wire {
	return Wire{
		Name: r.name, Output: r.output, Lanes: r.lanes.count, Bits: max(r.bits, 1), Vector: r.lanes.vector || r.bits != flag,
		Links: r.lanes.links, Network: r.network, Columns: r.Columns,
	}
}
